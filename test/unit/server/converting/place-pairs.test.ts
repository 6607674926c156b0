import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { intValue, type Value } from '../../../../core/values/value.ts';
import type { Span } from '../../../../core/text/span.ts';
import { PlacePairs } from '../../../../server/src/converting/place-pairs.ts';
import { runs } from '../../../support/size.ts';

/** Spans that lie in each other or apart: each tree is cut out of its parent from left to right. */
interface Tree {
  readonly gap: number;
  readonly tail: number;
  readonly children: readonly Tree[];
}

const tree: fc.Memo<Tree> = fc.memo(depth =>
  fc.record({
    gap: fc.nat(2),
    tail: fc.nat(2),
    children: depth > 1 ? fc.array(tree(), { maxLength: 3 }) : fc.constant([]),
  }),
);

function place({ gap, tail, children }: Tree, from: number, spans: Span[]): number {
  const start = from + gap;
  let end = start;
  for (const child of children) end = place(child, end, spans);
  end += tail + 1;
  spans.push({ start, end });
  return end;
}

describe('places on both sides of a conversion', () => {
  it('are those of the innermost value that both know', () => {
    const values: readonly Value[] = [intValue(0), intValue(1), intValue(2), intValue(3)];
    const [whole, list, item, onlyHere] = values;
    assert.ok(whole && list && item && onlyHere);
    const source = new Map([
      [item, { start: 5, end: 6 }],
      [onlyHere, { start: 5, end: 6 }],
      [list, { start: 4, end: 9 }],
      [whole, { start: 4, end: 20 }],
    ]);
    const result = new Map([
      [whole, { start: 0, end: 10 }],
      [list, { start: 1, end: 6 }],
      [item, { start: 30, end: 31 }],
    ]);
    const pairs = new PlacePairs(source, result);
    const find = (start: number, end = start): Span | undefined => pairs.find('source', { start, end });
    assert.deepEqual(find(5), { start: 30, end: 31 });
    assert.deepEqual(find(6), { start: 30, end: 31 });
    assert.deepEqual(find(5, 7), { start: 1, end: 6 });
    assert.deepEqual(find(7), { start: 1, end: 6 });
    assert.deepEqual(find(4, 10), { start: 0, end: 10 });
    assert.equal(find(3, 5), undefined);
    assert.equal(find(21), undefined);
    assert.deepEqual(pairs.find('result', { start: 30, end: 30 }), { start: 5, end: 6 });
    assert.deepEqual(pairs.find('result', { start: 0, end: 1 }), { start: 4, end: 20 });
    assert.equal(new PlacePairs(source, new Map()).find('source', { start: 5, end: 5 }), undefined);
  });

  it('are found as by looking at all of them, in any order', () => {
    fc.assert(
      fc.property(
        fc.array(tree(4), { maxLength: 3 }),
        fc.nat(60),
        fc.nat(6),
        fc.nat(1_000),
        (trees, at, length, seed) => {
          const spans: Span[] = [];
          let end = 0;
          for (const one of trees) end = place(one, end, spans);
          const values = spans.map((_span, index) => intValue(index));
          const order = [...values.keys()].sort(
            (a, b) => ((a * 7919 + seed) % 101) - ((b * 7919 + seed) % 101),
          );
          const source = new Map<Value, Span>();
          const result = new Map<Value, Span>();
          for (const index of order) {
            const [value, span] = [values[index], spans[index]];
            assert.ok(value && span);
            source.set(value, span);
            result.set(value, { start: index * 10, end: index * 10 + 1 });
          }
          const wanted = { start: at, end: at + length };
          const holding = spans.filter(span => span.start <= wanted.start && wanted.end <= span.end);
          // Of two that touch a cursor, the one that begins there; of two with one start, the shorter one.
          const best = holding.toSorted((a, b) => b.start - a.start || a.end - b.end)[0];
          const found = new PlacePairs(source, result).find('source', wanted);
          assert.deepEqual(found && spans[found.start / 10], best);
        },
      ),
      { numRuns: runs(500) },
    );
  });
});
