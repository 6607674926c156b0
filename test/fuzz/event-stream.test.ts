import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { EventReader } from '../../agents/mcp/event-reader.ts';
import { EventStreamParser, listSseEvents, type StreamEvent } from '../../core/text/event-stream.ts';
import { runs } from '../support/size.ts';

/** What the format distinguishes, joined in any order. */
const PIECES = [
  ...[
    'data',
    'data:',
    'data: ',
    'event:',
    'event: x',
    'id',
    'id:',
    'id: 7',
    'id: \0',
    'retry: 5',
    'foo',
    ': c',
  ],
  ...['\n', '\r', '\r\n', '\n\n', '\r\n\r\n', ' ', '\u{feff}', '{"a":1}', 'ü€😀'],
];

const STREAM = fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map(pieces => pieces.join(''));

function cut(text: string, places: readonly number[]): readonly string[] {
  const starts = [0, ...places.map(place => place % (text.length + 1)).sort((a, b) => a - b)];
  return starts.map((start, index) => text.slice(start, starts[index + 1]));
}

type Plain = Pick<StreamEvent, 'data' | 'name' | 'hasId'>;

const plain = ({ data, name, hasId }: StreamEvent): Plain => ({
  data,
  ...(name === undefined ? {} : { name }),
  hasId,
});

/** The events of a stream (WHATWG HTML 9.2.6); `last` is the one before whose end the stream was cut, if any. */
function readSimply(stream: string): { readonly events: readonly Plain[]; readonly last: readonly Plain[] } {
  const lines = stream.replace(/^\u{feff}/u, '').split(/\r\n|\r|\n/);
  const blocks: string[][] = [[]];
  for (const [index, line] of lines.entries())
    if (line === '' && index < lines.length - 1) blocks.push([]);
    else blocks.at(-1)?.push(line);
  const events = blocks.map(block => {
    const fields = block.map(line => /^([^:]*):? ?([^]*)$/.exec(line)?.slice(1) ?? []);
    const valuesOf = (name: string): readonly string[] =>
      fields.filter(([field]) => field === name).map(([, value = '']) => value);
    const data = valuesOf('data');
    const name = valuesOf('event').at(-1) ?? '';
    const id = valuesOf('id').findLast(each => !each.includes('\0')) ?? '';
    return data.length === 0
      ? []
      : [{ data: data.join('\n'), ...(name === '' ? {} : { name }), hasId: id !== '' }];
  });
  return { events: events.slice(0, -1).flat(), last: events.at(-1) ?? [] };
}

describe('event streams', () => {
  it('have the same events for all readers, in whatever chunks they arrive', () => {
    fc.assert(
      fc.property(STREAM, fc.array(fc.nat(), { maxLength: 20 }), (stream, cuts) => {
        const { events, last } = readSimply(stream);
        const parser = new EventStreamParser();
        const parsed = cut(stream, cuts).flatMap(chunk => parser.push(chunk));
        assert.deepEqual(parsed.map(plain), events);
        assert.deepEqual(parser.end().map(plain), last);
        assert.ok(parser.work <= 2 * stream.length);

        const listed = [...listSseEvents(stream)];
        assert.deepEqual(listed.map(plain), [...events, ...last]);
        for (const { span, data, lines } of listed) {
          assert.equal(lines.map(({ start, end }) => stream.slice(start, end)).join('\n'), data);
          assert.ok(lines.every(({ start, end }) => span.start <= start && end <= span.end));
        }

        const reader = new EventReader();
        const bytes = Buffer.from(stream).toString('latin1');
        const read = cut(bytes, cuts).flatMap(chunk => reader.push(Buffer.from(chunk, 'latin1')));
        assert.deepEqual(
          read.flatMap(({ event }) => (event ? [plain(event)] : [])),
          events,
        );
        assert.equal(Buffer.concat([...read.map(each => each.bytes), reader.end()]).toString(), stream);
      }),
      { numRuns: runs(20_000) },
    );
  });
});
