import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readMessages } from '../../../../protocols/convert/read-text.ts';
import { Report } from '../../../../core/message/report.ts';

/** Which events, from 0, each message of a text stands for; an event a line. */
function eventsOf(lines: readonly string[]): readonly (readonly number[])[] {
  const text = lines.map(line => `${line}\n`).join('');
  const starts: number[] = [];
  for (const line of lines)
    starts.push(starts.length === 0 ? 0 : text.indexOf(line, (starts.at(-1) ?? 0) + 1));
  const ends = lines.map((line, at) => (starts[at] ?? 0) + line.length);
  return readMessages(text, { report: new Report() }).messages.map(({ span }) => {
    const [first, last] = [starts.indexOf(span.start), ends.indexOf(span.end)];
    assert.ok(first >= 0 && last >= first, JSON.stringify(span));
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
}

const RESPONSE = { id: 'resp_a', object: 'response', status: 'in_progress', model: 'm' };
const CREATED = { type: 'response.created', response: RESPONSE };
const DELTA = { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0 };

function numbered(events: readonly object[]): readonly string[] {
  return events.map((event, sequence_number) => JSON.stringify({ ...event, sequence_number }));
}

const RUN = { object: 'response', error: null, id: 'response_1', created_at: 0, session_id: null };
const RUNS = ['created', 'in_progress'].map(status => ({ ...RUN, status }));

describe('where the messages of a stream stand', () => {
  it('an event that leads nowhere stands for itself', () => {
    const unled = numbered([CREATED, { ...DELTA, delta: 'Hi' }]);
    assert.deepEqual(eventsOf(unled), [[0], [1]]);
    const recorded = RUNS.map(event => ({ ...event, id: 'response_a' }));
    const odd = { object: 'content', status: 'in_progress', type: 'odd', index: 0, delta: true };
    assert.deepEqual(eventsOf(numbered([...recorded, odd])), [[0], [1], [2]]);
  });

  it('a part has the events that lead to it, and the end those that close what is open', () => {
    const message = { object: 'message', error: null, id: 'msg_1', type: 'message', role: 'assistant' };
    const text = { object: 'content', error: null, type: 'text', index: 0, msg_id: 'msg_1' };
    const done = { ...text, status: 'completed', delta: false, text: 'Hi you' };
    const events = [
      ...RUNS,
      { ...message, status: 'in_progress', content: null },
      { ...text, status: 'in_progress', delta: true, text: 'Hi' },
      { ...text, status: 'in_progress', delta: true, text: ' you' },
      done,
      { ...message, status: 'completed', content: [done] },
      { ...RUN, status: 'completed', completed_at: 0, output: [] },
    ];
    assert.deepEqual(eventsOf(numbered(events)), [[0, 1, 2, 3], [4], [5, 6, 7]]);
  });

  it('what is held back where a stream stops stands where it was told', () => {
    assert.deepEqual(eventsOf(numbered(RUNS)), [[0, 1]]);
    assert.deepEqual(
      eventsOf([...numbered(RUNS), '{"jsonrpc":"2.0","id":1,"method":"aip.capabilities.list"}']),
      [[0, 1], [2]],
    );
  });
});
