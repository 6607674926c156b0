import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import type { UnitReading } from '../../../language/aicl/document.ts';
import { KnownFields } from '../../../language/aicl/known-fields.ts';
import { parseAicl, readUnit } from '../../../language/aicl/parse.ts';
import { pairsOf } from '../../../language/aicl/summary.ts';
import { checkAiclUnit } from '../../../language/rules/aicl/unit.ts';

const PLAIN = [
  '[s:a]',
  '[s:]',
  '[s:a long text, longer than the part that is read character by character]',
  '[i:1]',
  '[i:-42]',
  '[i:+00000000000000005]',
  '[f:1.5]',
  '[f:.5]',
  '[f:5.]',
  '[f:-7]',
  '[b:true]',
  '[b:false]',
  '[l:]',
  '[d:]',
  '[l:[i:1], [s:a]]',
  '[d:[s:ab]:[i:1],[s:ac]:[d:[s:ab]:[s:b]]]',
];

const OTHER = [
  '[s:a[s:b]',
  '[s:a[b]',
  String.raw`[s:C:\a]`,
  '[s:a long text, longer than the part that is read character by character, with [s:b]',
  String.raw`[s:a long text, longer than the part that is read character by character, with \u005D]`,
  '[i:]',
  '[i:-]',
  '[i:1.5]',
  '[i: 1]',
  '[i:9223372036854775808]',
  '[i:{{count}}]',
  '[f:]',
  '[f:.]',
  '[f:1.2.3]',
  '[f:1e999]',
  '[f:inf]',
  '[f:INFINITY]',
  '[b:True]',
  '[b:true ]',
  '[b:1]',
  '[t:uint8:2,2:009CJ]',
  '[t:uint9:2,2:009CJ]',
  '[l:[i:1],]',
  '[d:[s:a]:[i:1],]',
  '[d:[s:a]:[i:1],[s:b]:[i:1],[s:a]:[i:2]]',
  String.raw`[d:[s:a\u005D]:[i:1],[s:a\u005d]:[i:2]]`,
  `[d:${Array.from({ length: 13 }, (_, index) => `[s:k${index}]:[i:1]`).join(',')}]`,
  `[d:[s:${'k'.repeat(70)}]:[i:1],[s:${'k'.repeat(70)}]:[i:2]]`,
];

function read(source: string): UnitReading {
  const doc = parseAicl(source, DEFAULT_SETTINGS, () => []);
  const unit = doc.units.at(0);
  assert.ok(unit?.isAccepted && unit.end === source.length, source);
  return readUnit(doc, unit);
}

/** The issues of a unit, with or without knowing that it is plain. */
function check(reading: UnitReading, isPlain: boolean | undefined): unknown {
  const fields = new KnownFields(reading.text, reading.base, pairsOf(reading));
  return checkAiclUnit({ ...reading, isPlain }, DEFAULT_SETTINGS, fields);
}

describe('plain AICL values', () => {
  for (const [values, isPlain] of [
    [PLAIN, true],
    [OTHER, false],
  ] as const)
    for (const value of values)
      it(`${value} is ${isPlain ? '' : 'not '}plain, alone and in others`, () => {
        for (const source of [value, `[l:[i:1],${value}]`, `[d:[s:a]:[l:${value}],[s:b]:[i:1]]`])
          assert.equal(read(source).isPlain, isPlain, source);
      });

  it('have no issues that the rules for single values would find', () => {
    const value = fc.constantFrom(...PLAIN, ...PLAIN, ...PLAIN, ...OTHER);
    const key = fc.constantFrom('a', 'b', 'ab', 'msg_type', 'data', 'protocol', String.raw`a\u005D`);
    const pair = fc.tuple(key, value).map(([name, content]) => `[s:${name}]:${content}`);
    const message = fc
      .array(pair, { minLength: 1, maxLength: 6 })
      .map(pairs => `[d:[s:protocol]:[s:LightAICL],${pairs.join(',')}]`);
    fc.assert(
      fc.property(message, source => {
        const reading = read(source);
        assert.deepEqual(check(reading, reading.isPlain), check(reading, false));
      }),
      { numRuns: 1000 },
    );
  });
});
