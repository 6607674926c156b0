import type { CallStatus, TokenUsage, TraceProtocol } from '../../core/events/events.ts';
import type { CallNode, Parentage } from './tree.ts';

/** Times of pieces that are told of a call while it is open: as many as a bar of usual width can show. */
const TICKS_OF_OPEN = 96;

/**
 * A call as it stands at one moment, in plain data: what views elsewhere are told of it. What is not here is what it is for
 * most calls, which keeps a trace of many of them small. Its payload, its names and its attributes are asked for.
 */
export interface CallState {
  readonly id: string;
  readonly parent?: string;
  /** Without it: `root` without a parent, `named` with one. */
  readonly parentage?: Parentage;
  readonly agent: string;
  /** Who calls, where that is known otherwise than by the parent. */
  readonly from?: string;
  readonly protocol: TraceProtocol;
  readonly title: string;
  readonly status: CallStatus;
  readonly code?: string;
  readonly message?: string;
  readonly notes?: readonly string[];
  /** Milliseconds since 1970, as all times here. */
  readonly at: number;
  /** When it ended, never before `at`; without it, it is open. */
  readonly until?: number;
  /** When the newest of its events came, where that is neither `at` nor `until`. */
  readonly last?: number;
  /** When the first of the reply came. */
  readonly first?: number;
  /** When pieces of the reply came, where there were at least two: evenly left out where there were many. */
  readonly ticks?: readonly number[];
  /** Pieces of the reply, all of them; 0 where it is not here, as the bytes below. */
  readonly pieces?: number;
  readonly bytesOut?: number;
  readonly bytesIn?: number;
  readonly bytesError?: number;
  /** Milliseconds that the agent says it took. */
  readonly serverTime?: number;
  readonly usage?: TokenUsage;
  /** Calls above it; 0 where it is not here. */
  readonly depth?: number;
  /** The agents from the one that is entered again to itself. */
  readonly cycle?: readonly string[];
  /** A caller on the way round is inferred. */
  readonly isCycleInferred?: true;
  /** It is the call above it, seen from another side. */
  readonly isView?: true;
  /** What an agent asks of its caller on the same connection. */
  readonly isBack?: true;
  /** Nobody heard its wire: it was told of, as by a span of telemetry. */
  readonly isTold?: true;
  /** Where its request stands in a file. */
  readonly source?: { readonly uri: string; readonly line: number };
}

/** A call as it stands now. */
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
    ...(call.told ? { isTold: true } : {}),
    ...(source === undefined ? {} : { source }),
  };
}

/** How the parent of a call is known. */
export function parentageOf({ parent, parentage }: CallState): Parentage {
  return parentage ?? (parent === undefined ? 'root' : 'named');
}

/** When a call ended or, while it is open, when the newest of its events came. */
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
  const told = status === 'open' ? thin(ticks, TICKS_OF_OPEN) : ticks;
  return {
    ...(piecesIn < 2 ? {} : { ticks: [...told] }),
    ...(piecesIn === 0 ? {} : { pieces: piecesIn }),
    ...(bytesOut === 0 ? {} : { bytesOut }),
    ...(bytesIn === 0 ? {} : { bytesIn }),
    ...(bytesStderr === 0 ? {} : { bytesError: bytesStderr }),
    ...(serverTime === undefined ? {} : { serverTime }),
  };
}

/** The times without those between, evenly; the first one stays. */
function thin(times: readonly number[], most: number): readonly number[] {
  const every = Math.ceil(times.length / most);
  return every <= 1 ? times : times.filter((_, at) => at % every === 0);
}
