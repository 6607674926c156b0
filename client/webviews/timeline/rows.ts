import type { CallStatus } from '../../../protocol/src/trace/events.ts';
import type { CallNode, TraceTree } from '../../../protocol/src/trace/tree.ts';
import { describeOutcome, formatDuration } from '../../../protocol/src/trace/words.ts';

/** A call as a row of the waterfall. Shares are of the whole trace, from 0 to 1. */
export interface Row {
  readonly call: string;
  readonly parent: string | undefined;
  /** From 0. */
  readonly depth: number;
  readonly title: string;
  readonly agent: string;
  readonly status: CallStatus;
  readonly outcome: string;
  readonly start: number;
  /** From the call to the first byte of its reply. */
  readonly waiting: number;
  /** From the first byte to the end. */
  readonly receiving: number;
}

/** The waterfall of a trace. */
export interface Waterfall {
  readonly rows: readonly Row[];
  /** `9 calls · 1.24 s`. */
  readonly summary: string;
  /** The labels of the time axis, from left to right, evenly spaced. */
  readonly axis: readonly string[];
}

/** Lays a trace out, in the order of its calls. A call that still runs is drawn up to the last event known. */
export function buildWaterfall(tree: TraceTree): Waterfall {
  const calls = listCalls(tree);
  const starts = calls.map(({ node }) => node.call.at);
  const first = starts.reduce((least, at) => Math.min(least, at), Infinity);
  const last = calls.reduce((most, { node }) => Math.max(most, endOf(node)), -Infinity);
  const whole = Math.max(last - first, 1);
  const count = calls.length === 1 ? '1 call' : `${calls.length} calls`;
  return {
    rows: calls.map(({ node, depth, parent }) => buildRow(node, { depth, parent, first, whole })),
    summary: calls.length === 0 ? count : `${count} · ${formatDuration(last - first)}`,
    axis: calls.length === 0 ? [] : [0, 0.5, 1].map(share => formatDuration(share * whole)),
  };
}

interface Place {
  readonly depth: number;
  readonly parent: string | undefined;
  readonly first: number;
  readonly whole: number;
}

function buildRow(node: CallNode, { depth, parent, first, whole }: Place): Row {
  const { call } = node;
  const end = endOf(node);
  const answered = Math.min(firstByteOf(node) ?? end, end);
  return {
    call: call.call,
    parent,
    depth,
    title: call.title,
    agent: call.agent,
    status: node.status,
    outcome: describeOutcome(node),
    start: (call.at - first) / whole,
    waiting: (answered - call.at) / whole,
    receiving: (end - answered) / whole,
  };
}

/** When the reply's first byte came, or undefined where none did. */
export function firstByteOf(node: CallNode): number | undefined {
  const head = node.heads.find(event => event.direction === 'in')?.at;
  return head ?? node.wire.find(event => event.direction === 'in')?.at;
}

function endOf(node: CallNode): number {
  if (node.duration !== undefined) return node.call.at + node.duration;
  const known = [node.call.at, node.heads.at(-1)?.at, node.wire.at(-1)?.at];
  return known.reduce<number>((most, at) => Math.max(most, at ?? most), node.call.at);
}

/** A call with its place in the tree. */
interface PlacedCall {
  readonly node: CallNode;
  readonly depth: number;
  readonly parent: string | undefined;
}

function listCalls(tree: TraceTree): readonly PlacedCall[] {
  const found: PlacedCall[] = [];
  const open: PlacedCall[] = tree.roots.map(node => ({ node, depth: 0, parent: undefined })).reverse();
  for (let next = open.pop(); next; next = open.pop()) {
    found.push(next);
    const { node, depth } = next;
    for (const child of [...node.children].reverse()) {
      open.push({ node: child, depth: depth + 1, parent: node.call.call });
    }
  }
  return found;
}
