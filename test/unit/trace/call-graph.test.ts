import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { type CallGraph } from '../../../trace/graph/call-graph.ts';
import { layOutGraph, MAX_AGENTS, type GraphLayout } from '../../../trace/graph/graph-layout.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import type { CallNode } from '../../../trace/fold/tree.ts';
import { someCalls } from './support/calls-arbitrary.ts';
import { lasting, rootsOf, wholeOf } from './support/node-reader.ts';
import { makeCallGraph } from '../../support/at-once.ts';
import { runs } from '../../support/size.ts';

function graphOf(events: readonly TraceEvent[]): CallGraph<CallNode> {
  return makeCallGraph(wholeOf(rootsOf(events)));
}

/** An edge in a line: `planner → booker ×2, 1 failed, 35 ms, in a cycle`. */
function listEdges({ edges }: CallGraph<CallNode>): readonly string[] {
  return edges.map(({ from = 'client', to = 'client', calls, errors, open, duration, isInCycle }) =>
    [
      `${from} → ${to} ×${calls.length}`,
      ...(errors > 0 ? [`${errors} failed`] : []),
      ...(open > 0 ? [`${open} open`] : []),
      `${duration} ms`,
      ...(isInCycle ? ['in a cycle'] : []),
    ].join(', '),
  );
}

/** Where agents stand: `planner 1,0`. */
function listPlaces({ boxes }: GraphLayout<CallNode>): readonly string[] {
  return boxes.map(
    ({ nodes, column, row }) => `${nodes.map(({ agent = 'client' }) => agent).join('+')} ${column},${row}`,
  );
}

const LOOP = [
  ...lasting('1', 'A', [0, 100]),
  ...lasting('2', 'B', [10, 90], '1'),
  ...lasting('3', 'C', [20, 80], '2'),
  ...lasting('4', 'A', [30, 70], '3'),
  ...lasting('5', 'D', [40, 60], '4'),
];

describe('call graph', () => {
  it('counts calls, failures, those that run and time by caller and agent', () => {
    const graph = graphOf([
      ...lasting('a', 'planner', [0]),
      ...lasting('b', 'booker', [10, 30], 'a'),
      ...lasting('c', 'booker', [40], 'a'),
      { type: 'end', call: 'c', at: 55, status: 'error' },
      ...lasting('d', 'search', [60, 65], 'b', { from: 'scout' }),
    ]);
    assert.deepEqual(
      {
        edges: listEdges(graph),
        nodes: graph.nodes.map(({ agent = 'client', calls, errors, deepest }) => [
          agent,
          calls,
          errors,
          deepest,
        ]),
      },
      {
        edges: [
          'client → planner ×1, 1 open, 0 ms',
          'planner → booker ×2, 1 failed, 35 ms',
          'scout → search ×1, 5 ms',
        ],
        nodes: [
          ['client', 0, 0, 0],
          ['planner', 1, 0, 0],
          ['booker', 2, 1, 1],
          ['scout', 0, 0, 0],
          ['search', 1, 0, 2],
        ],
      },
    );
  });

  it('names a cycle, the call that closed it and the edges that it goes over', () => {
    const graph = graphOf(LOOP);
    assert.deepEqual(
      {
        edges: listEdges(graph),
        cycles: graph.cycles.map(({ path, calls }) => [path, calls.map(({ call }) => call.call)]),
        deepest: graph.deepest,
      },
      {
        edges: [
          'client → A ×1, 100 ms',
          'A → B ×1, 80 ms, in a cycle',
          'B → C ×1, 60 ms, in a cycle',
          'C → A ×1, 40 ms, in a cycle',
          'A → D ×1, 20 ms',
        ],
        cycles: [[['A', 'B', 'C', 'A'], ['4']]],
        deepest: 4,
      },
    );
  });

  it('marks the edge that closed a cycle, whatever caller is reported', () => {
    const graph = graphOf([
      ...lasting('1', 'A', [0, 100]),
      ...lasting('2', 'B', [10, 90], '1'),
      ...lasting('3', 'A', [20, 80], '2', { from: 'gateway of B' }),
    ]);
    assert.deepEqual(listEdges(graph).slice(1), [
      'A → B ×1, 80 ms, in a cycle',
      'gateway of B → A ×1, 60 ms, in a cycle',
    ]);
  });

  it('draws what an agent asks of its caller as an arrow back, and no cycle', () => {
    const graph = graphOf([
      ...lasting('a', 'planner', [0, 50]),
      ...lasting('b', 'helper', [10, 40], 'a'),
      ...lasting('c', 'caller', [20, 30], 'b', { from: 'helper', back: true }),
      ...lasting('d', 'caller', [42, 45], 'a', { from: 'planner', back: true }),
    ]);
    assert.deepEqual(listEdges(graph), [
      'client → planner ×1, 50 ms',
      'planner → helper ×1, 30 ms',
      'helper → planner ×1, 10 ms',
      'planner → client ×1, 3 ms',
    ]);
  });

  it('is laid out from left to right in the order of calls', () => {
    const more = [...lasting('6', 'E', [42, 50], '1'), ...lasting('7', 'F', [43, 49], '6')];
    const layout = layOutGraph(graphOf([...LOOP, ...more]));
    assert.deepEqual(listPlaces(layout), [
      'client 0,0',
      'A 1,0',
      'B 2,0',
      'C 3,0',
      'D 2,1',
      'E 2,2',
      'F 3,2',
    ]);
    assert.deepEqual([layout.columns, layout.rows], [4, 3]);
  });

  it('leaves agents where they are, whatever calls come later', () => {
    fc.assert(
      fc.property(someCalls, fc.nat(200), (events, time) => {
        const some = events.filter(({ at }) => at < time);
        const [early, late] = [some, events].map(part => listPlaces(layOutGraph(graphOf(part))));
        assert.deepEqual(early, late?.slice(0, early?.length));
      }),
      { numRuns: runs(100) },
    );
  });

  it('has every call on one edge, and no two agents in one place', () => {
    fc.assert(
      fc.property(someCalls, events => {
        const graph = graphOf(events);
        const calls = graph.edges.flatMap(edge => edge.calls.map(({ call }) => call.call)).sort();
        const all = wholeOf(rootsOf(events)).map(({ state }) => state.id);
        assert.deepEqual(calls, all.sort());
        const layout = layOutGraph(graph);
        assert.equal(
          new Set(layout.boxes.map(({ column, row }) => `${column},${row}`)).size,
          graph.nodes.length,
        );
        assert.equal(layout.lines.length, graph.edges.length);
      }),
      { numRuns: runs(100) },
    );
  });

  it('puts agents beyond 200 into one box, with their calls', () => {
    const events = Array.from({ length: 250 }, (_, at) =>
      lasting(`c${at}`, `agent-${at}`, [at + 1, 500], 'root'),
    );
    const graph = graphOf([...lasting('root', 'star', [0, 500]), ...events.flat()]);
    const { boxes, lines, leftOut } = layOutGraph(graph);
    const last = boxes.at(-1);
    assert.deepEqual(
      [boxes.length, last?.nodes.length, lines.at(-1)?.edges.length, lines.at(-1)?.to === last, leftOut],
      [MAX_AGENTS, 53, 53, true, 0],
    );
  });
});
