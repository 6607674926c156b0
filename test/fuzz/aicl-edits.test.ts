import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { topValues, type AiclNode } from '../../language/aicl/ast.ts';
import type { AiclDocument, ReadLimits, UnitReading } from '../../language/aicl/document.ts';
import { editAicl, parseAicl, readUnit } from '../../language/aicl/parse.ts';
import { DEFAULT_SETTINGS } from '../../core/catalog/settings.ts';
import { applyEdits } from '../../core/text/edit.ts';
import { SourceText } from '../../core/text/source-text.ts';
import { checkAiclUnit } from '../../language/rules/aicl/unit.ts';
import { anySource, validValue } from '../support/aicl-arbitrary.ts';
import { placeEdit } from '../support/fuzz-edit.ts';
import { fuzzLoop } from '../support/fuzz-loop.ts';
import { KNOWN_FAILURES } from './aicl-known-failures.ts';
import { runs, sized } from '../support/size.ts';

/** Files of which each is edited EDITS times; more by FUZZ_RUNS. A failure prints its seed and path. */
const RUNS = { numRuns: runs(1000) };
const EDITS = 12;
const TIMEOUT = 60_000 * Math.max(1, RUNS.numRuns / 500);

const MESSAGE =
  '[d:[s:protocol]:[s:LightAICL],\n  [s:session_id]:[s:s1],\n  [s:msg_type]:[s:result],[s:data]:[i:1]\n]\n';
const PIECES = [
  '[',
  ']',
  ':',
  ',',
  '[s:',
  '[d:',
  '[d:\n',
  '[i:1]',
  '\\',
  '#',
  '# x\n',
  '\n',
  '\r',
  '\r\n',
  ' ',
  '\t',
  '\ufeff',
  'a',
  '\ud83d',
  '\udfd4',
  '，',
  '：',
  '［',
  '[t:uint8:1:00]',
  MESSAGE,
  '\\]',
  '[s:see [1] there]',
  '[s:a\\] b]',
  '[s:a] b]',
  '',
];

/** A file of several units, sound and broken ones. */
const file = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constant(MESSAGE) },
      fc
        .constantFrom('see [1] there', 'a\\] b', 'a] b', 'a[0]')
        .map(text => MESSAGE.replace('[i:1]', `[l:[s:${text}],[i:1]]`)),
      validValue,
      anySource,
      fc.constant('# @agent x\n'),
    ),
    { maxLength: 8 },
  )
  .map(parts => parts.join('\n'));

/** Where an edit lies, as shares of the text, what goes out and what comes in. */
const edits = fc.array(
  fc.record({
    at: fc.nat(),
    remove: fc.oneof(fc.constant(0), fc.nat(3), fc.nat(60)),
    insert: fc.constantFrom(...PIECES),
  }),
  { minLength: 1, maxLength: EDITS },
);

/** Lengths at which short texts are read as long ones are. */
const SHORT_LIMITS: readonly ReadLimits[] = [
  { longUnit: 0, run: 1 },
  { longUnit: 20, run: 30 },
  { longUnit: 0, run: 1000 },
];

/** What a unit is, whatever is cached of it; and its tree, with all nodes made. */
function describeUnits(doc: AiclDocument): readonly unknown[] {
  return Array.from(doc.units, unit => {
    const tree = listNodes(readUnit(doc, unit));
    return { ...unit, parts: undefined, readLength: undefined, tree };
  });
}

function assertSame(doc: AiclDocument, fresh: AiclDocument): void {
  assert.deepEqual(describeUnits(doc), describeUnits(fresh), JSON.stringify(String(doc.text)));
  assert.equal(doc.broken, fresh.broken);
}

function listNodes({ tree }: UnitReading): readonly unknown[] {
  const visit = (node: AiclNode): unknown => ({
    ...node,
    origin: undefined,
    ...(node.kind === 'list' && { items: Array.from(node.items, visit) }),
    ...(node.kind === 'dict' && {
      pairs: Array.from(node.pairs, pair => ({ ...pair, value: pair.value && visit(pair.value) })),
    }),
  });
  return Array.from(topValues(tree), visit);
}

describe('AICL, edited', () => {
  it('the document after any edits is the one that reading its text anew gives', () => {
    fc.assert(
      fc.property(file, edits, (source, changes) => {
        let doc = parseAicl(source, DEFAULT_SETTINGS, checkAiclUnit);
        for (const change of changes) {
          const edit = placeEdit(String(doc.text), change);
          const text = applyEdits(String(doc.text), [edit]);
          doc = editAicl(doc, edit, checkAiclUnit);
          const fresh = parseAicl(text, DEFAULT_SETTINGS, checkAiclUnit);
          assert.equal(String(doc.text), text);
          assert.deepEqual([...doc.units], [...fresh.units], JSON.stringify({ text, edit }));
          assert.equal(doc.broken, fresh.broken);
        }
      }),
      { ...fuzzLoop(), examples: KNOWN_FAILURES.map(({ text, changes }) => [text, changes]) },
    );
  }).timeout(TIMEOUT);

  it('a file of units that are read from their lexemes is the one that reading them as a whole gives', () => {
    fc.assert(
      fc.property(file, edits, fc.constantFrom(...SHORT_LIMITS), (source, changes, limits) => {
        let doc = parseAicl(source, DEFAULT_SETTINGS, checkAiclUnit, limits);
        assertSame(doc, parseAicl(source, DEFAULT_SETTINGS, checkAiclUnit));
        for (const change of changes) {
          const edit = placeEdit(String(doc.text), change);
          doc = editAicl(doc, edit, checkAiclUnit);
          assertSame(doc, parseAicl(String(doc.text), DEFAULT_SETTINGS, checkAiclUnit));
        }
      }),
      { ...fuzzLoop(), examples: KNOWN_FAILURES.map(({ text, changes, limits }) => [text, changes, limits]) },
    );
  }).timeout(TIMEOUT);

  it('the lines after any edits are the ones of the new text', () => {
    fc.assert(
      fc.property(file, edits, (source, changes) => {
        let text = source;
        let lines = SourceText.of(source);
        for (const change of changes) {
          const edit = placeEdit(text, change);
          text = applyEdits(text, [edit]);
          lines = lines.edit(edit);
          assert.equal(String(lines), text);
          const fresh = SourceText.of(text);
          const starts = (index: typeof lines): number[] =>
            Array.from({ length: index.lineCount }, (_, line) => index.lineStart(line));
          assert.deepEqual(starts(lines), starts(fresh));
          const offset = change.at % (text.length + 1);
          const position = lines.toPosition(offset);
          const isInsideCrlf = text[offset - 1] === '\r' && text[offset] === '\n';
          if (!isInsideCrlf) assert.equal(lines.toOffset(position), offset);
        }
      }),
      RUNS,
    );
  });

  it('the work of an edit does not grow with the file', () => {
    const work = (messages: number): number => {
      const doc = parseAicl(MESSAGE.repeat(messages), DEFAULT_SETTINGS, checkAiclUnit);
      const at = Math.floor(messages / 2) * MESSAGE.length + 30;
      return ['x', '[', ']', '\n'].reduce(
        (sum, newText) =>
          sum + editAicl(doc, { span: { start: at, end: at }, newText }, checkAiclUnit).work.count,
        0,
      );
    };
    assert.equal(work(sized(20_000)), work(sized(200, 40)));
  });

  it('the work of an edit inside a long message does not grow with the message', () => {
    const work = (values: number): number => {
      const items = Array.from(
        { length: values },
        (_, id) => `  [d:[s:id]:[i:${id + 100_000}],[s:name]:[s:agent]]`,
      );
      const text = `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],[s:msg_type]:[s:result],[s:data]:[l:\n${items.join(',\n')}\n]]`;
      const doc = parseAicl(text, DEFAULT_SETTINGS, checkAiclUnit);
      const at = text.indexOf('agent', text.length / 2);
      return ['x', '[', ']', '\n', '[i:'].reduce(
        (sum, newText) =>
          sum + editAicl(doc, { span: { start: at, end: at }, newText }, checkAiclUnit).work.count,
        0,
      );
    };
    const [short, long] = [work(sized(8_000, 1_000)), work(sized(80_000, 4_000))];
    // Where the runs of values begin differs, and with it how much of one is read again.
    assert.ok(long <= short + 5 * 2 * 16_384, `${short}, then ${long}`);
  });
});
