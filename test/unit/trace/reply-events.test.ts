import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { ReplyEvents } from '../../../protocols/event-stream/reply-events.ts';

interface Read {
  readonly form: string;
  readonly data: readonly string[];
  readonly rest: string;
  readonly foreign: number;
}

/** Reads a text in pieces of these lengths, in turns. */
function read(text: string, lengths: readonly number[] = [text.length || 1], form?: 'whole'): Read {
  const events = new ReplyEvents(form);
  const data: string[] = [];
  let rest = '';
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 1;
    for (const event of events.push(text.slice(at, at + length))) data.push(event.data);
    rest += events.takeRest();
    at += length;
  }
  for (const event of events.end()) data.push(event.data);
  rest += events.takeRest();
  return { form: events.form, data, rest, foreign: events.foreignLines };
}

describe('the events of a reply', () => {
  it('are those of a stream, without what is no message of it', () => {
    const text =
      ': hello\n\nevent: endpoint\ndata: /messages?session=1\n\ndata: {"a":\ndata: 1}\n\nnonsense\n\ndata: [DONE]\n\ndata: last';
    assert.deepEqual(read(text), { form: 'events', data: ['{"a":\n1}', 'last'], rest: '', foreign: 1 });
  });

  it('are none in any other body, which is returned as it is', () => {
    for (const text of ['{"a":1}', '\u{feff} [1]', '<html>', 'OK|1', '', ' \n', 'x'.repeat(2_000)])
      assert.deepEqual(
        read(text, [1]),
        { form: 'whole', data: [], rest: text, foreign: 0 },
        text.slice(0, 9),
      );
    assert.equal(read('data: 1\n\n', [3], 'whole').rest, 'data: 1\n\n', 'a protocol without streams');
  });

  it('are the same however the text arrives', () => {
    const line = fc.constantFrom(
      'data: {"a":1}',
      'data:',
      'data: x',
      'event: e',
      ': c',
      'id: 1',
      '',
      '',
      '{"a":1}',
      'other',
      'data: [DONE]',
      '\u{feff}',
    );
    const end = fc.constantFrom('\n', '\r\n', '\r');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(line, end), { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
        (lines, lengths) => {
          const text = lines.map(pair => pair.join('')).join('');
          assert.deepEqual(read(text, lengths), read(text));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('are parsed at most once, and searched in time that is linear in their length', () => {
    const events = new ReplyEvents();
    const [event] = events.push('data: {"a":[1,2]}\n\n');
    assert.ok(event?.value && event.value === event.value && event.values[0] === event.value);
    const work = [1_000, 2_000].map(count => {
      const stream = new ReplyEvents();
      for (let at = 0; at < count; at++) stream.push(`data: {"at":${at % 10}}\n\n`);
      return stream.work;
    });
    assert.ok((work[1] ?? 0) <= 2.1 * (work[0] ?? 0), String(work));
  });
});
