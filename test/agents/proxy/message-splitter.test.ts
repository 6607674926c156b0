import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { JsonOutline } from '../../../agents/proxy/stdio/json-outline.ts';
import { MessageSplitter, type StdioPiece } from '../../../agents/proxy/stdio/message-splitter.ts';
import { runs } from '../../support/size.ts';

/** What comes of a text in pieces, the last of which ends it. */
function split(splitter: MessageSplitter, pieces: readonly string[]): readonly StdioPiece[] {
  return [...pieces.flatMap(piece => splitter.push(piece)), ...splitter.end()];
}

const cut = (text: string, size: number): readonly string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));

function outlineOf(pieces: readonly string[]): JsonOutline {
  const outline = new JsonOutline();
  for (const piece of pieces) outline.push(piece);
  return outline;
}

/** A value of JSON without what an outline leaves out. */
function withoutDeep(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return depth > 2 ? [] : value.map(item => withoutDeep(item, depth + 1));
  const entries = Object.entries(value).map(([key, item]) => [key, withoutDeep(item, depth + 1)]);
  return depth > 2 ? {} : Object.fromEntries(entries);
}

describe('a splitter of messages', () => {
  const line = fc.oneof(
    fc.json().map(text => `${text}\n`),
    fc.constantFrom(
      '{"a":1}\r\n',
      '[d:[s:a]:[s:b\\u005D]]',
      '[d:',
      '{\n',
      '}\n',
      '\n',
      ' ',
      'log [x]\n',
      '{"a":"',
    ),
  );

  it('loses no byte and adds none, whatever comes and in what pieces', () => {
    fc.assert(
      fc.property(
        fc.array(line),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 40 }),
        (lines, size, held) => {
          const text = lines.join('');
          const pieces = split(new MessageSplitter(held), cut(text, size));
          assert.equal(pieces.map(({ bytes }) => bytes).join(''), text);
        },
      ),
    );
  });

  it('finds each line of JSON, in whatever pieces it comes', () => {
    const message = fc.dictionary(fc.string(), fc.jsonValue()).map(value => `${JSON.stringify(value)}\n`);
    fc.assert(
      fc.property(fc.array(message), fc.integer({ min: 1, max: 99 }), (lines, size) => {
        const bytes = lines.map(text => Buffer.from(text).toString('latin1'));
        assert.deepEqual(
          split(new MessageSplitter(), cut(bytes.join(''), size)),
          bytes.map(text => ({ kind: 'message', bytes: text })),
        );
      }),
      { numRuns: runs(100) },
    );
  });

  it('finds a message in a line that is too long to be parsed, whole or not, by its outline', () => {
    const [before, after] = ['{"result":{"text":"', '"},"jsonrpc":"2.0","id":7}\n'];
    const long = `${before}${'\\"x'.repeat(500_000)}${after}`;
    const outline = '{"result":{"text":""},"jsonrpc":"2.0","id":7}';
    for (const size of [65_536, 2 ** 22])
      assert.deepEqual(split(new MessageSplitter(), cut(long, size)), [
        { kind: 'message', bytes: long, outline },
      ]);
    const pieces = split(new MessageSplitter(1_100_000), cut(long, 600_000));
    assert.deepEqual(
      pieces.map(({ kind, bytes, ...rest }) => ({ kind, length: bytes.length, ...rest })),
      [
        { kind: 'part', length: 1_200_000 },
        { kind: 'message', length: long.length - 1_200_000, outline },
      ],
    );
  });

  it('continues a line after a part of it like a whole line, whatever its content', () => {
    const long = `{"a":"${'x'.repeat(1_200_000)}`;
    for (const rest of ['[d:[s:a]:[s:b]]"}\n', '"}\n'])
      for (const size of [1, 100])
        assert.deepEqual(split(new MessageSplitter(1_100_000), [long, ...cut(rest, size)]), [
          { kind: 'part', bytes: long },
          { kind: 'message', bytes: rest, outline: '{"a":""}' },
        ]);
  });

  it('takes no long line for a message that is none', () => {
    const long = `{${'x'.repeat(2_000_000)}}\n`;
    assert.deepEqual(split(new MessageSplitter(), [long]), [{ kind: 'foreign', bytes: long }]);
    const open = `{"a":"${'x'.repeat(2_000_000)}\n{"b":1}\n`;
    assert.deepEqual(
      split(new MessageSplitter(), cut(open, 65_536)).map(({ kind, bytes }) => [kind, bytes.length]),
      [
        ['foreign', open.length - 8],
        ['message', 8],
      ],
    );
  });

  it('makes one piece of all lines between two messages that came together', () => {
    const [text, message] = ['one\ntwo\n\nthree\n', '{"a":1}\n'];
    assert.deepEqual(split(new MessageSplitter(), [text + message + text + message]), [
      { kind: 'foreign', bytes: text },
      { kind: 'message', bytes: message },
      { kind: 'foreign', bytes: text },
      { kind: 'message', bytes: message },
    ]);
  });

  it('ends a message that AICL does not accept before the next one, or when nothing more comes', () => {
    const [raw, whole] = ['[d:[s:a]:[s:see [1] there]]', '[d:[s:a]:[s:b]]'];
    const splitter = new MessageSplitter();
    const text = `${raw}\n${whole}\n${raw}`;
    assert.deepEqual(splitter.push(`${text}\n`), [
      { kind: 'message', bytes: raw },
      { kind: 'foreign', bytes: '\n' },
      { kind: 'message', bytes: whole },
    ]);
    assert.equal(splitter.mayBeOver, true);
    assert.deepEqual(splitter.endMessage(), [
      { kind: 'foreign', bytes: '\n' },
      { kind: 'message', bytes: raw },
    ]);
    assert.deepEqual(splitter.end(), [{ kind: 'foreign', bytes: '\n' }]);
  });

  it('holds no more than may be of lines that are no message, and of a bracket that is never closed', () => {
    for (const begin of ['{ no\n', '[d:[s:a]:[s:']) {
      const splitter = new MessageSplitter(1_000);
      const came = [begin, ...Array.from({ length: 300 }, () => 'more and more\n')].flatMap(piece =>
        splitter.push(piece),
      );
      const held = begin.length + 300 * 14 - came.reduce((sum, { bytes }) => sum + bytes.length, 0);
      assert.deepEqual([came.every(({ kind }) => kind !== 'message'), held <= 1_014], [true, true]);
    }
  });
});

describe('an outline of a message', () => {
  it('is the message without what lies deep, in whatever pieces it comes', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.integer({ min: 1, max: 7 }),
        (value, size) => {
          const outline = outlineOf(cut(JSON.stringify(value), size));
          assert.equal(outline.isWhole, true);
          assert.deepEqual(JSON.parse(outline.text), JSON.parse(JSON.stringify(withoutDeep(value))));
        },
      ),
    );
  });

  it('leaves out a member that is long all the same, and long strings, and goes on behind them', () => {
    const rows = Array.from({ length: 100_000 }, (_, at) => [at]);
    const message = {
      id: 'a',
      params: { rows, name: 'n' },
      method: 'm',
      long: 'x'.repeat(5_000),
      end: { n: 1 },
    };
    const outline = outlineOf(cut(JSON.stringify(message), 1_000));
    assert.deepEqual(
      [outline.isWhole, JSON.parse(outline.text)],
      [true, { id: 'a', params: {}, method: 'm', long: '', end: { n: 1 } }],
    );
  });

  it('is not whole where something stays open, or where more is closed than was opened, or of a table', () => {
    const table = JSON.stringify(
      Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [`key${at}`, at])),
    );
    for (const text of ['', '{', '{"a', '{"a":"b\\"', '{}}', '[[]', table])
      assert.equal(outlineOf([text]).isWhole, false, text.slice(0, 20));
  });
});
