import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { callGraphSteps } from '../../../trace/graph/call-graph.ts';
import type { CallState } from '../../../trace/fold/call-state.ts';
import { SequenceDiagram } from '../../../trace/graph/sequence-diagram.ts';
import { totalSteps } from '../../../trace/graph/totals.ts';
import { wholeCallSteps, type CallReader } from '../../../trace/graph/whole-calls.ts';
import { sized } from '../../support/size.ts';

const CALLS = sized(100_000, 4_200);

interface Call {
  readonly state: CallState;
  readonly children: Call[];
}

/** A call that tells how often somebody looks at how it ended. */
function newCall(at: number, onLook: () => void): Call {
  const state: CallState = {
    ...{ id: `${at}`, agent: `agent ${at % 7}`, protocol: 'aicf', title: '', at, until: at + 1 },
    get status() {
      onLook();
      return 'ok' as const;
    },
  };
  return { state, children: [] };
}

/** A call that led to all others, and a tree in which each led to three. */
const SHAPES: Readonly<Record<string, (at: number) => number>> = {
  'one call that led to all others': () => 0,
  'calls that each led to three': at => Math.floor((at - 1) / 3),
};

describe('what is made of a long trace', () => {
  for (const [shape, above] of Object.entries(SHAPES))
    it(`is made in steps that look at few calls: ${shape}`, () => {
      let looked = 0;
      const calls = Array.from({ length: CALLS }, (_, at) => newCall(at, () => looked++));
      for (const call of calls.slice(1)) calls[above(call.state.at)]?.children.push(call);
      const reader: CallReader<Call> = {
        state: call => {
          looked++;
          return call.state;
        },
        until: call => call.state.at + 1,
        children: call => call.children,
      };
      /** The result, how many slices it takes, and how many calls were read in the longest. */
      const watch = <Result>(steps: Generator<undefined, Result>): Result => {
        let [slices, most] = [1, 0];
        looked = 0;
        let step = steps.next();
        for (; step.done !== true; step = steps.next()) {
          most = Math.max(most, looked);
          looked = 0;
          slices++;
        }
        slowest = { slices, most: Math.max(most, looked) };
        return step.value;
      };
      let slowest = { slices: 0, most: 0 };
      const few = (what: string, most: number): void => {
        assert.ok(slowest.slices >= CALLS / 2048, `${what}: ${slowest.slices} slices`);
        assert.ok(slowest.most <= most, `${what}: ${slowest.most} calls in a slice`);
      };
      const whole = watch(wholeCallSteps(calls.slice(0, 1), reader));
      // To see that none of its children is a view of it, all of one call are looked at.
      few('calls', CALLS + 1024);
      const graph = watch(callGraphSteps(whole));
      few('graph', 4096);
      const totals = watch(totalSteps(whole, reader));
      few('totals', 4096);
      const diagram = watch(SequenceDiagram.steps(whole));
      few('diagram', 4096);
      assert.deepEqual(
        [graph.nodes.length, totals.all.calls, diagram.length, diagram.lanes.length],
        [8, CALLS, CALLS * 2, 8],
      );
    });
});
