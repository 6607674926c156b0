import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ShownCalls } from '../../../client/src/features/traces/view/shown-calls.ts';
import { agentTag, parseFilter, toggleTag } from '../../../client/src/features/traces/view/trace-filter.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import { TraceFold } from '../../../trace/fold/fold.ts';
import type { CallNode } from '../../../trace/fold/tree.ts';

function call(id: string, agent: string, title: string, parent?: string): TraceEvent {
  const above = parent === undefined ? {} : { parent };
  return {
    type: 'call',
    call: id,
    trace: `t${id[0] ?? ''}`,
    at: 0,
    agent,
    protocol: 'aicf',
    title,
    ...above,
  };
}

/** Two traces: a plan that books a hotel, which fails, and a sum. */
function foldPlan(): TraceFold {
  const fold = new TraceFold();
  for (const event of [
    call('a', 'planner', 'plan trip'),
    call('a1', 'weather', 'forecast', 'a'),
    call('a2', 'booker two', 'book.hotel', 'a'),
    { type: 'end', call: 'a2', at: 9, status: 'error', code: '422', message: 'No room' },
    { type: 'end', call: 'a1', at: 5, status: 'ok' },
    call('b', 'toolbox', 'math.add'),
  ] as const)
    fold.add(event);
  return fold;
}

/** Ids of the calls that are shown, with those above them. */
function listShown(shown: ShownCalls): readonly string[] {
  const list = (nodes: readonly CallNode[]): readonly string[] =>
    shown.pick(nodes).flatMap(node => [node.call.call, ...list(node.children)]);
  return shown.trees().flatMap(tree => list(tree.roots));
}

function open(fold: TraceFold): ShownCalls {
  return new ShownCalls({ trees: () => fold.trees(), notes: () => ['Line 3 is left out'] });
}

describe('filter of traces', () => {
  it('reads words, phrases, states and agents, as VS Code’s own filters do', () => {
    assert.deepEqual(parseFilter('Hotel @error "No room" @agent:"booker two" @AGENT:x @later @running'), {
      words: ['hotel', 'no room', '@later'],
      agents: ['booker two', 'x'],
      statuses: ['error', 'open'],
    });
    assert.deepEqual(parseFilter('  @agent: "" '), { words: [], agents: [], statuses: [] });
    assert.deepEqual([agentTag('a:b'), agentTag('a "b" c')], ['@agent:a:b', '@agent:"a b c"']);
  });

  it('takes a tag in and out, and leaves the rest as it was typed', () => {
    const one = toggleTag('Hotel "no room"', '@error');
    assert.deepEqual([one, toggleTag(one, '@ERROR')], ['Hotel "no room" @error', 'Hotel "no room"']);
  });

  it('shows the calls that it finds with those above them, and says how many', () => {
    const fold = foldPlan();
    const shown = open(fold);
    const ask = (filter: string): readonly unknown[] => {
      shown.filter = filter;
      return [listShown(shown), shown.describe().split('\n')[0]];
    };
    const all = ['a', 'a1', 'a2', 'b'];
    assert.deepEqual(
      [
        '',
        'ROOM',
        '@error @ok',
        '@agent:"booker two" 422',
        '@agent:WEATHER @agent:toolbox',
        '@running math',
        'tb',
        'hotel forecast',
      ].map(ask),
      [
        [all, 'Line 3 is left out'],
        [['a', 'a2'], 'Filtered by ROOM: 1 call in 1 trace of 2.'],
        [['a', 'a1', 'a2'], 'Filtered by @error @ok: 2 calls in 1 trace of 2.'],
        [['a', 'a2'], 'Filtered by @agent:"booker two" 422: 1 call in 1 trace of 2.'],
        [['a', 'a1', 'b'], 'Filtered by @agent:WEATHER @agent:toolbox: 2 calls in 2 traces of 2.'],
        [['b'], 'Filtered by @running math: 1 call in 1 trace of 2.'],
        // The name of a trace, as other tools show it.
        [['b'], 'Filtered by tb: 1 call in 1 trace of 2.'],
        [[], 'Filtered by hotel forecast: no call matches.'],
      ],
    );
  });
});

describe('paused traces', () => {
  it('show the calls of before, count those that came, and show all again', () => {
    const fold = foldPlan();
    const shown = open(fold);
    shown.pause();
    fold.takeChanges();
    const before = listShown(shown);
    for (const event of [call('c', 'late', 'x'), call('a3', 'late', 'x', 'a')]) fold.add(event);
    const reported = [...fold.takeChanges()].map(node => [node.call.call, shown.isHeldBack(node)]);
    assert.deepEqual(
      [listShown(shown), reported, shown.describe().split('\n')[0]],
      [
        before,
        [
          ['c', true],
          ['a3', true],
          ['a', true],
        ],
        'Paused. 2 new calls; recording continues.',
      ],
    );
    shown.resume();
    const [late] = fold.trees().flatMap(tree => tree.roots.filter(root => root.call.call === 'c'));
    assert.ok(late);
    assert.deepEqual(
      [listShown(shown).toSorted(), shown.isHeldBack(late), shown.describe()],
      [['a', 'a1', 'a2', 'a3', 'b', 'c'], false, 'Line 3 is left out'],
    );
  });
});
