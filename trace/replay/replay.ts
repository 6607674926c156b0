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

/** What was on the wire of a call; none where it is not kept. Never rejects. */
type ReadPayload = (call: string) => Promise<readonly (HeadEvent | WireEvent)[]>;

/** A recorded request that is sent again. Its holes are filled in before. */
export interface ReplayRequest extends HoledText {
  readonly recorded: CallNode;
  /** The recorded trace that it is of. */
  readonly trace: string;
  readonly protocol: string;
}

/** A recorded request that cannot be sent again: why, as a sentence without a full stop. */
interface RefusedRequest {
  readonly recorded: CallNode;
  readonly reason: string;
}

/** What a replay sends, and what it does not. */
export interface ReplayPlan {
  /** In the order in which they were recorded. */
  readonly requests: readonly ReplayRequest[];
  readonly refused: readonly RefusedRequest[];
  /** Calls that agents made while they served one that is sent: they make them again themselves. */
  readonly made: number;
}

/** What is replayed: calls of a trace, with all below them. */
export type ReplayedTrace = Pick<TraceTree, 'trace' | 'roots'>;

/**
 * Plans the replay of calls with all below them. The topmost calls whose requests were recorded are sent; those below them
 * are the agents' own. Of a call that was only told of, those below it are looked at. `newId` makes ids that nobody else has.
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
    // An agent asks this of its caller.
    if (call.back) continue;
    const { events: wire, isWhole } = await readChecked(recorded, payload);
    if (!isWhole) {
      made += countCalls(children);
      refused.push({ recorded, reason: 'not all that it sent and got can be read' });
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

/** What stands with the call that a recorded one became when it was sent again. */
export function describeOrigin({ call }: CallNode): string {
  return `A replay of the call ${quote(call.call)}, which was recorded at ${printDate(call.at)}`;
}

/** How the requests of a plan are sent. */
export interface ReplayHost {
  /** Sends a request and answers the call that it became; undefined where nothing was sent. Never rejects. */
  send(request: ReplayRequest): Promise<CallNode | undefined>;
  /** What was on the wire of a call, whether recorded or new. */
  payload: ReadPayload;
  readonly protocols: Protocols;
  /** Waits for some milliseconds; undefined sends each request as soon as the one before it has its reply. */
  readonly wait?: ((milliseconds: number) => Promise<void>) | undefined;
  /** The milliseconds since some moment. */
  now(): number;
  readonly signal: { readonly aborted: boolean };
}

/** Two calls that belong together with what was on the wire of each. */
export interface ReplayedCall {
  readonly recorded: CallNode;
  readonly replayed: CallNode | undefined;
  readonly before: readonly (HeadEvent | WireEvent)[];
  readonly after: readonly (HeadEvent | WireEvent)[];
}

/** What came of a replay: its calls beside those of the recording, and what differs between them. */
export interface Replayed {
  readonly calls: readonly ReplayedCall[];
  /** Calls that were not sent are only in the first. What agents called while they answered is not compared. */
  readonly diff: TraceDiff;
}

/**
 * Sends the requests of a plan one after the other, none before its recorded distance from the first where `wait` is given.
 * A stopped replay leaves the rest unsent. The reply and the outcome of each are compared with those that were recorded.
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
