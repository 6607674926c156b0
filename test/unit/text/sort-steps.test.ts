import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { runAtOnce } from '../../../core/text/slices.ts';
import { sortSteps } from '../../../trace/graph/sort-steps.ts';
import { runs, sized } from '../../support/size.ts';

describe('a sort in steps', () => {
  it('puts items as the engine does, those that are the same as they came', () => {
    const some = fc.array(fc.nat(50), { minLength: 0, maxLength: 9_000, size: 'max' });
    fc.assert(
      fc.property(some, keys => {
        const items = keys.map((key, at) => ({ key, at }));
        const compare = (one: { key: number }, other: { key: number }): number => one.key - other.key;
        const before = [...items];
        assert.deepEqual(runAtOnce(sortSteps(items, compare)), items.toSorted(compare));
        assert.deepEqual(items, before);
      }),
      { numRuns: runs(50) },
    );
  });

  it('compares few items in a step, however many there are and however they stand', () => {
    const count = sized(200_000, 15_000);
    const orders: readonly (readonly [name: string, key: (at: number) => number])[] = [
      ['in order', at => at],
      ['from the end', at => -at],
      ['shuffled', at => (at * 7919) % count],
    ];
    for (const [name, key] of orders) {
      let compared = 0;
      let most = 0;
      const steps = sortSteps(
        Array.from({ length: count }, (_, at) => key(at)),
        (one, other) => {
          compared++;
          return one - other;
        },
      );
      for (let step = steps.next(); step.done !== true; step = steps.next()) {
        most = Math.max(most, compared);
        compared = 0;
      }
      assert.ok(most < 40_000, `${name}: ${most}`);
    }
  });
});
