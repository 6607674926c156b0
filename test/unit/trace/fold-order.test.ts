import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { CallEvent, TraceEvent, TraceName } from '../../../core/events/events.ts';
import { TraceFold } from '../../../trace/fold/fold.ts';
import type { CallNode } from '../../../trace/fold/tree.ts';
import { picture, pictureOne } from './support/picture.ts';
import { foldTrace } from '../../support/at-once.ts';
import { runs, sized } from '../../support/size.ts';

const IDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', '__proto__'] as const;
/** Of spans that came to a receiver, with ids of calls that may be there as well. */
const REPORTED_IDS = ['reported:a', 'reported:b', 'reported:h'] as const;
const TRACES = ['t', 'u', 'v'] as const;
const MINUTE = 60_000;

const optional = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { nil: undefined, freq: 2 });

/** Members that may be undefined are optional instead. */
type Sparse<Value> = {
  [Key in keyof Value as undefined extends Value[Key] ? never : Key]: Value[Key];
} & { [Key in keyof Value as undefined extends Value[Key] ? Key : never]?: Exclude<Value[Key], undefined> };

/** Only members that are there, as events have them. */
function sparse<Value extends object>(value: Value): Sparse<Value> {
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== undefined),
  ) as Sparse<Value>;
}

const times = fc.oneof(
  fc.integer({ min: 0, max: 12 }),
  fc.integer({ min: 0, max: 3 }).map(count => count * 11 * MINUTE),
);

const names: fc.Arbitrary<TraceName> = fc
  .record({
    scheme: fc.constantFrom('w3c', 'aio', 'openstarry'),
    trace: fc.constantFrom(...TRACES),
    id: optional(fc.constantFrom('1', '2', ...IDS)),
    parent: optional(fc.constantFrom('1', '2', ...IDS)),
    depth: optional(fc.integer({ min: 0, max: 3 })),
  })
  .map(sparse);

const call = fc
  .record({
    type: fc.constant('call' as const),
    at: times,
    trace: fc.constantFrom(...TRACES),
    agent: fc.constantFrom('A', 'B', 'C'),
    protocol: fc.constant('mcp' as const),
    title: fc.constant('x'),
    parent: fc.option(fc.constantFrom(...IDS), { nil: undefined, freq: 4 }),
    from: fc.option(fc.constantFrom('A', 'B'), { nil: undefined, freq: 5 }),
    names: optional(fc.array(names, { maxLength: 2 })),
    seen: fc.constantFrom(undefined, 'between' as const, 'between' as const, 'callee' as const),
    reported: fc.constantFrom(undefined, undefined, undefined, true as const),
    back: fc.constantFrom(undefined, undefined, undefined, true as const),
  })
  .map(sparse);

const detail = fc.oneof(
  fc.record({ type: fc.constant('note' as const), at: times, text: fc.constantFrom('x', 'y') }),
  fc.record({
    type: fc.constant('end' as const),
    at: times,
    status: fc.constantFrom('ok' as const, 'error' as const),
  }),
  fc.record({
    type: fc.constant('end' as const),
    at: times,
    status: fc.constantFrom('ok' as const, 'error' as const),
  }),
  fc
    .record({
      type: fc.constant('identity' as const),
      at: times,
      agent: optional(fc.constantFrom('A', 'B', 'C')),
      from: optional(fc.constantFrom('A', 'B')),
      names: optional(fc.array(names, { maxLength: 2 })),
    })
    .map(sparse),
  fc.record({
    type: fc.constant('wire' as const),
    at: times,
    direction: fc.constantFrom('out' as const, 'in' as const),
    bytes: fc.record({ text: fc.constantFrom('x', 'yz') }),
  }),
);

/** The events of some calls: each call, then its details, counted. */
const traces: fc.Arbitrary<readonly TraceEvent[]> = fc
  .uniqueArray(
    fc.tuple(
      fc.oneof(
        { arbitrary: fc.tuple(fc.constantFrom(...IDS), call), weight: 3 },
        fc.tuple(
          fc.constantFrom(...REPORTED_IDS),
          call.map(each => ({ ...each, reported: true as const })),
        ),
      ),
      fc.array(detail, { maxLength: 4 }),
    ),
    { selector: ([[id]]) => id, maxLength: IDS.length + REPORTED_IDS.length },
  )
  .map(calls =>
    calls.flatMap(([[id, begun], details]): readonly TraceEvent[] => [
      { ...begun, call: id },
      ...details.map((each, index): TraceEvent => ({ ...each, call: id, seq: index + 1 })),
    ]),
  );

/** A call and one below it, which need no second look; few random traces are so, and a small run may have none. */
const SETTLED: readonly TraceEvent[] = ['a', 'b'].flatMap((id, at): readonly TraceEvent[] => [
  {
    type: 'call',
    call: id,
    at,
    trace: 't',
    agent: 'A',
    protocol: 'mcp',
    title: 'x',
    ...(id === 'b' && { parent: 'a' }),
  },
  { type: 'end', call: id, at: at + 2, status: 'ok', seq: 1 },
]);

const shuffled = (events: readonly TraceEvent[]): fc.Arbitrary<readonly TraceEvent[]> =>
  fc.shuffledSubarray([...events, ...events], { minLength: events.length * 2 });

/** As they come where clocks are right: all of them by their times, of one call by their numbers. */
function inOrder(events: readonly TraceEvent[]): readonly TraceEvent[] {
  return events
    .map((event, index) => ({ event, index }))
    .toSorted(
      (a, b) => a.event.at - b.event.at || (a.event.call < b.event.call ? -1 : 1) || a.index - b.index,
    )
    .map(({ event }) => event);
}

describe('the trees of events', () => {
  const pairs = traces.chain(events => fc.tuple(fc.constant(events), shuffled(events)));
  const RUNS = { numRuns: runs(1_500) };

  it('are the same in any order, and where events come twice', () => {
    fc.assert(
      fc.property(pairs, ([events, mixed]) => {
        assert.deepEqual(picture(foldTrace(mixed)), picture(foldTrace(events)));
      }),
      RUNS,
    );
  });

  it('are the same however often they are asked for on the way', () => {
    fc.assert(
      fc.property(pairs, ([events, mixed]) => {
        const fold = new TraceFold();
        for (const event of mixed) {
          fold.add(event);
          fold.trees();
        }
        assert.deepEqual(picture(fold.trees()), picture(foldTrace(events)));
      }),
      RUNS,
    );
  });

  it('need no second look where the events of each call come after it, in the order of their times', () => {
    let settled = 0;
    fc.assert(
      fc.property(traces, events => {
        const fold = new TraceFold();
        const calls = new Map(
          events.flatMap(event => (event.type === 'call' ? [[event.call, event.at]] : [])),
        );
        const late = events.map(event => ({ ...event, at: Math.max(event.at, calls.get(event.call) ?? 0) }));
        for (const event of inOrder(late)) fold.add(event);
        const before = fold.work;
        const trees = picture(fold.trees());
        if (fold.work === before) settled++;
        assert.deepEqual(trees, picture(foldTrace(late)));
      }),
      { ...RUNS, examples: [[SETTLED]] },
    );
    // Most need none: else this would compare nothing.
    assert.ok(settled > sized(300, 0), `${settled}`);
  });

  it('show each call once, below the one that it says is its parent', () => {
    fc.assert(
      fc.property(traces, events => {
        const seen: string[] = [];
        const visit = (node: CallNode, parent: CallNode | undefined): void => {
          assert.equal(node.parent, parent);
          seen.push(node.call.call);
          for (const child of node.children) visit(child, node);
        };
        for (const tree of foldTrace(events)) {
          const before = seen.length;
          for (const root of tree.roots) visit(root, undefined);
          assert.equal(seen.length - before, tree.size);
        }
        const calls = events.filter((event): event is CallEvent => event.type === 'call');
        assert.deepEqual(seen.sort(), calls.map(each => each.call).sort());
      }),
      RUNS,
    );
  });

  it('tell all that changed', () => {
    fc.assert(
      fc.property(pairs, ([, mixed]) => {
        const fold = new TraceFold();
        const known = new Map<string, unknown>();
        const own = (node: CallNode): unknown => ({
          ...pictureOne(node),
          children: node.children.map(child => child.call.call),
        });
        for (const event of mixed) {
          fold.add(event);
          fold.settle();
          for (const node of fold.takeChanges()) known.set(node.call.call, own(node));
          for (const tree of fold.trees()) {
            const open = [...tree.roots];
            for (let node = open.pop(); node; node = open.pop()) {
              assert.deepEqual(known.get(node.call.call), own(node));
              open.push(...node.children);
            }
          }
        }
      }),
      { numRuns: runs(300) },
    );
  });
});
