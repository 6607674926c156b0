import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { findJsonCursor } from '../../../language/json/json-cursor.ts';
import { findJsonSpot } from '../../../language/json/json-spot.ts';
import { closeOpen, readJson } from '../../../language/json/json-tree.ts';
import { parseJson } from '../../../core/text/json.ts';
import { readOffset } from '../../support/cursor.ts';
import { readMarks } from '../../support/marks.ts';
import { runs, sized } from '../../support/size.ts';

const RUNS = { numRuns: runs(5_000) };

/** Pieces of JSON in any order, and JSON with pieces put in or taken out. */
const nearJson = fc.oneof(
  fc
    .array(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ':',
        ',',
        '"',
        '\\',
        'a',
        '1',
        '-',
        '.',
        'e',
        ' ',
        '\n',
        '\u0001',
        'true',
      ),
      { maxLength: 12 },
    )
    .map(pieces => pieces.join('')),
  fc
    .tuple(fc.json(), fc.nat(40), fc.nat(2), fc.constantFrom('', ',', ']', '}', '"', '\\u', 'x', '0'))
    .map(([json, at, count, put]) => json.slice(0, at) + put + json.slice(at + count)),
  fc.string(),
);

describe('JSON with its places', () => {
  it('has no fault if and only if the text is JSON', () => {
    let whole = 0;
    fc.assert(
      fc.property(nearJson, text => {
        const isJson = parseJson(text) !== undefined;
        if (isJson) whole++;
        assert.equal(readJson(text).fault === undefined, isJson);
      }),
      RUNS,
    );
    assert.ok(whole >= sized(100, 0), `${whole} of them are JSON`);
  });

  it('has a fault in the text, and values that lie in what holds them', () => {
    fc.assert(
      fc.property(nearJson, fc.nat(50), (text, at) => {
        const tree = readJson(text);
        const { span } = tree.fault ?? { span: { start: 0, end: 0 } };
        assert.ok(0 <= span.start && span.start <= span.end && span.end <= text.length);
        const around = findJsonSpot(tree, text, at)?.around ?? [];
        for (const [index, inner] of around.entries()) {
          const outer = around[index - 1] ?? { start: 0, end: text.length };
          assert.ok(outer.start <= inner.start && inner.end <= outer.end, JSON.stringify(around));
        }
        const cursor = findJsonCursor(text, Math.min(at, text.length));
        assert.ok(cursor.span.start <= at && cursor.span.end <= text.length);
      }),
      RUNS,
    );
  });

  const faults: readonly (readonly [string, string])[] = [
    ['{"a":«}»', 'missing value'],
    ['[1«,»]', 'trailing comma'],
    ['[1,«,»2]', 'missing value'],
    ['{"a" «1»}', 'missing colon'],
    ['{"a":1 «"b"»:2}', 'missing comma'],
    ['{«a»:1}', 'missing key'],
    ['{"a":«:»1}', 'stray colon'],
    ['{"a":1«]»', 'stray bracket'],
    ['{"a":[1«}»', 'open bracket'],
    ['{"a":[«1»', 'open bracket'],
    ['{"a":«"x}»', 'open string'],
    ['["a«\n»b"]', 'control character'],
    ['["a«\\q»"]', 'wrong escape'],
    ['["a«\\u»12"]', 'wrong escape'],
    ['[«01»]', 'wrong number'],
    ['[«True»]', 'wrong word'],
    ['{}« 1»'.replace('« ', ' «'), 'rest'],
    ['«»', 'missing value'],
  ];
  for (const [marked, kind] of faults) {
    it(`${marked}: ${kind}`, () => {
      const { text, spans } = readMarks(marked);
      const { fault } = readJson(text);
      assert.deepEqual([fault?.kind, fault?.span], [kind, spans[0]]);
    });
  }

  it('is closed by what is open', () => {
    const closed = ['[1', '{"a":[{"b":"c', '[[],[[', '{"a":1}', ''].map(text => closeOpen(readJson(text)));
    assert.deepEqual(closed, [']', '"}]}', ']]]', '', '']);
  });

  it('is read however deep it nests', () => {
    const depth = 30_000;
    const tree = readJson('[{"a":'.repeat(depth));
    assert.equal(closeOpen(tree).length + tree.openTooDeep - 1, depth * 2);
    assert.equal(readJson(`${'['.repeat(depth)}${']'.repeat(depth)}`).fault, undefined);
    assert.equal(readJson(`${'['.repeat(depth)}${'}'.repeat(depth)}`).fault?.kind, 'stray bracket');
  });

  const paths: readonly (readonly [string, string])[] = [
    ['{"a":{"b c":[1,$02]}}', '$.a["b c"][1]'],
    ['{"a":{"$0b":1}}', '$.a.b'],
    ['{"a"$0:1}', '$.a'],
    ['[$0]', '$'],
    ['[[1],[2$0]]', '$[1][0]'],
    ['{"é":[{"x":"$0', '$.é[0].x'],
  ];
  for (const [marked, path] of paths) {
    it(`${marked} is at ${path}`, () => {
      const { text, offset } = readOffset(marked);
      assert.equal(findJsonSpot(readJson(text), text, offset)?.path, path);
    });
  }
});
