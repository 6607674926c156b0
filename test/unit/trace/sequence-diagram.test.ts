import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { TraceEvent } from '../../../core/events/events.ts';
import { MAX_AGENTS } from '../../../trace/graph/graph-layout.ts';
import { makeSequenceDiagram, type SequenceDiagram } from '../../../trace/graph/sequence-diagram.ts';
import type { CallNode } from '../../../trace/fold/tree.ts';
import { someCalls } from './support/calls-arbitrary.ts';
import { lasting, rootsOf, wholeOf } from './support/node-reader.ts';
import { runs, sized } from '../../support/size.ts';

function diagramOf(events: readonly TraceEvent[]): SequenceDiagram<CallNode> {
  return makeSequenceDiagram(wholeOf(rootsOf(events)));
}

/** All steps in a line each: `10 planner → booker: book` for a call, with `⇠` for a reply. */
function listSteps(diagram: SequenceDiagram<CallNode>): readonly string[] {
  return Array.from({ length: diagram.length }, (_, index) => {
    const step = diagram.at(index);
    assert.ok(step);
    const [caller = 'client', callee = 'client'] = [step.caller, step.callee];
    const arrow = step.kind === 'call' ? '→' : '⇠';
    return `${step.at} ${caller} ${arrow} ${callee}: ${step.call.call.call}`;
  });
}

const TRIP = [
  ...lasting('plan', 'planner', [0, 60]),
  ...lasting('view', 'planner', [1, 59], 'plan', { seen: 'callee' }),
  ...lasting('look', 'weather', [10, 40], 'view'),
  ...lasting('book', 'booker', [20, 30], 'view'),
  ...lasting('ask', 'caller', [22, 25], 'book', { from: 'booker', back: true }),
  ...lasting('log', 'audit', [50], 'view'),
];

describe('sequence diagram', () => {
  it('has calls and replies in the order of time, each call once, none for what did not end', () => {
    const diagram = diagramOf(TRIP);
    assert.deepEqual(listSteps(diagram), [
      '0 client → planner: plan',
      '10 planner → weather: look',
      '20 planner → booker: book',
      '22 booker → planner: ask',
      '25 booker ⇠ planner: ask',
      '30 planner ⇠ booker: book',
      '40 planner ⇠ weather: look',
      '50 planner → audit: log',
      '60 client ⇠ planner: plan',
    ]);
    assert.deepEqual(
      diagram.lanes.map(({ agents }) => agents),
      [[undefined], ['planner'], ['weather'], ['booker'], ['audit']],
    );
    const reply = diagram.at(5);
    assert.deepEqual([reply?.from, reply?.to], [3, 1]);
  });

  it('tells where a lane has something to answer, also what began before or goes on behind', () => {
    const diagram = diagramOf(TRIP);
    assert.deepEqual(diagram.activity(0, 9), [
      { lane: 3, first: 2, last: 5 },
      { lane: 2, first: 1, last: 6 },
      { lane: 1, first: 0, last: 8 },
      { lane: 4, first: 7, last: 9 },
    ]);
    assert.deepEqual(diagram.activity(4, 6), [
      { lane: 3, first: 3, last: 5 },
      { lane: 1, first: 3, last: 6 },
      { lane: 2, first: 3, last: 6 },
    ]);
  });

  it('keeps what a call led to between it and its reply where the times are the same', () => {
    const diagram = diagramOf([
      ...lasting('b', 'B', [5, 5], 'a'),
      ...lasting('a', 'A', [5, 5]),
      ...lasting('c', 'C', [5, 5], 'a'),
    ]);
    assert.deepEqual(listSteps(diagram), [
      '5 client → A: a',
      '5 A → B: b',
      '5 A ⇠ B: b',
      '5 A → C: c',
      '5 A ⇠ C: c',
      '5 client ⇠ A: a',
    ]);
  });

  it('finds each step again, in the order of time, and reads any part as it reads the whole', () => {
    fc.assert(
      fc.property(someCalls, fc.nat(60), fc.nat(20), (events, from, count) => {
        const roots = rootsOf(events);
        const diagram = makeSequenceDiagram(wholeOf(roots));
        const calls = wholeOf(roots);
        for (const { call, state } of calls) {
          const places = diagram.find(call);
          assert.equal(diagram.at(places.call)?.call, call);
          if (state.status === 'open') assert.equal(places.reply, -1);
          else assert.ok(places.reply > places.call && diagram.at(places.reply)?.kind === 'reply');
        }
        const times = Array.from({ length: diagram.length }, (_, index) => diagram.at(index)?.at ?? NaN);
        assert.deepEqual(
          times,
          [...times].sort((one, other) => one - other),
        );
        const [first, end] = [Math.min(from, diagram.length), Math.min(from + count, diagram.length)];
        const isIn = (spans: ReturnType<typeof diagram.activity>, lane: number, step: number): boolean =>
          spans.some(span => span.lane === lane && span.first <= step && step <= span.last);
        const [part, whole] = [diagram.activity(first, end), diagram.activity(0, diagram.length)];
        for (const lane of diagram.lanes.keys())
          for (let step = first; step < end; step++)
            assert.equal(isIn(part, lane, step), isIn(whole, lane, step));
      }),
      { numRuns: runs(100) },
    );
  });

  it('reads a part of many thousand steps from its own block', () => {
    const calls = sized(5000, 1000);
    const events = Array.from({ length: calls }, (_, at) =>
      lasting(`c${at}`, `agent-${at % 300}`, [at * 10 + 1, at * 10 + 5], 'root'),
    );
    const diagram = diagramOf([...lasting('root', 'star', [0, 1e6]), ...events.flat()]);
    assert.deepEqual(
      [diagram.length, diagram.lanes.length, diagram.lanes.at(-1)?.agents.length],
      [2 * calls + 2, MAX_AGENTS, 103],
    );
    const from = sized(7000, 1100);
    assert.deepEqual(diagram.activity(from, from + 2), [
      { lane: MAX_AGENTS - 1, first: from - 1, last: from },
      { lane: 1, first: from - 1, last: from + 2 },
      { lane: MAX_AGENTS - 1, first: from + 1, last: from + 2 },
    ]);
  });
});
