import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { TraceEvent } from '../../../core/events/events.ts';
import { addUp, type AgentTotals } from '../../../trace/graph/totals.ts';
import { someCalls } from './support/calls-arbitrary.ts';
import { lasting, NODE_READER, rootsOf, wholeOf } from './support/node-reader.ts';

const NOTHING = { errors: 0, open: 0, reported: {}, counted: {}, bytesOut: 0, bytesIn: 0, served: undefined };

describe('totals of a trace', () => {
  it('tell own time from waiting: children side by side are waited for once, and only while their caller runs', () => {
    const roots = rootsOf([
      ...lasting('a', 'planner', [0, 100]),
      ...lasting('b', 'weather', [10, 40], 'a'),
      ...lasting('c', 'booker', [30, 60], 'a'),
      ...lasting('d', 'search', [90, 140], 'a'),
    ]);
    const agent = (name: string, duration: number, waiting: number): AgentTotals => ({
      ...NOTHING,
      agent: name,
      calls: 1,
      duration,
      own: duration - waiting,
      waiting,
    });
    assert.deepEqual(addUp(wholeOf(roots), NODE_READER), {
      agents: [
        agent('planner', 100, 60),
        agent('weather', 30, 0),
        agent('booker', 30, 0),
        agent('search', 50, 0),
      ],
      all: { ...NOTHING, calls: 4, duration: 210, own: 150, waiting: 60 },
    });
  });

  it('count a call once that was seen from both sides, with the time that it took there', () => {
    const roots = rootsOf([
      ...lasting('a', 'planner', [0, 100]),
      ...lasting('v', 'planner', [10, 90], 'a', { seen: 'callee' }),
      ...lasting('b', 'weather', [20, 50], 'v'),
    ]);
    assert.deepEqual(addUp(wholeOf(roots), NODE_READER).agents[0], {
      ...NOTHING,
      agent: 'planner',
      calls: 1,
      duration: 100,
      own: 70,
      waiting: 30,
      served: { calls: 1, there: 80, here: 100 },
    });
  });

  it('tell the time that an agent says it took, unless it was seen nearer to it', () => {
    const head = (call: string, serverTiming: string): TraceEvent => ({
      type: 'head',
      call,
      at: 5,
      direction: 'in',
      line: '200 OK',
      headers: [{ name: 'server-timing', value: serverTiming }],
    });
    const roots = rootsOf([
      ...lasting('a', 'reported', [0, 100]),
      head('a', 'cache;desc="hit", total;dur=60.5'),
      ...lasting('b', 'seen', [0, 100]),
      head('b', 'total;dur=1'),
      ...lasting('v', 'seen', [10, 90], 'b', { seen: 'callee' }),
    ]);
    const served = addUp(wholeOf(roots), NODE_READER).agents.map(totals => [totals.agent, totals.served]);
    assert.deepEqual(served, [
      ['reported', { calls: 1, there: 60.5, here: 100 }],
      ['seen', { calls: 1, there: 80, here: 100 }],
    ]);
  });

  it('add up failures, open calls, bytes and tokens, as reported and as counted', () => {
    const roots = rootsOf([
      ...lasting('a', 'writer', [0]),
      { type: 'wire', call: 'a', at: 5, direction: 'out', bytes: { text: 'four' } },
      { type: 'wire', call: 'a', at: 7, direction: 'in', bytes: { text: 'seven b' } },
      ...lasting('b', 'writer', [10]),
      { type: 'end', call: 'b', at: 30, status: 'error', usage: { input: 7 } },
      ...lasting('c', 'writer', [40]),
      { type: 'end', call: 'c', at: 45, status: 'incomplete', usage: { input: 1, output: 2 } },
    ]);
    const reader = { ...NODE_READER, countTokens: () => ({ output: 3 }) };
    assert.deepEqual(addUp(wholeOf(roots), reader).agents, [
      {
        agent: 'writer',
        calls: 3,
        errors: 2,
        open: 1,
        duration: 32,
        own: 32,
        waiting: 0,
        reported: { input: 8, output: 2 },
        counted: { output: 9 },
        bytesOut: 4,
        bytesIn: 7,
        served: undefined,
      },
    ]);
  });

  it('stay numbers where times are none', () => {
    const roots = rootsOf([
      ...lasting('a', 'A', [-1e308, 1e308]),
      ...lasting('b', 'B', [-1e308, 1e308], 'a'),
    ]);
    const { duration, own, waiting } = addUp(wholeOf(roots), NODE_READER).all;
    assert.deepEqual({ duration, own, waiting }, { duration: 0, own: 0, waiting: 0 });
  });

  it('own and waiting make the duration, agents make the whole, and no call is lost', () => {
    fc.assert(
      fc.property(someCalls, events => {
        const roots = rootsOf(events);
        const { agents, all } = addUp(wholeOf(roots), NODE_READER);
        const calls = wholeOf(roots);
        const sum = (pick: (totals: AgentTotals) => number): number =>
          agents.reduce((total, each) => total + pick(each), 0);
        for (const { own, waiting, duration } of agents) {
          assert.equal(own + waiting, duration);
          assert.ok(own >= 0 && waiting >= 0);
        }
        assert.deepEqual(
          {
            calls: sum(({ calls: count }) => count),
            errors: sum(({ errors }) => errors),
            duration: sum(({ duration }) => duration),
            own: sum(({ own }) => own),
          },
          { calls: calls.length, errors: all.errors, duration: all.duration, own: all.own },
        );
        // Every moment of the trace in which a call ran is somebody's own.
        const busy = new Set<number>();
        for (const { state, until } of calls) for (let at = state.at; at < until; at++) busy.add(at);
        assert.ok(all.own >= busy.size, `${all.own} ms are somebody's own, ${busy.size} ms were busy`);
      }),
    );
  });
});
