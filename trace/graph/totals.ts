import type { TokenUsage } from '../../core/events/events.ts';
import { runAtOnce } from '../../core/text/slices.ts';
import { sortSteps } from './sort-steps.ts';
import { STEP, compareTimes, hasFailed, lengthOf, type CallReader, type WholeCall } from './whole-calls.ts';

/** Reads the calls of a trace for its totals. */
export interface TotalsReader<Call> extends CallReader<Call> {
  /** The counted tokens of a call; without it, nothing is counted. */
  countTokens?(call: Call): TokenUsage | undefined;
}

/** The totals of the calls to one agent. Times are in milliseconds, and added up even if calls overlap. */
export interface AgentTotals {
  /** Undefined is the client, if agents made requests to it. */
  readonly agent: string | undefined;
  /** A call that was observed from several sides counts once. */
  readonly calls: number;
  /** Calls that failed or were cut before their end. */
  readonly errors: number;
  readonly open: number;
  readonly duration: number;
  /** The time in which calls did not wait for their children; `own` and `waiting` add up to `duration`. */
  readonly own: number;
  readonly waiting: number;
  /** Tokens as agents reported them, without members that none reported. */
  readonly reported: TokenUsage;
  /** Counted tokens, if requested. */
  readonly counted: TokenUsage;
  /** Bytes to the agent, and from it. */
  readonly bytesOut: number;
  readonly bytesIn: number;
  /**
   * Calls that were observed closer to the agent too, or whose time the agent reports (`Server-Timing`):
   * their total time there, and for their callers.
   */
  readonly served: { readonly calls: number; readonly there: number; readonly here: number } | undefined;
}

/** The totals of a trace: of each agent in the order of its first call, and of all calls. */
export interface TraceTotals {
  readonly agents: readonly AgentTotals[];
  readonly all: Omit<AgentTotals, 'agent'>;
}

/** Adds up a trace. Visits all calls, and sorts the children of each once. */
export function addUp<Call>(calls: readonly WholeCall<Call>[], reader: TotalsReader<Call>): TraceTotals {
  return runAtOnce(totalSteps(calls, reader));
}

/** The same in short steps. */
export function* totalSteps<Call>(
  calls: readonly WholeCall<Call>[],
  reader: TotalsReader<Call>,
): Generator<undefined, TraceTotals> {
  const firsts = yield* sortSteps(calls, (one, other) => compareTimes(one.state.at, other.state.at));
  const sums = new Map<string | undefined, Sum>();
  for (const { callee } of firsts) if (!sums.has(callee)) sums.set(callee, new Sum());
  const all = new Sum();
  for (const [index, whole] of calls.entries()) {
    const part = yield* measureSteps(whole, reader);
    sums.get(whole.callee)?.add(part);
    all.add(part);
    if (index % STEP === 0) yield undefined;
  }
  return { agents: [...sums].map(([agent, sum]) => ({ agent, ...sum.totals })), all: all.totals };
}

/** The contribution of one call. */
interface Part extends Omit<AgentTotals, 'agent' | 'calls' | 'errors' | 'open' | 'own'> {
  readonly status: 'failed' | 'open' | 'done';
}

function* measureSteps<Call>(whole: WholeCall<Call>, reader: TotalsReader<Call>): Generator<undefined, Part> {
  const { call, state, until, views, children } = whole;
  const { at, status, usage = {}, bytesOut = 0, bytesIn = 0 } = state;
  const duration = lengthOf(at, until);
  const there =
    views.length === 0 ? state.serverTime : yield* coverageSteps(views, [-Infinity, Infinity], reader);
  return {
    status: hasFailed(state) ? 'failed' : status === 'open' ? 'open' : 'done',
    duration,
    waiting: Math.min(duration, yield* coverageSteps(children, [at, until], reader)),
    reported: usage,
    counted: reader.countTokens?.(call) ?? {},
    bytesOut,
    bytesIn,
    served: there === undefined ? undefined : { calls: 1, there, here: duration },
  };
}

/** The time between `from` and `to` in which at least one of the calls ran. */
function* coverageSteps<Call>(
  calls: readonly Call[],
  [from, to]: readonly [from: number, to: number],
  reader: CallReader<Call>,
): Generator<undefined, number> {
  if (calls.length === 0) return 0;
  const spans: { readonly from: number; readonly to: number }[] = [];
  for (const call of calls) {
    const span = { from: Math.max(from, reader.state(call).at), to: Math.min(to, reader.until(call)) };
    if (spans.push(span) % STEP === 0) yield undefined;
  }
  const inOrder = yield* sortSteps(spans, (one, other) => compareTimes(one.from, other.from));
  let [covered, last] = [0, -Infinity];
  for (const [index, span] of inOrder.entries()) {
    covered += lengthOf(Math.max(span.from, last), span.to);
    last = Math.max(last, span.to);
    if (index % STEP === STEP - 1) yield undefined;
  }
  return covered;
}

class Sum {
  #calls = 0;
  #errors = 0;
  #open = 0;
  #duration = 0;
  #waiting = 0;
  #bytesOut = 0;
  #bytesIn = 0;
  #reported: TokenUsage = {};
  #counted: TokenUsage = {};
  #served: AgentTotals['served'];

  add(part: Part): void {
    this.#calls++;
    if (part.status === 'failed') this.#errors++;
    if (part.status === 'open') this.#open++;
    this.#duration += part.duration;
    this.#waiting += part.waiting;
    this.#bytesOut += part.bytesOut;
    this.#bytesIn += part.bytesIn;
    this.#reported = addTokens(this.#reported, part.reported);
    this.#counted = addTokens(this.#counted, part.counted);
    const { served } = part;
    if (!served) return;
    const { calls, there, here } = this.#served ?? { calls: 0, there: 0, here: 0 };
    this.#served = { calls: calls + 1, there: there + served.there, here: here + served.here };
  }

  get totals(): Omit<AgentTotals, 'agent'> {
    return {
      calls: this.#calls,
      errors: this.#errors,
      open: this.#open,
      duration: this.#duration,
      own: this.#duration - this.#waiting,
      waiting: this.#waiting,
      reported: this.#reported,
      counted: this.#counted,
      bytesOut: this.#bytesOut,
      bytesIn: this.#bytesIn,
      served: this.#served,
    };
  }
}

/** The sum of two counts; a part that neither has is missing. */
export function addTokens(one: TokenUsage, other: TokenUsage): TokenUsage {
  if (other.input === undefined && other.output === undefined) return one;
  const add = (a: number | undefined, b: number | undefined): number | undefined =>
    a === undefined || b === undefined ? (a ?? b) : a + b;
  const [input, output] = [add(one.input, other.input), add(one.output, other.output)];
  return { ...(input === undefined ? {} : { input }), ...(output === undefined ? {} : { output }) };
}
