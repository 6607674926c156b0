import type { CallStatus, TokenUsage, TraceProtocol } from '../../core/events/events.ts';
import type { CallNode, Parentage } from './tree.ts';

/** The maximum number of ticks of an open call: as many as a bar of usual width can show. */
const TICKS_OF_OPEN = 96;

/**
 * The state of a call as plain data for views in other processes. Members with their usual value are omitted,
 * so that a trace with many calls stays small. Payload, names and attributes are requested separately.
 */
export interface CallState {
  readonly id: string;
  readonly parent?: string;
  /** If missing: `root` without a parent, `named` with one. */
  readonly parentage?: Parentage;
  readonly agent: string;
  /** The caller, if it is known otherwise than by the parent. */
  readonly from?: string;
  readonly protocol: TraceProtocol;
  readonly title: string;
  readonly status: CallStatus;
  readonly code?: string;
  readonly message?: string;
  readonly notes?: readonly string[];
  /** When it began; all times are in milliseconds since 1970. */
  readonly at: number;
  /** When it ended, never before `at`; missing while it is open. */
  readonly until?: number;
  /** When its latest event arrived, if that is neither `at` nor `until`. */
  readonly last?: number;
  /** When the first byte of the reply arrived. */
  readonly first?: number;
  /** The arrival times of at least two pieces of the reply, thinned out evenly if there are many. */
  readonly ticks?: readonly number[];
  /** The number of all pieces of the reply; missing if 0, like the bytes below. */
  readonly pieces?: number;
  readonly bytesOut?: number;
  readonly bytesIn?: number;
  readonly bytesError?: number;
  /** The time in milliseconds that the agent reports. */
  readonly serverTime?: number;
  readonly usage?: TokenUsage;
  /** The number of calls above it; missing if 0. */
  readonly depth?: number;
  /** The agents of a cycle, from the first call of the agent to this one. */
  readonly cycle?: readonly string[];
  /** True if a caller in the cycle is inferred. */
  readonly isCycleInferred?: true;
  /** True for another side's view of the parent call. */
  readonly isView?: true;
  /** True for an agent's request to its caller on the same connection. */
  readonly isBack?: true;
  /** True for a call whose wire was not observed, such as a span of telemetry. */
  readonly isReported?: true;
  /** The position of its request in a file. */
  readonly source?: { readonly uri: string; readonly line: number };
}

/** The current state of a call. */
export function stateOf(node: CallNode): CallState {
  const { call, status, code, message, usage, notes, depth, cycle } = node;
  const { from, source } = call;
  return {
    id: call.call,
    ...placeOf(node),
    agent: call.agent,
    ...(from === undefined ? {} : { from }),
    protocol: call.protocol,
    title: call.title,
    status,
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { message }),
    ...(notes.length === 0 ? {} : { notes }),
    ...timesOf(node),
    ...trafficOf(node),
    ...(usage === undefined ? {} : { usage }),
    ...(depth === 0 ? {} : { depth }),
    ...(cycle === undefined ? {} : { cycle }),
    ...(node.isCycleInferred ? { isCycleInferred: true } : {}),
    ...(node.isView ? { isView: true } : {}),
    ...(call.back ? { isBack: true } : {}),
    ...(call.reported ? { isReported: true } : {}),
    ...(source === undefined ? {} : { source }),
  };
}

/** How the parent of a call is known. */
export function parentageOf({ parent, parentage }: CallState): Parentage {
  return parentage ?? (parent === undefined ? 'root' : 'named');
}

/** When a call ended or, while it is open, when its latest event arrived. */
export function knownEnd({ at, until, last }: CallState): number {
  return until ?? Math.max(at, last ?? at);
}

function placeOf({ parent, parentage }: CallNode): Pick<CallState, 'parent' | 'parentage'> {
  const usual = parent === undefined ? 'root' : 'named';
  return {
    ...(parent === undefined ? {} : { parent: parent.call.call }),
    ...(parentage === usual ? {} : { parentage }),
  };
}

function timesOf({
  call: { at },
  duration,
  traffic,
}: CallNode): Pick<CallState, 'at' | 'until' | 'last' | 'first'> {
  const { lastAt, firstInAt } = traffic;
  const until = duration === undefined ? undefined : at + duration;
  return {
    at,
    ...(until === undefined ? {} : { until }),
    ...(lastAt === at || lastAt === until ? {} : { last: lastAt }),
    ...(firstInAt === undefined ? {} : { first: firstInAt }),
  };
}

function trafficOf({
  status,
  traffic,
}: CallNode): Pick<CallState, 'ticks' | 'pieces' | 'bytesOut' | 'bytesIn' | 'bytesError' | 'serverTime'> {
  const { ticks, piecesIn, bytesOut, bytesIn, bytesStderr, serverTime } = traffic;
  const reported = status === 'open' ? thin(ticks, TICKS_OF_OPEN) : ticks;
  return {
    ...(piecesIn < 2 ? {} : { ticks: [...reported] }),
    ...(piecesIn === 0 ? {} : { pieces: piecesIn }),
    ...(bytesOut === 0 ? {} : { bytesOut }),
    ...(bytesIn === 0 ? {} : { bytesIn }),
    ...(bytesStderr === 0 ? {} : { bytesError: bytesStderr }),
    ...(serverTime === undefined ? {} : { serverTime }),
  };
}

/** Thins out times evenly; the first one stays. */
function thin(times: readonly number[], most: number): readonly number[] {
  const every = Math.ceil(times.length / most);
  return every <= 1 ? times : times.filter((_, at) => at % every === 0);
}
