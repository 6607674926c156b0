import { countOf, showCount } from '../../../core/text/count.ts';
import type { CallStatus, TokenUsage } from '../../../core/events/events.ts';
import { describeDepth, isTooDeep, showCycleOf } from '../../../core/events/recursion-guard.ts';
import type { CallNode, TraceTree } from '../../../trace/fold/tree.ts';
import { STATUS_WORDS, describeCode, describeOutcome, formatDuration } from '../../../trace/words.ts';
import type { CountedUsage, FindCounted } from './counted-tokens.ts';

/** What the row of a whole trace says. */
export interface TraceSummary {
  /** How its first calls stand: running where any call is, else the gravest of them. */
  readonly status: CallStatus;
  readonly agents: number;
  readonly calls: number;
  /** Milliseconds from its first call to its last end; undefined while a call is open. */
  readonly duration: number | undefined;
  /** As the agents report them, added up; undefined where none does. */
  readonly usage: TokenUsage | undefined;
  /** As they were counted where no agent reports them, added up; undefined where nothing was counted. */
  readonly counted: TokenUsage | undefined;
  /** Conversations that its calls belong to. */
  readonly sessions: readonly string[];
}

/** The gravest first. */
const GRAVITY: readonly CallStatus[] = ['error', 'incomplete', 'cancelled', 'ok'];

/** Sums a trace up, with what was counted of its calls. The same call seen from another side counts once. Work: all calls, once. */
export function summarize(tree: TraceTree, findCounted?: FindCounted): TraceSummary {
  const agents = new Set<string>();
  const sessions = new Set<string>();
  let [start, end, calls, isOpen] = [Infinity, -Infinity, 0, false];
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
    usage = addUsage(usage, node.usage);
    counted = addUsage(counted, findCounted?.(node)?.tokens);
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
  };
}

/** The row of a trace of several calls after its title: `ok · 1.24 s · 4 agents · 9 calls · 1,200 + 340 tokens`. */
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

/** Tokens as agents report them: `1,200 + 340 tokens`, those of the request first. */
export function describeUsage(usage: TokenUsage | undefined): string | undefined {
  if (!usage) return undefined;
  const { input, output } = usage;
  if (input === undefined && output === undefined) return undefined;
  if (output === undefined) return `${showCount(input ?? 0)} tokens in`;
  return input === undefined
    ? `${showCount(output)} tokens out`
    : `${showCount(input)} + ${showCount(output)} tokens`;
}

/** Tokens that were counted, marked as such: `≈ 1,200 + 340 tokens`. */
function describeCounted(counted: TokenUsage | undefined): string | undefined {
  const words = describeUsage(counted);
  return words && `≈ ${words}`;
}

function describeCounting(counted: CountedUsage | undefined): string | undefined {
  const words = describeCounted(counted?.tokens);
  return counted && words && `${words}, counted by ${counted.encoding}: the agent reports none`;
}

/** A row of the Traces view in words. */
export interface RowWords {
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  /** What a screen reader says of it. */
  readonly said: string;
}

/** The row of a call that stands at the top: what was asked, how it went, and what it led to. */
export function describeTopCall(
  node: CallNode,
  summary: TraceSummary,
  depthLimit: number,
  counted?: CountedUsage,
): RowWords {
  const { title, agent } = node.call;
  const counts = summary.calls > 1 ? [countOf(summary.agents, 'agent'), countOf(summary.calls, 'call')] : [];
  const usage = [describeUsage(summary.usage), describeCounted(summary.counted)];
  const marks = describeMarks(node, depthLimit);
  return {
    label: title,
    description: join([...marks, describeOutcome(node), agent, ...counts, ...usage]),
    tooltip: describeCall(node, depthLimit, counted),
    said: say(node, [...marks, ...counts, ...usage]),
  };
}

/** The row of a call below another one: who was called, with what, and how it went. */
export function describeCallBelow(node: CallNode, depthLimit: number, counted?: CountedUsage): RowWords {
  const { title, agent, back } = node.call;
  const marks = describeMarks(node, depthLimit);
  const more = [
    describeUsage(node.usage),
    describeCounted(counted?.tokens),
    node.isView ? 'seen from its other side' : undefined,
    node.parentage === 'inferred' ? 'inferred' : undefined,
  ];
  const asked = back ? `asks back: ${title}` : title;
  return {
    label: node.cycle ? `↻ ${agent}` : agent,
    description: join([...marks, asked, describeOutcome(node), ...more]),
    tooltip: describeCall(node, depthLimit, counted),
    said: say(node, [...marks, ...more]),
  };
}

/** What the recursion guard says of a call: an agent that is entered again, and more calls above it than may be. */
function describeMarks(node: CallNode, limit: number): readonly string[] {
  const { depth } = node;
  const cycle = showCycleOf(node);
  const isTripped = isTooDeep(depth, limit);
  const place = describeDepth(depth, limit);
  return [
    ...(isTripped ? [cycle === undefined ? `guard tripped: ${place}` : 'guard tripped'] : []),
    ...(cycle === undefined ? [] : [`re-entered: ${cycle} (${place})`]),
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
  const lines = [
    `${call.title}, sent to ${call.agent}${from === undefined ? '' : ` by ${from}`}`,
    describeOutcome(node),
    describeCode(node),
    message,
    cycle && `An agent is entered again: ${cycle}`,
    isTooDeep(depth, limit)
      ? `The recursion guard allows ${countOf(limit, 'call')} above one; here are ${depth}`
      : undefined,
    parentage === 'inferred'
      ? 'Inferred: it does not name the call above, it was made while that one was served'
      : undefined,
    isView ? 'The same call as the one above, seen from its other side' : undefined,
    call.told ? 'Told of by telemetry: nobody heard what was on the wire' : undefined,
    node.usage ? `${describeUsage(node.usage) ?? ''}, as the agent reports them` : undefined,
    describeCounting(counted),
    call.session === undefined ? undefined : `Session ${call.session}`,
  ];
  return lines.filter(Boolean).join('\n');
}

function addUsage(sum: TokenUsage | undefined, more: TokenUsage | undefined): TokenUsage | undefined {
  if (!more) return sum;
  const input = addCounts(sum?.input, more.input);
  const output = addCounts(sum?.output, more.output);
  return { ...(input === undefined ? {} : { input }), ...(output === undefined ? {} : { output }) };
}

function addCounts(sum: number | undefined, more: number | undefined): number | undefined {
  return sum === undefined || more === undefined ? (sum ?? more) : sum + more;
}

function join(parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join(' · ');
}
