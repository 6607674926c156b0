import { knownEnd, stateOf } from '../../../../trace/fold/call-state.ts';
import type { TraceEvent } from '../../../../core/events/events.ts';
import { TraceFold } from '../../../../trace/fold/fold.ts';
import type { CallNode } from '../../../../trace/fold/tree.ts';
import { listWholeCalls, type CallReader, type WholeCall } from '../../../../trace/graph/whole-calls.ts';

/** Reads the calls of a fold. An open one counts to the newest of its events. */
export const NODE_READER: CallReader<CallNode> = {
  state: stateOf,
  until: node => knownEnd(stateOf(node)),
  children: node => node.children,
};

/** The calls without a parent that a fold makes of events, those of all traces. */
export function rootsOf(events: readonly TraceEvent[]): readonly CallNode[] {
  const fold = new TraceFold();
  for (const event of events) fold.add(event);
  return fold.trees().flatMap(({ roots }) => roots);
}

/** A call to an agent from one time to another; without `to` it is open. */
export function lasting(
  id: string,
  agent: string,
  [at, to]: readonly [number, number?],
  parent?: string,
  more: object = {},
): readonly TraceEvent[] {
  const above = parent === undefined ? {} : { parent };
  return [
    { type: 'call', call: id, trace: 't', at, agent, protocol: 'aicf', title: id, ...above, ...more },
    ...(to === undefined ? [] : [{ type: 'end', call: id, at: to, status: 'ok' } as const]),
  ];
}

/** All calls below some, each once. */
export function wholeOf(roots: readonly CallNode[]): readonly WholeCall<CallNode>[] {
  return listWholeCalls(roots, NODE_READER);
}
