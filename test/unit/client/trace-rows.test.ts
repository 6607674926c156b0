import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  TraceRows,
  describePage,
  type TraceRow,
} from '../../../client/src/features/traces/view/trace-rows.ts';
import { foldTrace } from '../../support/at-once.ts';
import type { TraceTree } from '../../../trace/fold/tree.ts';

/** A trace of calls, each with the call above it or none. */
function foldCalls(trace: string, calls: Readonly<Record<string, string | undefined>>): TraceTree {
  const common = { type: 'call', agent: 'toolbox', protocol: 'aicf', title: 'x', trace } as const;
  const [tree] = foldTrace(
    Object.entries(calls).map(([call, parent], at) => ({
      ...common,
      at,
      call,
      ...(parent === undefined ? {} : { parent }),
    })),
  );
  assert.ok(tree);
  return tree;
}

function describeRow(row: TraceRow): string {
  return row.kind === 'page' ? `${row.below.call} from ${row.from}` : `${row.kind} ${row.call}`;
}

describe('rows of traces', () => {
  it('stay the same objects while other traces go', () => {
    const rows = new TraceRows();
    const [one, two, old] = [
      foldCalls('one', { a: undefined, b: 'a' }),
      foldCalls('two', { c: undefined, d: undefined }),
      foldCalls('old', { e: undefined }),
    ];
    const list = (): readonly (TraceRow | undefined)[] => [
      rows.ofTree(one),
      rows.ofTree(two),
      ...one.roots.flatMap(root => root.children.map(child => rows.ofCall(child))),
    ];
    const before = list();
    assert.deepEqual(before, [
      { kind: 'call', call: 'a', above: undefined, isOpened: false },
      { kind: 'trace', call: 'c' },
      { kind: 'call', call: 'b', above: 'a', isOpened: false },
    ]);
    const gone = rows.ofTree(old);
    rows.sweep(call => call !== 'e');
    assert.ok(list().every((row, at) => row === before[at]));
    assert.deepEqual([rows.find('e'), rows.find('a')], [undefined, before[0]]);
    assert.ok(rows.ofTree(old) !== gone);
  });

  it('stand in pages of a thousand, each below the row of its page', () => {
    const calls = Object.fromEntries(Array.from({ length: 2500 }, (_, at) => [`c${at}`, 'top']));
    const tree = foldCalls('t', { top: undefined, ...calls });
    const children = tree.roots[0]?.children ?? [];
    const rows = new TraceRows();
    const top = rows.ofTree(tree);
    assert.ok(top);
    const listed = rows.ofCalls(children, top);
    assert.deepEqual(
      [listed.length, listed.slice(998).map(describeRow)],
      [1002, ['call c998', 'call c999', 'top from 1000', 'top from 2000']],
    );
    assert.deepEqual(describePage(2000, 2500), { first: 2001, last: 2500 });
    const page = listed[1001];
    assert.ok(page?.kind === 'page');
    const last = rows.ofPage(children, page);
    assert.deepEqual([last.length, last.slice(-1).map(describeRow)], [500, ['call c2499']]);
    // The very rows that were given out: VS Code finds the way to a row by them.
    assert.deepEqual(
      [999, 1000, 2499].map(at => rows.above(at, top)),
      [top, listed[1000], page],
    );
    assert.ok(rows.above(2499, top) === page);
  });
});
