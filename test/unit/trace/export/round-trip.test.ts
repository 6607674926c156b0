import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { TraceFormat } from '../../../../trace/export/trace-formats.ts';
import type { TraceEvent } from '../../../../core/events/events.ts';
import { exportTraceText } from '../../../../trace/export/export.ts';
import { TraceFold } from '../../../../trace/fold/fold.ts';
import { importTrace } from '../../../../trace/import/import.ts';
import type { CallNode, TraceTree } from '../../../../trace/fold/tree.ts';
import { anyTrace } from '../support/trace-arbitrary.ts';
import { runs } from '../../../support/size.ts';

const RUNS = runs(100);

/** What each format carries so that it is loaded again. */
const FORMATS: readonly TraceFormat[] = ['agenttrace', 'aio', 'otlp', 'har'];

/** The second call is taken for one that the first led to, because its reply began before the first was answered. */
const ANSWERED_EARLIER: TraceEvent[] = ['booker', 'planner'].flatMap((agent, at): TraceEvent[] => [
  { type: 'call', call: agent, trace: 't', at, agent, protocol: 'aicl', title: 'plan', seen: 'between' },
  { type: 'head', call: agent, at, direction: 'out', line: 'POST http://127.0.0.1:65001/', headers: [] },
  { type: 'head', call: agent, at: 3 - at, direction: 'in', line: '200 OK', headers: [] },
  { type: 'end', call: agent, at: 3 + at, status: 'ok' },
]);

function fold(events: Iterable<TraceEvent>): TraceFold {
  const made = new TraceFold();
  for (const event of events) made.add(event);
  return made;
}

async function exported(format: TraceFormat, folded: TraceFold): Promise<string> {
  return exportTraceText(format, {
    protocols: ALL_PROTOCOLS,
    trees: folded.trees(),
    payload: call => {
      const node = folded.find(call);
      const events = [...(node?.heads ?? []), ...(node?.wire ?? [])];
      // A head comes before the bytes that follow it.
      const order = (event: (typeof events)[number]): number =>
        (event.direction === 'out' ? 0 : 2) + (event.type === 'head' ? 0 : 1);
      return Promise.resolve(events.toSorted((one, other) => order(one) - order(other)));
    },
  });
}

function load(text: string): TraceFold {
  const imported = importTrace(text, ALL_PROTOCOLS);
  assert.ok(imported.ok, imported.ok ? '' : imported.error);
  return fold(imported.events);
}

/** All that a call is but what was on its wire. */
function facts(trees: readonly TraceTree[]): unknown {
  return trees.map(({ trace, roots, size }) => ({ trace, size, roots: roots.map(factsOf) }));
}

function factsOf(node: CallNode): unknown {
  const { call, status, duration, code, message, usage, notes, attributes, names } = node;
  const { parent, parentage, children, isView, depth, cycle } = node;
  return {
    call,
    outcome: { status, duration, code, message, usage },
    notes: [...notes].sort(),
    attributes,
    names,
    place: { parent: parent?.call.call, parentage, isView, depth, cycle },
    children: children.map(factsOf),
  };
}

describe('a trace that is exported and loaded again', () => {
  for (const format of FORMATS)
    it(`is the same trace through ${format}`, async () => {
      await fc.assert(
        fc.asyncProperty(anyTrace, async events => {
          const folded = fold(events);
          const text = await exported(format, folded);
          assert.deepEqual(facts(load(text).trees()), facts(folded.trees()));
        }),
        { numRuns: RUNS, examples: [[ANSWERED_EARLIER]] },
      );
    });
});
