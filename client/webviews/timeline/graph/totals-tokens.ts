import { DEFAULT_ENCODING, type EncodingName } from '../../../../core/catalog/costs.ts';
import { countOf, showCount } from '../../../../core/text/count.ts';
import type { CountedCall, Uncounted } from '../../../../trace/graph/count-tokens.ts';
import type { TokenUsage } from '../../../../core/events/events.ts';
import { STEP } from '../../../../trace/graph/whole-calls.ts';
import type { ReportTokens } from '../../../../wire/timeline-messages.ts';
import type { TraceCall, TraceModel } from '../model.ts';

/** The prefix of numbers that were counted here instead of reported. */
export const ABOUT = '≈';

/** The counted tokens of a call, and its traffic at that time. */
interface Known extends Pick<CountedCall, 'tokens' | 'uncounted'> {
  readonly traffic: string;
}

/** The reasons why messages were not counted, as clauses. */
const WHY: Readonly<Record<Uncounted, string>> = {
  notKept: 'messages are not recorded',
  noText: 'messages are not text',
};

/**
 * Counts of the tokens that agents did not report. They are requested by the user, and again only for calls
 * whose traffic has changed.
 */
export class TokenCounts {
  readonly #ask: (count: number, calls: readonly string[]) => void;
  readonly #known = new Map<string, Known>();
  #trace = '';
  #encoding: EncodingName = DEFAULT_ENCODING;
  #unreported = 0;
  #due: readonly TraceCall[] = [];
  #question = 0;
  /** The traffic of the calls being counted, at the time of the request; undefined if no count is running. */
  #requested: ReadonlyMap<string, string> | undefined;
  #share = 0;
  #error: string | undefined;

  constructor(ask: (count: number, calls: readonly string[]) => void) {
    this.#ask = ask;
  }

  /** The encoding of the counted tokens. */
  get encoding(): EncodingName {
    return this.#encoding;
  }

  /** Follows a trace in short steps: finds the calls that can be counted. Cost: O(all calls). */
  *followSteps(model: TraceModel): Generator<undefined, void> {
    if (model.trace !== this.#trace) this.#clear(model.trace);
    const due: TraceCall[] = [];
    let [looked, unreported] = [0, 0];
    for (const call of model.all()) {
      if (++looked % STEP === 0) yield undefined;
      if (!isUnreported(call)) continue;
      unreported++;
      if (this.#known.get(call.state.id)?.traffic !== trafficOf(call)) due.push(call);
    }
    this.#unreported = unreported;
    this.#due = due;
    for (const id of this.#known.keys()) {
      const call = model.find(id);
      if (!call || !isUnreported(call)) this.#known.delete(id);
    }
  }

  /** The counted tokens of a call, without those that were reported meanwhile. */
  of({ state: { id, usage = {} } }: TraceCall): TokenUsage | undefined {
    const { tokens } = this.#known.get(id) ?? {};
    if (!tokens) return undefined;
    const { input, output } = tokens;
    return {
      ...(input === undefined || usage.input !== undefined ? {} : { input }),
      ...(output === undefined || usage.output !== undefined ? {} : { output }),
    };
  }

  /** Counts what is not counted yet, or stops the running count. */
  toggle(): void {
    if (this.#requested) {
      this.#requested = undefined;
      return this.#ask(++this.#question, []);
    }
    if (this.#due.length === 0) return;
    this.#requested = new Map(this.#due.map(call => [call.state.id, trafficOf(call)]));
    this.#share = 0;
    this.#error = undefined;
    this.#ask(++this.#question, [...this.#requested.keys()]);
  }

  /** Applies an answer. Returns false if it is not for the last request. */
  take({ count, encoding, calls, share, error }: ReportTokens): boolean {
    const requested = this.#requested;
    if (count !== this.#question || !requested) return false;
    // Counts of two encodings must not be summed, so the old ones are dropped; the user can count them again.
    if (encoding !== this.#encoding) this.#known.clear();
    this.#encoding = encoding;
    for (const { call, tokens, uncounted } of calls) {
      const traffic = requested.get(call) ?? '';
      this.#known.set(call, { traffic, tokens, ...(uncounted === undefined ? {} : { uncounted }) });
    }
    this.#share = share;
    this.#error = error;
    if (share === 1) this.#requested = undefined;
    return true;
  }

  /**
   * Describes the state of counting, given the counted tokens of the whole trace; empty if agents reported
   * all tokens.
   */
  describe(sums: TokenUsage): string {
    if (this.#unreported === 0) return '';
    if (this.#requested) return `Counting tokens… ${Math.floor(this.#share * 100)} %`;
    if (this.#error !== undefined) return `Tokens were not counted to the end: ${this.#error}`;
    if (this.#known.size === 0)
      return `Agents did not report all tokens of ${countOf(this.#unreported, 'call')}.`;
    const missed = this.#listUncounted();
    return [
      ...(describeSums(sums) === '' ? [] : [`Counted by ${this.#encoding}: ${describeSums(sums)}.`]),
      ...(missed === '' ? [] : [`Not counted in full: ${missed}.`]),
    ].join(' ');
  }

  /** The label of the button; undefined if there is nothing to do. */
  nameAction(): string | undefined {
    if (this.#requested) return 'Stop';
    if (this.#due.length === 0) return undefined;
    return this.#known.size === 0 ? 'Count tokens' : `Count ${showCount(this.#due.length)} more`;
  }

  #clear(trace: string): void {
    this.#trace = trace;
    this.#known.clear();
    this.#requested = undefined;
    this.#error = undefined;
  }

  #listUncounted(): string {
    const counts = new Map<Uncounted, number>();
    for (const { uncounted } of this.#known.values())
      if (uncounted !== undefined) counts.set(uncounted, (counts.get(uncounted) ?? 0) + 1);
    return [...counts].map(([why, calls]) => `${countOf(calls, 'call')}, because ${WHY[why]}`).join('; ');
  }
}

function describeSums({ input, output }: TokenUsage): string {
  return [
    ...(input === undefined ? [] : [`${ABOUT} ${countOf(input, 'token')} in`]),
    ...(output === undefined ? [] : [`${ABOUT} ${countOf(output, 'token')} out`]),
  ].join(', ');
}

function isUnreported({ state: { usage = {}, isView } }: TraceCall): boolean {
  return isView !== true && (usage.input === undefined || usage.output === undefined);
}

/** A key that changes with every message of the call. */
function trafficOf({ state: { bytesOut = 0, bytesIn = 0 } }: TraceCall): string {
  return `${bytesOut} ${bytesIn}`;
}
