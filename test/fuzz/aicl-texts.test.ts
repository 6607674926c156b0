import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { atomSource, childValues, textOf, topValues, type AiclNode } from '../../language/aicl/ast.ts';
import type { UnitReading } from '../../language/aicl/document.ts';
import { escapeText } from '../../language/aicl/escapes.ts';
import { parseAicl, readUnit } from '../../language/aicl/parse.ts';
import { Scanner } from '../../language/aicl/scanner.ts';
import { readSettings } from '../../core/catalog/settings.ts';
import { LANGUAGE_SUPPORT } from '../../language/languages.ts';
import { applyEdits } from '../../core/text/edit.ts';
import { anySource, anyText, validValue } from '../support/aicl-arbitrary.ts';
import { runs } from '../support/size.ts';

const RUNS = { numRuns: runs(2000) };
const SETTINGS = readSettings(key => (key === 'aicl.profile' ? 'chat' : undefined));
const BRACKET_RULES: ReadonlySet<string> = new Set(['aicl/bracket-in-text', 'aicl/old-escape']);

function read(source: string): readonly UnitReading[] {
  const doc = parseAicl(source, SETTINGS, () => []);
  return Array.from(doc.units, unit => readUnit(doc, unit));
}

/** The texts of a unit, keys among them, in their order, each as `take` reads it. */
function textsOf(reading: UnitReading, take: typeof textOf): readonly string[] {
  const { text, base, tree } = reading;
  const found: string[] = [];
  const visit = (node: AiclNode): void => {
    if (node.kind === 'text') found.push(take(text, base, node));
    if (node.kind !== 'dict') for (const child of childValues(node)) visit(child);
    else
      for (const { key, value } of node.pairs) {
        found.push(take(text, base, key));
        if (value) visit(value);
      }
  };
  for (const node of topValues(tree)) visit(node);
  return found;
}

/** A reader as the whitepaper draws one (section 9.1), with depth for lists and dictionaries: it knows no escape. */
function readPlainly(
  data: string,
): readonly { readonly message: string; readonly texts: readonly string[] }[] {
  const found: { message: string; texts: string[] }[] = [];
  let [depth, start, texts] = [0, 0, [] as string[]];
  for (let at = 0; at < data.length; at++) {
    if (data[at] === '[' && depth++ === 0) [start, texts] = [at, []];
    if (data[at] === '[' && !'ld'.includes(data[at + 1] ?? '')) {
      const end = data.indexOf(']', at);
      if (data[at + 1] === 's') texts.push(data.slice(at + 3, end));
      at = end;
    }
    if (data[at] === ']' && --depth === 0) found.push({ message: data.slice(start, at + 1), texts });
  }
  return found;
}

/** A text with brackets as people write them: each is closed, and none begins a value. */
const closedText = fc
  .array(
    fc.constantFrom('a', '[]', '[1]', '[x] ', '[[b],[c]]', ', ', ': ', '\n', '\\', '(', '{"k":[1]}', '# '),
    {
      maxLength: 6,
    },
  )
  .map(pieces => pieces.join(''))
  .filter(text => !text.includes('\\]') && !text.endsWith('\\'));

/** A message with texts as they are, and the same with its texts as they should be written. */
const rawMessage = fc
  .tuple(
    fc.array(fc.tuple(closedText, fc.nat(3)), { minLength: 1, maxLength: 4 }),
    fc.constantFrom('', '\n  '),
  )
  .map(([texts, gap]) => {
    const write = (spell: (text: string) => string): string => {
      const pairs = texts.map(([text, kind], index) => {
        const atom = `[s:${spell(text)}]`;
        const value = [
          atom,
          `[l:[i:1],${atom},[i:2]]`,
          `[d:${atom}:[i:1],[s:x]:${atom}]`,
          `[l:${atom},[l:]]`,
        ][kind];
        return `${gap}[s:k${index}]:${value}`;
      });
      return `[d:${pairs.join(',')},${gap}[s:end]:[i:1]${gap}]`;
    };
    return { raw: write(text => text), spelled: write(text => escapeText(text)) };
  });

describe('AICL, texts', () => {
  it('a reader that knows no escape finds the same messages and texts', () => {
    fc.assert(
      fc.property(fc.array(validValue, { maxLength: 3 }), values => {
        const source = values.map((value, index) => `[d:[s:k${index}]:${value}]`).join('\n');
        assert.deepEqual(
          readPlainly(source),
          read(source).map(reading => ({
            message: source.slice(reading.start, reading.end),
            texts: textsOf(reading, atomSource),
          })),
        );
      }),
      RUNS,
    );
  });

  it('what the grammar accepts is read as the grammar reads it, whatever its texts hold', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(anyText(), closedText, fc.constantFrom('C:\\', '[s:', 'a]b')), { minLength: 1 }),
        texts => {
          const source = `[d:${texts.map((text, index) => `[s:k${index}]:[s:${text}]`).join(',')},[s:n]:[i:1]]`;
          const accepted = new Scanner(source, { count: 0 }).accept(0);
          if (accepted?.end !== source.length) return;
          const [reading, ...others] = read(source);
          assert.deepEqual([reading?.tree, reading?.faults, others], [accepted.tree, [], []]);
        },
      ),
      RUNS,
    );
  });

  it('brackets in texts that close each other are one error, and its fix writes what was meant', () => {
    fc.assert(
      fc.property(rawMessage, ({ raw, spelled }) => {
        const errors = LANGUAGE_SUPPORT.aicl
          .open(raw, SETTINGS)
          .validate()
          .filter(({ severity, code }) => severity === 'error' && code !== 'aicl/duplicate-key');
        if (raw === spelled) assert.deepEqual(errors, []);
        else {
          assert.equal(errors.length, 1, JSON.stringify(errors));
          assert.deepEqual(
            errors[0]?.fixes?.map(({ edits }) => applyEdits(raw, edits)),
            [spelled],
          );
        }
      }),
      RUNS,
    );
  });

  it('the fix of brackets in texts makes the message whole, with the texts that recovery read and nothing removed', () => {
    const brokenMessage = fc.oneof(
      anySource.map(source => `[d:[s:a]:[s:b] [1] c],${source}]`),
      fc
        .array(
          fc.constantFrom('[s:a]', '[s:[b]', '[s:c]]', '[s:d\\]', '[s: e] ', ',', ':', ']', '[l:', '[d:'),
        )
        .map(pieces => `[d:[s:k]:${pieces.join('')}]`),
      fc
        .array(anyText(), { minLength: 1 })
        .map(texts => `[d:${texts.map(text => `[s:k]:[s:${text}]`).join(',')}]`),
    );
    fc.assert(
      fc.property(brokenMessage, source => {
        for (const reading of read(source)) {
          const [fault] = reading.faults;
          if (!fault || !BRACKET_RULES.has(fault.code)) continue;
          const message = source.slice(reading.start, reading.end);
          const mended = applyEdits(message, fault.fixes?.[0]?.edits ?? []);
          const [whole, ...others] = read(mended);
          assert.deepEqual([whole?.faults, others], [[], []], mended);
          assert.deepEqual(whole && textsOf(whole, textOf), textsOf(reading, textOf));
          const plain = (text: string): string => text.replace(/\\+|u005[dD]|\]/g, '');
          assert.equal(plain(mended), plain(message));
        }
      }),
      RUNS,
    );
  });
});
