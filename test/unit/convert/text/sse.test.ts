import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { compactJson } from '../../../../language/values/json-printer.ts';
import { readJsonPieces } from '../../../../language/values/json-reader.ts';
import { isSse, listSseEvents } from '../../../../core/text/event-stream.ts';
import type { Places } from '../../../../language/values/text-layer.ts';
import { NULL } from '../../../../core/values/value.ts';
import { isSameValue } from '../../../../protocols/message/same-value.ts';
import type { Span } from '../../../../core/text/span.ts';
import { anyValue } from '../../../support/value-arbitrary.ts';
import { runs } from '../../../support/size.ts';

/** A body of all that the format has: comments, names, data in several lines, line ends of each kind, an end mark. */
const BODY = [
  '\ufeff: keep-alive\n',
  '\n',
  'event: response.created\r\nid: 7\r\ndata: {"a":\r\ndata:  [1,\r\ndata:2]}\r\n\r\n',
  'event: ping\n\n',
  'retry: 3000\rdata:{"b":2}\r\r',
  'data: {"c":3}\n\n',
  'data: [DONE]\n\n',
  'data: {"d":4}',
].join('');

interface Parts {
  readonly event: string;
  readonly data: readonly string[];
}

function list(text: string): { readonly events: readonly Parts[]; readonly others: readonly string[] } {
  const others: string[] = [];
  const cut = ({ start, end }: Span): string => text.slice(start, end);
  const events = [...listSseEvents(text, line => others.push(cut(line)))];
  return { events: events.map(({ span, lines }) => ({ event: cut(span), data: lines.map(cut) })), others };
}

describe('server-sent events', () => {
  it('are distinguished from JSON by the first line that is not a comment', () => {
    const streams = [
      'data: 1',
      'data:1',
      '\ufeffdata: 1',
      ': hi\n\nevent: x\n',
      'id: 1\n',
      'retry: 1',
      'data',
      '\n\n data',
    ];
    assert.deepEqual(streams.map(isSse), [true, true, true, true, true, true, true, false]);
    for (const text of [
      '',
      '{}',
      '"data: 1"',
      'database: 1',
      '{"a":1}\ndata: 1',
      ': only a comment',
      'datum\ndata: 1',
    ])
      assert.equal(isSse(text), false, text);
  });

  it('are found in a body with all that the format has', () => {
    assert.deepEqual(list(BODY), {
      events: [
        {
          event: 'event: response.created\r\nid: 7\r\ndata: {"a":\r\ndata:  [1,\r\ndata:2]}',
          data: ['{"a":', ' [1,', '2]}'],
        },
        { event: 'retry: 3000\rdata:{"b":2}', data: ['{"b":2}'] },
        { event: 'data: {"c":3}', data: ['{"c":3}'] },
        { event: 'data: [DONE]', data: ['[DONE]'] },
        { event: 'data: {"d":4}', data: ['{"d":4}'] },
      ],
      others: [],
    });
    assert.deepEqual(list('data\n\ndata:\n\ndata: x\nfoo\n  \nbar: 1\n\n'), {
      events: [
        { event: 'data', data: [''] },
        { event: 'data:', data: [''] },
        { event: 'data: x', data: ['x'] },
      ],
      others: ['foo', 'bar: 1'],
    });
  });

  it('are read as the values of their data, with their places in the text', () => {
    const places: Places = new Map();
    const { pieces, faults } = readJsonPieces(BODY, places);
    const cut = (span: Span | undefined): string => BODY.slice(span?.start, span?.end);
    assert.deepEqual(faults, []);
    assert.deepEqual(
      pieces.map(({ value, span }) => [compactJson(value), cut(span), cut(places.get(value))]),
      [
        [
          '{"a":[1,2]}',
          'event: response.created\r\nid: 7\r\ndata: {"a":\r\ndata:  [1,\r\ndata:2]}',
          '{"a":\r\ndata:  [1,\r\ndata:2]}',
        ],
        ['{"b":2}', 'retry: 3000\rdata:{"b":2}', '{"b":2}'],
        ['{"c":3}', 'data: {"c":3}', '{"c":3}'],
        ['{"d":4}', 'data: {"d":4}', '{"d":4}'],
      ],
    );
    const [first] = pieces;
    const inner = first?.value.kind === 'dict' ? first.value.entries[0]?.value : undefined;
    assert.equal(inner?.kind, 'list');
    const items = inner?.kind === 'list' ? inner.items : [];
    assert.deepEqual(
      items.map(item => cut(places.get(item))),
      ['1', '2'],
    );
    assert.equal(cut(inner && places.get(inner)), '"a":\r\ndata:  [1,\r\ndata:2]');
  });

  it('keep what can be read where a body is broken, and say what cannot', () => {
    const text = 'data: {"a":1}\n\ndata: oops\n\nfoo bar\ndata: {"b": 1e999}\n\ndata: {"c": [1';
    const { pieces, faults } = readJsonPieces(text);
    assert.deepEqual(
      pieces.map(({ value }) => compactJson(value)),
      ['{"a":1}', '{"b":{"$float":"inf"}}', '{"c":[1]}'],
    );
    assert.deepEqual(
      faults.map(({ kind, span, message }) => [kind, text.slice(span.start, span.end), message]),
      [
        ['dropped', 'oops', `'oops' is not complete JSON; the line is left out`],
        ['dropped', 'foo bar', `'foo bar' is not complete JSON; the line is left out`],
        ['rounded', '1e999', `The number '1e999' does not fit a double; it is read as infinity`],
        [
          'dropped',
          '{"c": [1',
          `The text ends before the closing ']}'; what is there is read, and what is missing is not known`,
        ],
      ],
    );
  });

  it('are read back as the values that were written', () => {
    fc.assert(
      fc.property(fc.array(anyValue, { minLength: 1, maxLength: 4 }), values => {
        const body = values.map(value => `data: ${compactJson(value)}\n\n`).join('');
        const { pieces, faults } = readJsonPieces(body);
        assert.deepEqual([pieces.length, faults], [values.length, []]);
        assert.ok(pieces.every(({ value }, at) => isSameValue(value, values[at] ?? NULL)));
      }),
      { numRuns: runs(300) },
    );
  });
});
