import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { tensors } from '../../../language/aicl/features/tensors.ts';
import { topValues, childValues, type AiclNode } from '../../../language/aicl/ast.ts';
import type { AiclDocument } from '../../../language/aicl/document.ts';
import { parseAicl, readUnit } from '../../../language/aicl/parse.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import type { Span } from '../../../core/text/span.ts';
import { openText } from '../../support/shown-text.ts';
import { runs, sized } from '../../support/size.ts';

/** The paths of the tensors of a text. */
function pathsOf(text: string): readonly string[] {
  return [...openText('aicl', text).tensors()].map(tensor => tensor.path);
}

describe('AICL tensors', () => {
  it('are found with their parts, their message and its title', () => {
    const text =
      '# a note\n[d:[s:msg_type]:[s:result],[s:data]:[t:float32:2:\n00000\n00000]]\n[t:int8::...]\n';
    const doc = openText('aicl', text);
    const found = [...doc.tensors()].map(({ span, dtype, shape, payload, path, message, title }) => [
      ...[span, dtype, shape, payload].map(({ start, end }) => text.slice(start, end)),
      path,
      message,
      title,
    ]);
    assert.deepEqual(found, [
      ['[t:float32:2:\n00000\n00000]', 'float32', '2', '\n00000\n00000', 'data', 1, 'result'],
      ['[t:int8::...]', 'int8', '', '...', '', 2, 'fragment'],
    ]);
  });

  it('have no type and no shape where they have fewer than three parts', () => {
    const text = '[s:a]:[t:],[s:b]:[t:int8:4]';
    const found = [...openText('aicl', text).tensors()].map(({ span, dtype, shape, payload }) =>
      [span, dtype, shape, payload].map(({ start, end }) => text.slice(start, end)),
    );
    assert.deepEqual(found, [
      ['[t:]', '', '', ''],
      ['[t:int8:4]', '', '', 'int8:4'],
    ]);
  });

  const T = '[t:int8:1:00]';
  it('say whether their message is signed', () => {
    const text = `[d:[s:data]:${T},[s:signature]:[s:x]][d:[s:data]:[d:[s:signature]:${T}]]`;
    assert.deepEqual(
      [...openText('aicl', text).tensors()].map(({ isSigned }) => isSigned),
      [true, false],
    );
  });

  const paths: readonly (readonly [string, string, readonly string[]])[] = [
    ['a field', `[d:[s:data]:${T}]`, ['data']],
    ['a field of a field', `[d:[s:constraints]:[d:[s:video]:${T}]]`, ['constraints.video']],
    ['items of a list', `[d:[s:data]:[l:${T},[i:1],[l:${T}]]]`, ['data[0]', 'data[2][0]']],
    ['items of a fragment', `[l:[i:1],${T},[d:[s:a]:${T}]]`, ['[1]', '[2].a']],
    ['a run of pairs', `[s:a]:${T},[s:b]:[i:1],[s:c]:${T}`, ['a', 'c']],
    ['a bare value', T, ['']],
    [
      'keys that read as a path',
      `[d:[s:a.b]:${T},[s:a]:[d:[s:0]:${T},[s:[0\\u005D]:${T},[s:]:${T},[s:say "x"]:${T},[s:x y]:${T}]]`,
      ['["a.b"]', 'a.0', 'a["[0]"]', 'a[""]', 'a["say \\"x\\""]', 'a.x y'],
    ],
    ['a key of many characters', `[s:${'k'.repeat(300)}]:${T}`, [`${'k'.repeat(200)}…`]],
    ['messages side by side', `${T}${T}[d:[s:a]:${T}]`, ['', '', 'a']],
    ['a message that is not finished', '[d:[s:a]:[t:int8:1:0', ['a']],
    ['what names no type and no shape', '[l:[t:0],[t:],[t:x:]]', ['[0]', '[1]', '[2]']],
    ['what only looks like one', `[l:[s:[t:int8:1:00],[i:1]]\n# ${T}\nwords ${T.slice(1)}`, []],
    ['nothing', '', []],
  ];
  for (const [name, text, expected] of paths)
    it(`name ${name}`, () => assert.deepEqual(pathsOf(text), expected));

  it('are those that touch a span', () => {
    const text = `[l:${T},${T}]\n[d:[s:a]:${T}]`;
    const doc = openText('aicl', text);
    const first = text.indexOf(T);
    const second = text.indexOf(T, first + 1);
    const within = (start: number, end = start): readonly string[] =>
      [...doc.tensors({ start, end })].map(({ path, message }) => `${message} ${path}`);
    assert.deepEqual(within(first - 1), []);
    assert.deepEqual(within(first), ['1 [0]']);
    assert.deepEqual(within(first + T.length), ['1 [0]']);
    assert.deepEqual(within(first + T.length, second), ['1 [0]', '1 [1]']);
    assert.deepEqual(within(text.length - 3), ['2 a']);
    assert.deepEqual(within(text.length), []);
    assert.deepEqual(within(0, text.length), ['1 [0]', '1 [1]', '2 a']);
  });

  it('are found over the seams of the text', () => {
    const before = 16_384 * 2 + 100;
    for (const shift of [0, 1, 2, 3]) {
      const text = `[l:[s:${'x'.repeat(16_384 - 8 + shift)}],${T},[s:${'x'.repeat(before)}]]`;
      assert.deepEqual(pathsOf(text), ['[1]']);
    }
  });

  it('are asked for one by one', () => {
    const doc = parseAicl(`[l:${T}]\n`.repeat(1_000), DEFAULT_SETTINGS, () => []);
    const before = doc.work.count;
    for (const { message } of tensors(doc, { start: 0, end: doc.text.length })) if (message === 3) break;
    assert.ok(doc.work.count - before < 200);
  });
});

describe('AICL tensors of a long message', () => {
  const ITEM = '[d:[s:id]:[i:123],[s:name]:[s:agent of the team],[s:ok]:[b:true]],\n';
  const TENSOR = '[d:[s:w]:[t:int8:2:Abc]],\n';

  function openLong(items: number): AiclDocument {
    const half = ITEM.repeat(items / 2);
    return parseAicl(`[d:[s:data]:[l:\n${half}${TENSOR}${half}]]`, DEFAULT_SETTINGS, () => []);
  }

  /** What a search reads, beside the work of opening the file. */
  function workOf(doc: AiclDocument, within: Span): readonly [number, readonly string[]] {
    const before = doc.work.count;
    const paths = [...tensors(doc, within)].map(({ path }) => path);
    return [doc.work.count - before, paths];
  }

  it('are found without a reading of what lies between them', () => {
    const [small, large] = [sized(10_000, 1_000), sized(40_000, 4_000)].map(items => {
      const doc = openLong(items);
      const [work, paths] = workOf(doc, { start: 0, end: doc.text.length });
      assert.deepEqual(paths, [`data[${items / 2}].w`]);
      return work;
    });
    assert.ok(small && large && large < small * 1.5, `${small} ${large}`);
    assert.ok(large < (ITEM.length * sized(40_000, 4_000)) / 10);
  });

  it('are found in a span, or not, with the work that the span asks for', () => {
    const items = sized(40_000, 8_000);
    const doc = openLong(items);
    const { length } = doc.text;
    const [none, nothing] = workOf(doc, { start: length - 4_000, end: length - 2_000 });
    assert.deepEqual(nothing, []);
    const middle = '[d:[s:data]:[l:\n'.length + (ITEM.length * items) / 2;
    const [some, paths] = workOf(doc, { start: middle, end: middle + 20 });
    assert.deepEqual(paths, [`data[${items / 2}].w`]);
    assert.ok(none < length / 20 && some < length / 20, `${none} ${some} ${length}`);
  });
});

describe('AICL tensors and the tree', () => {
  /** Where the tensors of a document stand, found by a walk through all of its values. */
  function walk(doc: AiclDocument): readonly (readonly [number, number])[] {
    const found: (readonly [number, number])[] = [];
    const visit = (node: AiclNode, start: number): void => {
      if (node.kind === 'tensor') found.push([start + node.start, start + node.end]);
      for (const child of childValues(node)) visit(child, start);
    };
    for (const unit of doc.units) {
      if (unit.kind !== 'message' && unit.kind !== 'fragment') continue;
      for (const node of topValues(readUnit(doc, unit).tree)) visit(node, unit.start);
    }
    return found;
  }

  const PIECES = [
    '[t:int8:1:00]',
    '[t:int8:2:',
    '[l:',
    '[d:',
    '[s:k]:',
    '[s:[t:int8:1:0]',
    ']',
    ',',
    '\n',
    'x',
  ];
  const anyText = fc
    .array(fc.constantFrom(...PIECES, '[i:1],'.repeat(300)), { maxLength: 60 })
    .map(parts => parts.join(''));

  it('agree on any text, in short messages and in long ones', () => {
    fc.assert(
      fc.property(anyText, fc.nat(), fc.nat(), (text, one, other) => {
        for (const limits of [
          { longUnit: 1_000_000, run: 1_000 },
          { longUnit: 40, run: 20 },
        ]) {
          const doc = parseAicl(text, DEFAULT_SETTINGS, () => [], limits);
          const headed = walk(doc).filter(([start, end]) => text.slice(start + 3, end).split(':').length > 2);
          const all = [...tensors(doc, { start: 0, end: text.length })].map(({ span }) => [
            span.start,
            span.end,
          ]);
          assert.deepEqual(all, headed);
          const [start = 0, end = 0] = [one, other].map(at => at % (text.length + 1)).sort((a, b) => a - b);
          assert.deepEqual(
            [...tensors(doc, { start, end })].map(({ span }) => [span.start, span.end]),
            headed.filter(span => span[0] <= end && span[1] >= start),
          );
        }
      }),
      { numRuns: runs(500) },
    );
  });
});
