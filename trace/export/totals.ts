import { knownEnd, stateOf, type CallState } from '../fold/call-state.ts';
import { countUnreported, type CountedCall } from '../graph/count-tokens.ts';
import type { TokenUsage } from '../../core/events/events.ts';
import { addUp, type AgentTotals } from '../graph/totals.ts';
import type { CallNode, TraceTree } from '../fold/tree.ts';
import { listWholeCalls } from '../graph/whole-calls.ts';
import { findTask } from './aio.ts';
import { printRow } from './csv-cells.ts';
import { walkCalls, type ExportSource } from './source.ts';

interface Totals extends Omit<AgentTotals, 'agent'> {
  /** The number of calls with a message that was neither reported nor countable; undefined if nothing is counted. */
  readonly uncounted?: number;
}

const COLUMNS: readonly (readonly [name: string, value: (totals: Totals) => number | undefined])[] = [
  ['calls', ({ calls }) => calls],
  ['ok', ({ calls, errors, open }) => calls - errors - open],
  ['errors', ({ errors }) => errors],
  ['pending', ({ open }) => open],
  ['duration_ms', ({ duration }) => duration],
  ['own_ms', ({ own }) => own],
  ['waiting_ms', ({ waiting }) => waiting],
  ['input_tokens', ({ reported }) => reported.input],
  ['output_tokens', ({ reported }) => reported.output],
  ['counted_input_tokens', ({ counted }) => counted.input],
  ['counted_output_tokens', ({ counted }) => counted.output],
  ['uncounted_calls', ({ uncounted }) => uncounted],
  ['server_calls', ({ served }) => served?.calls],
  ['server_ms', ({ served }) => served?.there],
  ['caller_ms', ({ served }) => served?.here],
  ['bytes_out', ({ bytesOut }) => bytesOut],
  ['bytes_in', ({ bytesIn }) => bytesIn],
];

/**
 * Exports the totals of calls as CSV, so that each agent accounts for its calls (AIO-MCP 1.2.1, section 7): one row for
 * each agent of each trace, and one without an agent for the whole trace. The task is AIO's id of the trace. Times are in milliseconds, and added up even if calls overlap; an open call counts until its
 * latest event. Tokens are those that agents report. Other messages are counted, if the source counts, in
 * columns of their own; one more has the number of calls that could not be counted in full.
 */
export async function* exportTotals(source: ExportSource): AsyncGenerator<string, void> {
  yield await Promise.resolve(printRow(['trace', 'task', 'agent', ...COLUMNS.map(([name]) => name)]));
  for (const tree of source.trees) {
    const counted = await countTokens(tree, source);
    const { agents, all } = addUpTree(tree, counted);
    const task = findTask(tree);
    for (const { agent = 'client', ...totals } of agents)
      yield printRow([tree.trace, task, agent, ...COLUMNS.map(([, value]) => value(totals))]);
    yield printRow([tree.trace, task, undefined, ...COLUMNS.map(([, value]) => value(all))]);
  }
}

/** Counted tokens by call id. */
type Counted = ReadonlyMap<string, CountedCall>;

/** Undefined if the source counts nothing. */
async function countTokens(tree: TraceTree, source: ExportSource): Promise<Counted | undefined> {
  const { countTexts } = source;
  if (!countTexts) return undefined;
  const counted = new Map<string, CountedCall>();
  const nodes = walkCalls([tree]);
  for await (const calls of countUnreported(nodes, call => source.payload(call), countTexts))
    for (const each of calls) counted.set(each.call, each);
  return counted;
}

interface TreeTotals {
  readonly agents: readonly (Totals & Pick<AgentTotals, 'agent'>)[];
  readonly all: Totals;
}

function addUpTree({ roots }: TraceTree, counted: Counted | undefined): TreeTotals {
  const states = new Map<CallNode, CallState>();
  const state = (node: CallNode): CallState => {
    const known = states.get(node) ?? stateOf(node);
    states.set(node, known);
    return known;
  };
  const reader = {
    state,
    until: (node: CallNode): number => knownEnd(state(node)),
    children: (node: CallNode): readonly CallNode[] => node.children,
    countTokens: (node: CallNode): TokenUsage | undefined => counted?.get(node.call.call)?.tokens,
  };
  const calls = listWholeCalls(roots, reader);
  const { agents, all } = addUp(calls, reader);
  if (!counted) return { agents, all };
  const uncounted = new Map<string | undefined, number>();
  for (const { call, callee } of calls)
    if (counted.get(call.call.call)?.uncounted !== undefined)
      uncounted.set(callee, (uncounted.get(callee) ?? 0) + 1);
  const sum = [...uncounted.values()].reduce((total, count) => total + count, 0);
  return {
    agents: agents.map(totals => ({ ...totals, uncounted: uncounted.get(totals.agent) ?? 0 })),
    all: { ...all, uncounted: sum },
  };
}
