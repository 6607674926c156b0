import type { Protocols } from '../../protocols/protocol.ts';
import { quote } from '../../core/text/quote.ts';
import { countCalls } from '../graph/count-calls.ts';
import { printDate } from '../date.ts';
import { kindOf, type TraceDiff } from '../diff/diff.ts';
import type { HeadEvent, WireEvent } from '../../core/events/events.ts';
import { readChecked } from '../payload-check.ts';
import { compareReplies } from './replay-reply.ts';
import { readRecordedRequest, type ReplayOptions } from './replay-request.ts';
import type { HoledText } from './replay-secrets.ts';
import type { CallNode, TraceTree } from '../fold/tree.ts';

/** Reads the heads and bytes of a call; none if they are not stored. Never rejects. */
type ReadPayload = (call: string) => Promise<readonly (HeadEvent | WireEvent)[]>;

/** A recorded request to be sent again. Its holes are filled before. */
export interface ReplayRequest extends HoledText {
  readonly recorded: CallNode;
  /** The recorded trace that it belongs to. */
  readonly trace: string;
  readonly protocol: string;
}

/** A recorded request that cannot be sent again, and why, as a sentence without a full stop. */
interface RefusedRequest {
  readonly recorded: CallNode;
  readonly reason: string;
}

/** The requests that a replay sends, and those that it does not. */
export interface ReplayPlan {
  /** In the order in which they were recorded. */
  readonly requests: readonly ReplayRequest[];
  readonly refused: readonly RefusedRequest[];
  /** The number of calls below the requests, which agents make again themselves. */
  readonly made: number;
}

/** The calls of a trace to be replayed, with all their descendants. */
export type ReplayedTrace = Pick<TraceTree, 'trace' | 'roots'>;

/**
 * Plans the replay of calls and their descendants. The topmost calls with recorded requests are sent; their descendants
 * are made by the agents. A call without payload is replaced by its children. `newId` makes unique ids.
 */
export async function planReplay(
  traces: readonly ReplayedTrace[],
  payload: ReadPayload,
  { newId, protocols }: ReplayOptions,
): Promise<ReplayPlan> {
  const requests: ReplayRequest[] = [];
  const refused: RefusedRequest[] = [];
  let made = 0;
  const open = traces.flatMap(({ trace, roots }) => roots.map(recorded => ({ trace, recorded })));
  for (let next = open.pop(); next; next = open.pop()) {
    const { trace, recorded } = next;
    const { call, children } = recorded;
    // An agent's request to its caller is made by the agent.
    if (call.back) continue;
    const { events: wire, isWhole } = await readChecked(recorded, payload);
    if (!isWhole) {
      made += countCalls(children);
      refused.push({ recorded, reason: 'not all of its payloads can be read' });
      continue;
    }
    if (wire.length === 0 && children.length > 0) {
      for (const child of children) open.push({ trace, recorded: child });
      continue;
    }
    const read = readRecordedRequest(recorded, wire, { newId, protocols });
    if (read.kind === 'own') continue;
    made += countCalls(children);
    if (read.kind === 'refused') refused.push({ recorded, reason: read.reason });
    else requests.push({ recorded, trace, text: read.text, protocol: read.protocol, holes: read.holes });
  }
  return { requests: requests.sort(compareTimes), refused: refused.sort(compareTimes), made };
}

/** The note on a replayed call about the recorded one. */
export function describeOrigin({ call }: CallNode): string {
  return `A replay of the call ${quote(call.call)}, which was recorded at ${printDate(call.at)}`;
}

/** Sends the requests of a plan. */
export interface ReplayHost {
  /** Sends a request and returns the resulting call; undefined if nothing was sent. Never rejects. */
  send(request: ReplayRequest): Promise<CallNode | undefined>;
  /** Reads the heads and bytes of a call, recorded or new. */
  payload: ReadPayload;
  readonly protocols: Protocols;
  /** Waits for some milliseconds; undefined to send each request right after the reply to the one before. */
  readonly wait?: ((milliseconds: number) => Promise<void>) | undefined;
  /** Milliseconds since any fixed moment. */
  now(): number;
  readonly signal: { readonly aborted: boolean };
}

/** A recorded call and its replay, with the heads and bytes of each. */
export interface ReplayedCall {
  readonly recorded: CallNode;
  readonly replayed: CallNode | undefined;
  readonly before: readonly (HeadEvent | WireEvent)[];
  readonly after: readonly (HeadEvent | WireEvent)[];
}

/** The result of a replay: its calls with those of the recording, and their differences. */
export interface Replayed {
  readonly calls: readonly ReplayedCall[];
  /** Calls that were not sent are only in the first trace. Calls made by agents are not compared. */
  readonly diff: TraceDiff;
}

/**
 * Sends the requests of a plan one after the other; with `wait`, each no earlier than its recorded distance from the
 * first. A stopped replay leaves the rest unsent. Reply and outcome of each are compared with the recorded ones.
 */
export async function replay({ requests, refused }: ReplayPlan, host: ReplayHost): Promise<Replayed> {
  const calls: ReplayedCall[] = [];
  const begun = host.now();
  const firstAt = requests[0]?.recorded.call.at ?? 0;
  for (const request of requests) {
    const { recorded } = request;
    const early = recorded.call.at - firstAt - (host.now() - begun);
    if (host.wait && early > 0 && !host.signal.aborted) await host.wait(early);
    const replayed = host.signal.aborted ? undefined : await host.send(request);
    const before = await host.payload(recorded.call.call);
    const after = replayed ? await host.payload(replayed.call.call) : [];
    calls.push({ recorded, replayed, before, after });
  }
  for (const { recorded } of refused) calls.push({ recorded, replayed: undefined, before: [], after: [] });
  calls.sort(compareTimes);
  return { calls, diff: compareCalls(calls, host.protocols) };
}

function compareCalls(calls: readonly ReplayedCall[], protocols: Protocols): TraceDiff {
  const counts = { same: 0, changed: 0, added: 0, removed: 0 };
  const roots = calls.map(each => {
    const { recorded, replayed } = each;
    const changes = replayed ? compareReplies({ ...each, replayed }, protocols) : [];
    const diff = { before: recorded, after: replayed, changes, children: [] };
    counts[kindOf(diff)]++;
    return diff;
  });
  return { roots, counts };
}

function compareTimes(
  { recorded: { call: one } }: { readonly recorded: CallNode },
  { recorded: { call: other } }: { readonly recorded: CallNode },
): number {
  return one.at - other.at || (one.call < other.call ? -1 : 1);
}
