import { runAtOnce } from '../../core/text/slices.ts';
import { sortSteps } from './sort-steps.ts';
import type { Participant } from './call-graph.ts';
import { MAX_AGENTS } from './graph-layout.ts';
import { STEP, compareTimes, type WholeCall } from './whole-calls.ts';

/** A lane of a sequence diagram; the last one may hold all agents beyond the maximum. */
export interface Lane {
  readonly agents: readonly Participant[];
}

/** An arrow of a sequence diagram: a call, or the reply to it. */
export interface SequenceStep<Call> {
  readonly kind: 'call' | 'reply';
  readonly call: Call;
  readonly caller: Participant;
  readonly callee: Participant;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Indexes of lanes. */
  readonly from: number;
  readonly to: number;
}

/**
 * A range of steps, `last` included, in which a lane has an open call. It may begin before the requested
 * steps, or end after them.
 */
export interface Activity {
  readonly lane: number;
  readonly first: number;
  readonly last: number;
}

/** The number of steps between two stored counts of open calls. */
const BLOCK = 64;

/**
 * A trace as a sequence diagram: its calls and replies in the order of their times, from lane to lane. A call
 * observed from several sides is drawn once; an open one has no reply. Construction sorts all calls; reading
 * a part takes time proportional to that part.
 */
export class SequenceDiagram<Call> {
  readonly lanes: readonly Lane[];
  readonly #calls: readonly WholeCall<Call>[];
  /** By step, twice the index of its call, plus 1 for the reply. */
  readonly #steps: Int32Array;
  /** The indexes of the steps of each call: its call and its reply. */
  readonly #places: Int32Array;
  readonly #callers: Int32Array;
  readonly #callees: Int32Array;
  readonly #numbers = new Map<Call, number>();
  /** By block, the number of open calls of each lane at its beginning. */
  #active = new Int32Array();

  private constructor(calls: readonly WholeCall<Call>[], steps: Int32Array, lanes: LanesOfCalls) {
    this.#calls = calls;
    this.#steps = steps;
    this.#places = new Int32Array(calls.length * 2).fill(-1);
    this.lanes = lanes.lanes;
    this.#callers = lanes.callers;
    this.#callees = lanes.callees;
  }

  /** Makes the diagram in short steps. */
  static *steps<Call>(calls: readonly WholeCall<Call>[]): Generator<undefined, SequenceDiagram<Call>> {
    const steps = yield* orderSteps(calls);
    const diagram = new SequenceDiagram(calls, steps, yield* laneSteps(calls, steps));
    yield* diagram.#placeSteps();
    yield* diagram.#activeSteps();
    return diagram;
  }

  *#placeSteps(): Generator<undefined, void> {
    for (const [number, { call }] of this.#calls.entries()) {
      this.#numbers.set(call, number);
      if (number % STEP === 0) yield undefined;
    }
    for (const [index, code] of this.#steps.entries()) {
      this.#places[code] = index;
      if (index % STEP === 0) yield undefined;
    }
  }

  /** The number of steps. */
  get length(): number {
    return this.#steps.length;
  }

  /** The step at an index from 0. */
  at(index: number): SequenceStep<Call> | undefined {
    const code = this.#steps[index] ?? -1;
    const number = code >> 1;
    const whole = this.#calls[number];
    if (!whole) return undefined;
    const { call, caller, callee, state, until } = whole;
    const [from, to] = [this.#callers[number] ?? 0, this.#callees[number] ?? 0];
    return code % 2 === 0
      ? { kind: 'call', call, caller, callee, at: state.at, from, to }
      : { kind: 'reply', call, caller, callee, at: until, from: to, to: from };
  }

  /** The step indexes of a call and its reply; -1 for a missing reply, or a call that is not drawn. */
  find(call: Call): { readonly call: number; readonly reply: number } {
    const number = this.#numbers.get(call);
    if (number === undefined) return { call: -1, reply: -1 };
    return { call: this.#places[number * 2] ?? -1, reply: this.#places[number * 2 + 1] ?? -1 };
  }

  /** The activity of lanes in the steps from `first` up to `end`. Visits these steps, the lanes, and one block. */
  activity(first: number, end: number): readonly Activity[] {
    const width = this.lanes.length;
    const block = Math.floor(first / BLOCK);
    const counts = this.#active.slice(block * width, (block + 1) * width);
    for (let index = block * BLOCK; index < first; index++) this.#step(index, counts);
    const found: Activity[] = [];
    const begun = new Map<number, number>();
    for (const [lane, count] of counts.entries()) if (count > 0) begun.set(lane, first - 1);
    for (let index = first; index < Math.min(end, this.length); index++) {
      const { lane, count } = this.#step(index, counts);
      const start = begun.get(lane);
      if (count > 0 && start === undefined) begun.set(lane, index);
      else if (count === 0 && start !== undefined) {
        found.push({ lane, first: start, last: index });
        begun.delete(lane);
      }
    }
    for (const [lane, start] of begun) found.push({ lane, first: start, last: end });
    return found;
  }

  /** Counts one step. Returns the lane whose count changed, and the count. */
  #step(index: number, counts: Int32Array): { readonly lane: number; readonly count: number } {
    const code = this.#steps[index] ?? 0;
    const lane = this.#callees[code >> 1] ?? 0;
    const count = (counts[lane] ?? 0) + (code % 2 === 0 ? 1 : -1);
    counts[lane] = count;
    return { lane, count };
  }

  *#activeSteps(): Generator<undefined, void> {
    const width = this.lanes.length;
    const counts = new Int32Array(width);
    const all = new Int32Array(Math.ceil(this.length / BLOCK) * width);
    for (let index = 0; index < this.length; index++) {
      if (index % BLOCK === 0) all.set(counts, (index / BLOCK) * width);
      if (index % STEP === 0) yield undefined;
      this.#step(index, counts);
    }
    this.#active = all;
  }
}

/** Makes the diagram of a trace without pauses. */
export function makeSequenceDiagram<Call>(calls: readonly WholeCall<Call>[]): SequenceDiagram<Call> {
  return runAtOnce(SequenceDiagram.steps(calls));
}

/** Lanes in the order in which agents first take part, and the lanes of the caller and callee of each call. */
interface LanesOfCalls {
  readonly lanes: readonly Lane[];
  readonly callers: Int32Array;
  readonly callees: Int32Array;
}

function* laneSteps<Call>(
  calls: readonly WholeCall<Call>[],
  steps: Int32Array,
): Generator<undefined, LanesOfCalls> {
  const [callers, callees] = [new Int32Array(calls.length), new Int32Array(calls.length)];
  const numbers = new Map<Participant, number>();
  const agents: Participant[] = [];
  const numberOf = (agent: Participant): number => {
    const known = numbers.get(agent);
    if (known !== undefined) return known;
    numbers.set(agent, agents.length);
    agents.push(agent);
    return agents.length - 1;
  };
  for (const [index, code] of steps.entries()) {
    if (index % STEP === 0) yield undefined;
    if (code % 2 === 1) continue;
    const number = code >> 1;
    const whole = calls[number];
    if (!whole) continue;
    callers[number] = numberOf(whole.caller);
    callees[number] = numberOf(whole.callee);
  }
  if (agents.length <= MAX_AGENTS)
    return { lanes: agents.map(agent => ({ agents: [agent] })), callers, callees };
  const last = MAX_AGENTS - 1;
  for (const lanes of [callers, callees])
    for (const [number, lane] of lanes.entries()) lanes[number] = Math.min(last, lane);
  const lanes = [
    ...agents.slice(0, last).map(agent => ({ agents: [agent] })),
    { agents: agents.slice(last) },
  ];
  return { lanes, callers, callees };
}

/**
 * Sorts calls and replies by their times; at equal times in the order of the tree: the descendants of a call
 * come between the call and its reply.
 */
function* orderSteps<Call>(calls: readonly WholeCall<Call>[]): Generator<undefined, Int32Array> {
  const sizes = countBelow(calls);
  const times = new Float64Array(calls.length * 2);
  const ranks = new Int32Array(calls.length * 2);
  const codes: number[] = [];
  for (const [number, { state, until, level }] of calls.entries()) {
    const call = number * 2;
    times[call] = state.at;
    times[call + 1] = until;
    ranks[call] = call - level;
    ranks[call + 1] = call - level + 2 * (sizes[number] ?? 1) - 1;
    codes.push(call);
    if (state.status !== 'open') codes.push(call + 1);
    if (number % STEP === 0) yield undefined;
  }
  const timeOf = (code: number): number => times[code] ?? 0;
  const inOrder = yield* sortSteps(
    codes,
    (one, other) => compareTimes(timeOf(one), timeOf(other)) || (ranks[one] ?? 0) - (ranks[other] ?? 0),
  );
  const steps = new Int32Array(inOrder.length);
  for (const [index, code] of inOrder.entries()) {
    steps[index] = code;
    if (index % STEP === 0) yield undefined;
  }
  return steps;
}

/** The size of each call's subtree. The parent of a call is the last one before it that is one level higher. */
function countBelow<Call>(calls: readonly WholeCall<Call>[]): Int32Array {
  const sizes = new Int32Array(calls.length).fill(1);
  const above = new Int32Array(calls.length).fill(-1);
  const last: number[] = [];
  for (const [number, { level }] of calls.entries()) {
    above[number] = last[level - 1] ?? -1;
    last[level] = number;
  }
  for (let number = calls.length - 1; number >= 0; number--) {
    const parent = above[number] ?? -1;
    if (parent >= 0) sizes[parent] = (sizes[parent] ?? 0) + (sizes[number] ?? 0);
  }
  return sizes;
}
