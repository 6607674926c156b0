import { runAtOnce } from '../../core/text/slices.ts';
import type { CallState } from '../fold/call-state.ts';

/** Reads a tree of calls, whatever its representation. */
export interface CallReader<Call> {
  state(call: Call): CallState;
  /** When it ended, in milliseconds since 1970; for an open call, the time until which it counts. */
  until(call: Call): number;
  /** Ordered by their time, then by their id. */
  children(call: Call): readonly Call[];
}

/**
 * A call with its views from all sides. Participants are agents by name; undefined is the client, outside of
 * the trace.
 */
export interface WholeCall<Call> {
  readonly call: Call;
  readonly state: CallState;
  /** Never before its beginning. */
  readonly until: number;
  readonly caller: string | undefined;
  readonly callee: string | undefined;
  readonly above: WholeCall<Call> | undefined;
  /** The number of calls above it, without views from other sides. */
  readonly level: number;
  /** The views of this call closest to the agent, if it was observed from another side. */
  readonly views: readonly Call[];
  /** Its children, observed from any side; ordered by their time, then by their id. */
  readonly children: readonly Call[];
}

/** The number of calls that are processed in one step. */
export const STEP = 1024;

/**
 * The calls of a trace, each once even if it was observed from several sides: parents first, siblings in the order of
 * their times. An agent's request to its caller on the same connection has that caller as its callee. Visits all calls.
 */
export function listWholeCalls<Call>(
  roots: readonly Call[],
  reader: CallReader<Call>,
): readonly WholeCall<Call>[] {
  return runAtOnce(wholeCallSteps(roots, reader));
}

/** The same in short steps. */
export function* wholeCallSteps<Call>(
  roots: readonly Call[],
  reader: CallReader<Call>,
): Generator<undefined, readonly WholeCall<Call>[]> {
  const found: WholeCall<Call>[] = [];
  const open: { readonly call: Call; readonly above: WholeCall<Call> | undefined }[] = [];
  const push = (calls: readonly Call[], above: WholeCall<Call> | undefined): void => {
    for (const call of calls.toReversed()) open.push({ call, above });
  };
  push(roots, undefined);
  for (let next = open.pop(); next; next = open.pop()) {
    const whole = readWhole(next.call, next.above, reader);
    if (found.push(whole) % STEP === 0) yield undefined;
    push(whole.children, whole);
  }
  return found;
}

function readWhole<Call>(
  call: Call,
  above: WholeCall<Call> | undefined,
  reader: CallReader<Call>,
): WholeCall<Call> {
  const state = reader.state(call);
  const { from, agent, isBack, at } = state;
  return {
    call,
    state,
    until: Math.max(at, reader.until(call)),
    caller: from ?? above?.callee,
    // The recorder does not know the name of a client, so the callee is the caller of the parent call.
    callee: isBack && from !== undefined && above ? above.caller : agent,
    above,
    level: above ? above.level + 1 : 0,
    ...gather(call, reader),
  };
}

function gather<Call>(call: Call, reader: CallReader<Call>): Pick<WholeCall<Call>, 'views' | 'children'> {
  const direct = reader.children(call);
  if (!direct.some(child => reader.state(child).isView)) return { views: [], children: direct };
  const views: Call[] = [];
  const children: Call[] = [];
  const open: Call[] = [call];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    let isNearest = next !== call;
    for (const child of reader.children(next)) {
      if (reader.state(child).isView) {
        open.push(child);
        isNearest = false;
      } else children.push(child);
    }
    if (isNearest) views.push(next);
  }
  const compare = (one: CallState, other: CallState): number =>
    compareTimes(one.at, other.at) || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);
  return { views, children: children.sort((one, other) => compare(reader.state(one), reader.state(other))) };
}

/** Compares times. Subtraction would not do, because hostile times may be so large that the difference is NaN. */
export function compareTimes(one: number, other: number): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** True if a call failed, or was cut before its end. */
export function hasFailed({ status }: Pick<CallState, 'status'>): boolean {
  return status === 'error' || status === 'incomplete';
}

/** The maximum duration of a call; unrealistic times would otherwise dominate all totals. */
const LONGEST = 2 ** 53;

/** Milliseconds from one time to another; 0 if that is negative, unrealistic or NaN. */
export function lengthOf(from: number, to: number): number {
  const length = to - from;
  return length <= LONGEST ? Math.max(0, length) : 0;
}
