import type { EncodingName } from '../../../../core/catalog/costs.ts';
import { countOf, showCount } from '../../../../core/text/count.ts';
import type { CallGraph, GraphEdge, Participant } from '../../../../trace/graph/call-graph.ts';
import type { TokenUsage } from '../../../../core/events/events.ts';
import type { AgentTotals, TraceTotals } from '../../../../trace/graph/totals.ts';
import { formatDuration } from '../../../../trace/words.ts';
import { nameOf } from './graph-words.ts';
import type { TraceCall } from '../model.ts';
import { ABOUT } from './totals-tokens.ts';

/** A row of the totals: an agent, a caller of the agent above, or, at the end, all calls together. */
export type TotalsRow =
  | {
      readonly kind: 'agent';
      readonly agent: Participant;
      readonly totals: AgentTotals;
      readonly edges: readonly GraphEdge<TraceCall>[];
    }
  | { readonly kind: 'edge'; readonly edge: GraphEdge<TraceCall> }
  | { readonly kind: 'all'; readonly totals: TraceTotals['all'] };

type Amounts = TraceTotals['all'];

/** A column of numbers. It is hidden if no row has a value. */
export interface TotalsColumn {
  readonly title: string;
  /** The tooltip of the column. */
  readonly meaning: string;
  readonly width: 'narrow' | 'wide';
  /** The text of a cell; empty without a value. */
  read(amounts: Amounts): string;
  /** The text for the calls from one agent to another, if that is known. */
  readEdge?(edge: GraphEdge<TraceCall>): string;
}

function column(
  title: string,
  width: TotalsColumn['width'],
  meaning: string,
  read: TotalsColumn['read'],
  readEdge?: TotalsColumn['readEdge'],
): TotalsColumn {
  return { title, width, meaning, read, ...(readEdge ? { readEdge } : {}) };
}

/** A count; empty for 0. */
function countSome(count: number): string {
  return count > 0 ? showCount(count) : '';
}

const COLUMNS: readonly TotalsColumn[] = [
  column(
    'Calls',
    'narrow',
    'Calls; one that was recorded on several sides counts once',
    ({ calls }) => showCount(calls),
    ({ calls }) => showCount(calls.length),
  ),
  column(
    'Failed',
    'narrow',
    'Calls that failed or were aborted',
    ({ errors }) => countSome(errors),
    ({ errors }) => countSome(errors),
  ),
  column(
    'Running',
    'narrow',
    'Calls that have not ended',
    ({ open }) => countSome(open),
    ({ open }) => countSome(open),
  ),
  column(
    'Time',
    'wide',
    'The durations of the calls, parallel ones added up: own time and waiting',
    ({ duration }) => formatDuration(duration),
    ({ duration }) => formatDuration(duration),
  ),
  column('Own', 'wide', 'The time in which the agent did not wait for another one', ({ own }) =>
    formatDuration(own),
  ),
  column(
    'Waiting',
    'wide',
    'The time in which the agent waited for calls that it made itself',
    ({ waiting }) => formatDuration(waiting),
  ),
  column(
    'At the agent',
    'wide',
    'The durations of calls at the agent, as a proxy recorded them or the agent reported them (Server-Timing), and for their callers',
    ({ served }) => (served ? `${formatDuration(served.there)} of ${formatDuration(served.here)}` : ''),
  ),
  column('Tokens in', 'wide', 'Tokens that agents reported to have read', ({ reported }) =>
    showTokens(reported.input),
  ),
  column('Tokens out', 'wide', 'Tokens that agents reported to have written', ({ reported }) =>
    showTokens(reported.output),
  ),
  column('Bytes out', 'wide', 'Bytes that were sent to the agent', ({ bytesOut }) => showCount(bytesOut)),
  column('Bytes in', 'wide', 'Bytes that were received from the agent', ({ bytesIn }) => showCount(bytesIn)),
];

/** Columns of tokens that were counted with an encoding, for messages without a report. */
function listCounted(encoding: EncodingName): readonly TotalsColumn[] {
  const meaning = (what: string): string =>
    `Tokens of ${what} whose agents reported none, counted by ${encoding} from the payloads, including the framing of its protocol`;
  return [
    column('Counted in', 'wide', meaning('requests'), ({ counted }) => showCounted(counted.input)),
    column('Counted out', 'wide', meaning('replies'), ({ counted }) => showCounted(counted.output)),
  ];
}

function showTokens(count: TokenUsage['input']): string {
  return count === undefined ? '' : showCount(count);
}

function showCounted(count: TokenUsage['input']): string {
  return count === undefined ? '' : `${ABOUT} ${showCount(count)}`;
}

/** The columns in which some row has a value. Tokens are counted with `encoding`. */
export function listColumns({ all }: TraceTotals, encoding: EncodingName): readonly TotalsColumn[] {
  const place = COLUMNS.findIndex(({ title }) => title === 'Bytes out');
  return COLUMNS.toSpliced(place, 0, ...listCounted(encoding)).filter(column => column.read(all) !== '');
}

/** The rows of the totals: agents in the order of their first calls, each followed by its callers. */
export function listTotals(graph: CallGraph<TraceCall>, { agents, all }: TraceTotals): readonly TotalsRow[] {
  const edges = new Map<Participant, GraphEdge<TraceCall>[]>();
  for (const edge of graph.edges) {
    const known = edges.get(edge.to);
    if (known) known.push(edge);
    else edges.set(edge.to, [edge]);
  }
  const rows = agents.flatMap((totals): readonly TotalsRow[] => {
    const callers = edges.get(totals.agent) ?? [];
    return [
      { kind: 'agent', agent: totals.agent, totals, edges: callers },
      ...callers.map(edge => ({ kind: 'edge', edge }) as const),
    ];
  });
  return [...rows, { kind: 'all', totals: all }];
}

export function nameOfRow(row: TotalsRow): string {
  if (row.kind === 'agent') return nameOf(row.agent);
  return row.kind === 'edge' ? `called by ${nameOf(row.edge.from)}` : 'All calls';
}

/** The text of a cell. */
export function cellOf(row: TotalsRow, column: TotalsColumn): string {
  return row.kind === 'edge' ? (column.readEdge?.(row.edge) ?? '') : column.read(row.totals);
}

/** The calls of a row; for an agent, caller by caller. Empty for the last row, which represents no single call. */
export function callsOf(row: TotalsRow): readonly TraceCall[] {
  if (row.kind === 'all') return [];
  return row.kind === 'edge' ? row.edge.calls : row.edges.flatMap(({ calls }) => calls);
}

/** The position of the selected call in a row, such as `2 of 3 calls`; empty for fewer than two calls. */
export function describePosition(calls: readonly TraceCall[], selected: TraceCall | undefined): string {
  const at = selected === undefined || calls.length < 2 ? -1 : calls.indexOf(selected);
  return at < 0 ? '' : `${showCount(at + 1)} of ${countOf(calls.length, 'call')}`;
}
