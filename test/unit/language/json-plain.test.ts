import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { isPlainJson } from '../../../language/json/json-plain.ts';
import { readJson, type JsonValue } from '../../../language/json/json-tree.ts';
import { parseJson } from '../../../core/text/json.ts';
import { runs, sized } from '../../support/size.ts';

function isPlain(text: string): boolean {
  return isPlainJson(`x${text}y`, 1, text.length + 1);
}

/** How many keys the objects of a value have. */
function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce<number>((sum, inner) => sum + countKeys(inner), own);
}

/** How many keys stand in the objects of a text. */
function countWritten(value: JsonValue | undefined): number {
  const members = value?.members ?? [];
  return members.reduce((sum, { key, value: inner }) => sum + (key ? 1 : 0) + countWritten(inner), 0);
}

describe('plain JSON', () => {
  it('is what most lines hold', () => {
    const plain = [
      '{"name":"My Design","lastModified":"2025-10-21","n":1}',
      '{ "a": [1, -2.5, true, false, null], "b": {"a": {}}, "": [] }',
      '"é"',
      '0',
    ];
    for (const text of plain) assert.ok(isPlain(text), text);
  });

  const others = [
    '',
    ' 1',
    '{"a":1,"a":2}',
    '{"a":"\\n"}',
    '{"a":"\t"}',
    '[1e5]',
    '[1234567890123456]',
    '[01]',
    '[1.]',
    '[-]',
    '[1,]',
    '{"a":1,}',
    '{"a"}',
    '{a:1}',
    '[tru]',
    '[1}',
    '["a',
    '[',
    `${'['.repeat(31)}${']'.repeat(31)}`,
    '{}{}',
  ];
  for (const text of others) it(`is not ${text}`, () => assert.equal(isPlain(text), false));

  it('is JSON, and each of its keys comes once', () => {
    let plain = 0;
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"',
      'a',
      '0',
      '-',
      '.',
      ' ',
      'true',
      '"a":0',
    );
    const text = fc.oneof(
      fc.array(piece, { maxLength: 8 }).map(pieces => pieces.join('')),
      fc
        .tuple(fc.json({ maxDepth: 3 }), fc.nat(30), fc.nat(1), piece)
        .map(([json, at, count, put]) => json.slice(0, at) + put + json.slice(at + count)),
      fc.json(),
    );
    fc.assert(
      fc.property(text, source => {
        if (!isPlain(source)) return;
        plain++;
        const value = parseJson(source);
        assert.notEqual(value, undefined, source);
        assert.equal(countKeys(value), countWritten(readJson(source).root), source);
      }),
      { numRuns: runs(5_000) },
    );
    assert.ok(plain > sized(50, 0), `${plain} of them are plain`);
  });
});
