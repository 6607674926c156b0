import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { findCriticalPath } from '../../../trace/graph/critical-path.ts';
import { sized } from '../../support/size.ts';

interface Timed {
  readonly name: string;
  readonly at: number;
  readonly until: number;
  readonly children: readonly Timed[];
}

function timed(name: string, at: number, until: number, ...children: readonly Timed[]): Timed {
  return { name, at, until, children };
}

const TIMES = {
  at: (call: Timed) => call.at,
  until: (call: Timed) => call.until,
  children: (call: Timed) => call.children,
};

/** The path in one line: `a 0-10, b 10-20`. */
function pathOf(...roots: readonly Timed[]): string {
  return findCriticalPath(roots, TIMES)
    .map(({ call, from, to }) => `${call.name} ${from}-${to}`)
    .join(', ');
}

describe('findCriticalPath', () => {
  const shapes: readonly (readonly [name: string, roots: readonly Timed[], path: string])[] = [
    ['of nothing is nothing', [], ''],
    ['of one call is that call', [timed('a', 0, 10)], 'a 0-10'],
    ['goes through the call below', [timed('a', 0, 10, timed('b', 2, 8))], 'a 0-2, b 2-8, a 8-10'],
    [
      'goes through one call after the other',
      [timed('a', 0, 20, timed('b', 2, 8), timed('c', 10, 15))],
      'a 0-2, b 2-8, a 8-10, c 10-15, a 15-20',
    ],
    [
      'goes through the one of two side by side that ends last',
      [timed('a', 0, 20, timed('b', 2, 8), timed('c', 1, 15))],
      'a 0-1, c 1-15, a 15-20',
    ],
    [
      'leaves out what was under way when the next one began',
      [timed('a', 0, 20, timed('b', 2, 12), timed('c', 10, 18), timed('d', 3, 9))],
      'a 0-3, d 3-9, a 9-10, c 10-18, a 18-20',
    ],
    [
      'counts what runs on after the call above only up to the end of that',
      [timed('a', 0, 10, timed('b', 4, 30, timed('c', 6, 25)))],
      'a 0-4, b 4-6, c 6-10',
    ],
    ['cuts what began before the call above', [timed('a', 5, 10, timed('b', 2, 8))], 'b 5-8, a 8-10'],
    ['leaves out what takes no time', [timed('a', 0, 10, timed('b', 4, 4))], 'a 0-10'],
    ['has gaps where nothing ran', [timed('a', 0, 5), timed('b', 8, 10)], 'a 0-5, b 8-10'],
    [
      'goes through views of the same call',
      [timed('a', 0, 10, timed('seen', 1, 9, timed('b', 2, 8)))],
      'a 0-1, seen 1-2, b 2-8, seen 8-9, a 9-10',
    ],
  ];
  for (const [name, roots, path] of shapes) it(name, () => assert.equal(pathOf(...roots), path));

  it('covers the time of one root from its beginning to its end, each moment once', () => {
    const { tree } = fc.letrec<{ tree: Timed }>(tie => ({
      tree: fc
        .record({
          at: fc.integer({ min: -5, max: 30 }),
          length: fc.nat(30),
          children: fc.oneof({ maxDepth: 4 }, fc.constant([]), fc.array(tie('tree'), { maxLength: 3 })),
        })
        .map(({ at, length, children }) => timed('x', at, at + length, ...children)),
    }));
    fc.assert(
      fc.property(tree, root => {
        const path = findCriticalPath([root], TIMES);
        let time = root.at;
        for (const { from, to } of path) {
          assert.ok(from === time && to > from);
          time = to;
        }
        assert.equal(time, root.until);
      }),
    );
  });

  it('looks at each call once, however deep and however many', () => {
    const count = sized(100_000, 10_000);
    let chain = timed('end', 0, 10);
    for (let depth = 0; depth < count; depth++) chain = timed('x', 0, 10, chain);
    const wide = timed('x', 0, 1e6, ...Array.from({ length: count }, (_, at) => timed('y', at, at + 2)));
    for (const root of [chain, wide]) {
      let looks = 0;
      const counting = { ...TIMES, children: (call: Timed) => (looks++, call.children) };
      findCriticalPath([root], counting);
      assert.ok(looks <= count + 1, String(looks));
    }
  });
});
