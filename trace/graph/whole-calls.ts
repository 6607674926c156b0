import { runAtOnce } from '../../core/text/slices.ts';
import type { CallState } from '../fold/call-state.ts';

/** How a tree of calls is read, whoever holds it. */
export interface CallReader<Call> {
  state(call: Call): CallState;
  /** When it ended, in milliseconds since 1970; of an open call the time to which it counts. */
  until(call: Call): number;
  /** Ordered by their time, then by their id. */
  children(call: Call): readonly Call[];
}

/** A call with all that was seen of it. Those who take part are agents by their names; undefined is the client, outside of the trace. */
export interface WholeCall<Call> {
  readonly call: Call;
  readonly state: CallState;
  /** Never before its beginning. */
  readonly until: number;
  readonly caller: string | undefined;
  readonly callee: string | undefined;
  readonly above: WholeCall<Call> | undefined;
  /** Calls above it, those that were seen from another side not counted. */
  readonly level: number;
  /** The same call as it was seen nearest to the agent, where it was seen from another side at all. */
  readonly views: readonly Call[];
  /** What it led to, from whichever side that was seen; ordered by their time, then by their id. */
  readonly children: readonly Call[];
}

/** So many calls are worked on in one step. */
export const STEP = 1024;

/**
 * The calls of a trace, each once, however many sides it was seen from: after the one above it, side by side in the order
 * of their times. What an agent asks of its caller on the same connection goes to whoever called it. Work: all calls.
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
    for (let at = calls.length - 1; at >= 0; at--) {
      const call = calls[at];
      if (call !== undefined) open.push({ call, above });
    }
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
    // The recorder does not know who a client is: whoever called the agent is asked by it.
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

/** Times in their order. Hostile ones may be so large that their difference is no number. */
export function compareTimes(one: number, other: number): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** True where a call failed, or was cut before its end. */
export function hasFailed({ status }: Pick<CallState, 'status'>): boolean {
  return status === 'error' || status === 'incomplete';
}

/** Longer than this no call takes: a length that is told as more, by times that no clock tells, would drown all others. */
const LONGEST = 2 ** 53;

/** Milliseconds from one time to another; 0 where that is no length, as between times that are no times. */
export function lengthOf(from: number, to: number): number {
  const length = to - from;
  return length <= LONGEST ? Math.max(0, length) : 0;
}
