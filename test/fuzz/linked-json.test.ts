import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { decodeField, embedField } from '../../language/aicf/codec.ts';
import { AICF_ESCAPES } from '../../core/catalog/aicf.ts';
import { DEFAULT_SETTINGS } from '../../core/catalog/settings.ts';
import { readWrittenJson } from '../../language/values/json-reader.ts';
import { scanJson } from '../../language/json/json-scanner.ts';
import { LANGUAGE_SUPPORT } from '../../language/languages.ts';
import { applyEdits } from '../../core/text/edit.ts';
import { plainOfSnippet } from '../../server/src/snippet.ts';
import { share } from '../support/share.ts';
import { checkSpans } from '../support/total.ts';
import { runs } from '../support/size.ts';

/** More runs by FUZZ_RUNS; a failure prints its seed and path. */
const RUNS = { numRuns: runs(500) };

const LETTERS: ReadonlyMap<string, string> = new Map(AICF_ESCAPES.map(row => [row.text, row.letter]));

/** Texts with what fields and JSON escape. */
const nastyText = fc
  .array(
    fc.constantFrom('a', '"', '\\', '|', '\n', '\t', '\r', '{', ']', ',', ':', '\u{1f600}', 'n', 'u0041'),
    {
      maxLength: 6,
    },
  )
  .map(parts => parts.join(''));

const { value: nastyValue } = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      nastyText,
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(nastyText, tie('value'), { maxKeys: 4 }),
  ),
}));

const nastyObject = fc.dictionary(nastyText, nastyValue, { minKeys: 1, maxKeys: 4 });

/** A text as a field: what must be escaped is, and what may be is where a list of choices says so. */
function writeField(text: string, choices: readonly boolean[]): string {
  return [...text]
    .map((character, index) => {
      const letter = LETTERS.get(character);
      const isFree = character === '\t';
      return letter === undefined || (isFree && choices[index % choices.length]) ? character : `\\${letter}`;
    })
    .join('');
}

const field = fc
  .tuple(nastyObject, fc.nat(3), fc.array(fc.boolean(), { minLength: 1, maxLength: 9 }))
  .map(([value, indent, choices]) => {
    const json = JSON.stringify(value, undefined, indent);
    return { json, raw: writeField(json, choices) };
  });

/**
 * The members of an object by their names. Not by JSON.parse: Node 24 takes the key `"\\t"` for a `"\\\\"` that stood in
 * its place in an object parsed before (`JSON.parse('{"\\\\":1}'); JSON.parse('{"\\t":1}')`).
 */
function membersOf(json: string): ReadonlyMap<string, unknown> | undefined {
  const value = readWrittenJson(json);
  return value?.kind === 'dict' ? new Map(value.entries.map(entry => [entry.key, entry.value])) : undefined;
}

describe('JSON in a field', () => {
  it('each token is in the source where its place leads, through any escapes', () => {
    let escaped = 0;
    fc.assert(
      fc.property(field, fc.nat(9), ({ json, raw }, before) => {
        const source = ' '.repeat(before) + raw;
        const embedded = embedField(raw, before, 'request');
        assert.equal(embedded.text, json);
        if (raw !== json) escaped++;
        for (const token of scanJson(embedded.text)) {
          const span = embedded.toSource(token);
          assert.equal(
            decodeField(source.slice(span.start, span.end), 'request'),
            json.slice(token.start, token.end),
          );
          assert.equal(embedded.toEmbedded(span.start), token.start);
          assert.equal(embedded.toEmbedded(span.end), token.end);
        }
        for (let at = 0; at <= source.length; at++) {
          const back = embedded.toSource({ start: embedded.toEmbedded(at), end: json.length });
          assert.ok(back.start <= Math.max(at, before) && at - back.start <= Math.max(1, before));
        }
      }),
      RUNS,
    );
    assert.ok(escaped > 0);
  });

  it('keeps its value in every layout, and other fields theirs', () => {
    let laidOut = 0;
    fc.assert(
      fc.property(field, share, ({ json, raw }, at) => {
        fc.pre(/^\{["}]/.test(raw));
        const text = `CALL|t|x|${raw}|y`;
        const offset = 'CALL|t|x|'.length + Math.round(at * raw.length);
        const doc = LANGUAGE_SUPPORT.aicf.open(text, DEFAULT_SETTINGS);
        for (const { edits } of doc.rewrites({ start: offset, end: offset }, Infinity)) {
          const after = applyEdits(text, edits);
          const inner = after.slice('CALL|t|x|'.length, -'|y'.length);
          assert.ok(after.startsWith('CALL|t|x|') && after.endsWith('|y'));
          assert.deepEqual(membersOf(decodeField(inner, 'request')), membersOf(json));
          laidOut++;
        }
      }),
      RUNS,
    );
    assert.ok(laidOut > 0);
  });

  it('stays JSON with each name that is proposed between its members, and the others keep their values', () => {
    let accepted = 0;
    fc.assert(
      fc.property(field, field, fc.boolean(), (one, other, isReply) => {
        const head = isReply ? 'OK|' : 'CALL|t|';
        const members = one.raw.trim().replace(/^\{(?:\\n)?\s*/, '');
        const before = `${head}${other.raw}\n${head}{`;
        const text = `${before}${members}`;
        fc.pre(text.startsWith(`${head}{"`) && /^\{"/.test(`{${members}`));
        const doc = LANGUAGE_SUPPORT.aicf.open(text, DEFAULT_SETTINGS);
        for (const { label, span, newText, isSnippet, kind } of doc.complete(before.length)) {
          if (kind !== 'field') continue;
          const plain = isSnippet ? plainOfSnippet(newText) : newText;
          // A place that is left for a value gets one.
          const filled = plain.replace(/:,$/, ':0,');
          const after = applyEdits(text, [{ span, newText: filled }]);
          const data = decodeField(after.slice(before.length - 1), isReply ? 'response' : 'request');
          const result = membersOf(data) ?? new Map<string, unknown>();
          assert.ok(result.has(label), data);
          const rest = [...result].filter(([name]) => name !== label);
          assert.deepEqual(new Map(rest), membersOf(one.json));
          accepted++;
        }
      }),
      RUNS,
    );
    assert.ok(accepted > 0);
  });

  it('answers everything about a file with any piece of it cut out', () => {
    fc.assert(
      fc.property(field, share, fc.nat(6), share, ({ raw }, cut, count, at) => {
        const text = `TOOL|t|d|o:object|x\nCALL|t|${raw}|${raw}\nOK|${raw}\nSTREAM|${raw}\nEND`;
        const from = Math.round(cut * text.length);
        const damaged = text.slice(0, from) + text.slice(from + count);
        const doc = LANGUAGE_SUPPORT.aicf.open(damaged, DEFAULT_SETTINGS);
        checkSpans(doc, Math.round(at * damaged.length));
        for (const { fixes = [] } of doc.validate())
          for (const { edits } of fixes) assert.notEqual(applyEdits(damaged, edits), undefined);
      }),
      RUNS,
    );
  });
});
