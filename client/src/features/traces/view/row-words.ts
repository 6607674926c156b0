import { addTokens } from '../../../../../trace/graph/totals.ts';
import { countOf, showCount } from '../../../../../core/text/count.ts';
import type { CallStatus, TokenUsage } from '../../../../../core/events/events.ts';
import { describeDepth, isTooDeep, showCycleOf } from '../../../../../core/events/recursion-guard.ts';
import type { CallNode, TraceTree } from '../../../../../trace/fold/tree.ts';
import {
  STATUS_WORDS,
  describeCode,
  describeOutcome,
  describeTokens,
  formatDuration,
} from '../../../../../trace/words.ts';
import { formatTimeOfDay } from '../../../base/time-of-day.ts';
import type { CountedUsage, FindCounted } from './counted-tokens.ts';

/** The summary of a trace for its row. */
export interface TraceSummary {
  /** `open` if any call is open, else the most serious status of the root calls. */
  readonly status: CallStatus;
  readonly agents: number;
  readonly calls: number;
  /** Milliseconds from the first call to the last end; undefined while a call is open. */
  readonly duration: number | undefined;
  /** The sum of reported tokens; undefined if none are reported. */
  readonly usage: TokenUsage | undefined;
  /** The sum of counted tokens for calls without a report; undefined if none were counted. */
  readonly counted: TokenUsage | undefined;
  /** The sessions of its calls. */
  readonly sessions: readonly string[];
  /** The greatest number of calls above one of its calls. */
  readonly depth: number;
}

/** Statuses, the most serious first. */
const GRAVITY: readonly CallStatus[] = ['error', 'incomplete', 'cancelled', 'ok'];

/** Summarizes a trace, including counted tokens. Several views of one call count once. Cost: O(all calls). */
export function summarize(tree: TraceTree, findCounted?: FindCounted): TraceSummary {
  const agents = new Set<string>();
  const sessions = new Set<string>();
  let [start, end, calls, depth, isOpen] = [Infinity, -Infinity, 0, 0, false];
  let [usage, counted]: (TokenUsage | undefined)[] = [];
  const open = [...tree.roots];
  for (let node = open.pop(); node; node = open.pop()) {
    for (const child of node.children) open.push(child);
    const { at, agent, session } = node.call;
    agents.add(agent);
    if (session !== undefined) sessions.add(session);
    start = Math.min(start, at);
    end = Math.max(end, at + (node.duration ?? 0));
    isOpen ||= node.status === 'open';
    if (node.isView) continue;
    calls++;
    depth = Math.max(depth, node.depth);
    if (node.usage) usage = addTokens(usage ?? {}, node.usage);
    const tokens = findCounted?.(node)?.tokens;
    if (tokens) counted = addTokens(counted ?? {}, tokens);
  }
  const statuses = new Set(tree.roots.map(root => root.status));
  return {
    status: isOpen ? 'open' : (GRAVITY.find(status => statuses.has(status)) ?? 'ok'),
    agents: agents.size,
    calls,
    duration: isOpen || calls === 0 ? undefined : end - start,
    usage,
    counted,
    sessions: [...sessions],
    depth,
  };
}

/** Describes a trace of several calls: `ok · 1.24 s · 4 agents · 9 calls · 1,200 + 340 tokens`. */
export function describeSummary({ status, agents, calls, duration, usage, counted }: TraceSummary): string {
  return join([
    STATUS_WORDS[status],
    duration === undefined ? undefined : formatDuration(duration),
    countOf(agents, 'agent'),
    countOf(calls, 'call'),
    describeUsage(usage),
    describeCounted(counted),
  ]);
}

/** Reported tokens, request first: `1,200 + 340 tokens`. */
export function describeUsage(usage: TokenUsage | undefined): string | undefined {
  if (!usage) return undefined;
  const { input, output } = usage;
  if (input === undefined && output === undefined) return undefined;
  if (output === undefined) return `${showCount(input ?? 0)} tokens in`;
  return input === undefined
    ? `${showCount(output)} tokens out`
    : `${showCount(input)} + ${showCount(output)} tokens`;
}

/** Counted tokens, marked as such: `≈ 1,200 + 340 tokens`. */
function describeCounted(counted: TokenUsage | undefined): string | undefined {
  const words = describeUsage(counted);
  return words && `≈ ${words}`;
}

function describeCounting(counted: CountedUsage | undefined): string | undefined {
  const words = describeCounted(counted?.tokens);
  return counted && words && `${words}, counted by ${counted.encoding}: the agent reports none`;
}

/** The texts of a row in the Traces view. */
export interface RowWords {
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  /** The label for screen readers. */
  readonly accessibleLabel: string;
}

/** Longer labels are cut, so that the outcome behind them is visible in a narrow view. */
const LONGEST_LABEL = 28;

function cutLabel(label: string): string {
  const characters = [...label.slice(0, LONGEST_LABEL * 2)];
  return characters.length > LONGEST_LABEL ? `${characters.slice(0, LONGEST_LABEL - 1).join('')}…` : label;
}

/** Describes the row of a root call: request, outcome, when it was sent, and the extent of its trace. */
export function describeTopCall(
  node: CallNode,
  summary: TraceSummary,
  depthLimit: number,
  counted?: CountedUsage,
): RowWords {
  const { title, agent } = node.call;
  const counts = summary.calls > 1 ? [countOf(summary.agents, 'agent'), countOf(summary.calls, 'call')] : [];
  const usage = [describeUsage(summary.usage), describeCounted(summary.counted)];
  const isStopped = isTooDeep(summary.depth, depthLimit);
  const marks = isStopped ? ['recursion limit reached'] : describeMarks(node, depthLimit);
  const time = formatTimeOfDay(node.call.at);
  return {
    label: cutLabel(title),
    description: join([describeOutcome(node), ...marks, time, agent, ...counts, ...usage]),
    tooltip: describeCall(node, depthLimit, counted),
    accessibleLabel: say(node, [...marks, ...counts, ...usage]),
  };
}

/** Describes the row of a call below another one: agent, outcome and request. */
export function describeCallBelow(node: CallNode, depthLimit: number, counted?: CountedUsage): RowWords {
  const { title, agent, back } = node.call;
  const marks = describeMarks(node, depthLimit);
  const more = [
    describeUsage(node.usage),
    describeCounted(counted?.tokens),
    node.isView ? 'recorded on its other side' : undefined,
    node.parentage === 'inferred' ? 'inferred' : undefined,
  ];
  const request = back ? `request to its caller: ${title}` : title;
  return {
    label: cutLabel(node.cycle ? `↻ ${agent}` : agent),
    description: join([describeOutcome(node), ...marks, request, ...more]),
    tooltip: describeCall(node, depthLimit, counted),
    accessibleLabel: say(node, [...marks, ...more]),
  };
}

/** Warnings of the recursion guard: an agent that is entered again, or too many calls above. */
function describeMarks(node: CallNode, limit: number): readonly string[] {
  const { depth } = node;
  const cycle = showCycleOf(node);
  const isTripped = isTooDeep(depth, limit);
  const place = describeDepth(depth, limit);
  return [
    ...(isTripped
      ? [cycle === undefined ? `recursion limit reached: ${place}` : 'recursion limit reached']
      : []),
    ...(cycle === undefined ? [] : [`cycle: ${cycle} (${place})`]),
  ];
}

function say(node: CallNode, more: readonly (string | undefined)[]): string {
  const { title, agent } = node.call;
  return [title, `sent to ${agent}`, describeOutcome(node), ...more].filter(Boolean).join(', ');
}

function describeCall(node: CallNode, limit: number, counted: CountedUsage | undefined): string {
  const { call, depth, parent, parentage, isView, message } = node;
  const from = call.from ?? parent?.call.agent;
  const cycle = showCycleOf(node);
  const tokens = describeTokens(node.usage);
  const lines = [
    `${call.title}, sent to ${call.agent}${from === undefined ? '' : ` by ${from}`}`,
    describeOutcome(node),
    describeCode(node),
    message,
    cycle && `Cycle: ${cycle}`,
    isTooDeep(depth, limit) ? `Recursion limit reached: depth ${depth}, limit ${limit}` : undefined,
    parentage === 'inferred'
      ? 'Inferred parent: this call names none, and was made while the one above was open'
      : undefined,
    isView ? 'The same call as the one above, recorded on its other side' : undefined,
    call.reported
      ? 'Known only from telemetry: its payloads were not recorded'
      : call.seen && 'Recorded from another program',
    `Sent at ${formatTimeOfDay(call.at)}`,
    tokens === undefined ? undefined : `${tokens}, as the agent reports them`,
    node.usage?.model === undefined ? undefined : `Model ${node.usage.model}`,
    describeCounting(counted),
    call.session === undefined ? undefined : `Session ${call.session}`,
  ];
  return lines.filter(Boolean).join('\n');
}

function join(parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join(' · ');
}
