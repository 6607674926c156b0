import { DEFAULT_ENCODING, type EncodingName } from '../../../core/catalog/encodings.ts';
import { countOf, showCount } from '../../../core/text/count.ts';
import { runAtOnce } from '../../../core/text/slices.ts';
import type { CountedCall, Uncounted } from '../../../trace/graph/count-tokens.ts';
import type { TokenUsage } from '../../../core/events/events.ts';
import { STEP } from '../../../trace/graph/whole-calls.ts';
import type { TellTokens } from '../../../wire/timeline-messages.ts';
import type { TraceCall, TraceModel } from './model.ts';

/** Before every number that was counted here and not reported. */
export const ABOUT = '≈';

/** What was counted of a call, and what the call was like then. */
interface Known extends Pick<CountedCall, 'tokens' | 'uncounted'> {
  readonly traffic: string;
}

/** Why messages were not counted, as a clause. */
const WHY: Readonly<Record<Uncounted, string>> = {
  notKept: 'messages are not kept',
  noText: 'messages are no text',
};

/**
 * The tokens that agents did not report, as far as they were counted: asks for them when the user wants it, and for no call twice
 * unless more of it came since.
 */
export class TokenCounts {
  readonly #ask: (count: number, calls: readonly string[]) => void;
  readonly #known = new Map<string, Known>();
  #trace = '';
  #encoding: EncodingName = DEFAULT_ENCODING;
  #unreported = 0;
  #due: readonly TraceCall[] = [];
  #question = 0;
  /** What the calls that are counted were like when they were asked for; undefined where nothing is counted. */
  #asked: ReadonlyMap<string, string> | undefined;
  #share = 0;
  #error: string | undefined;

  constructor(ask: (count: number, calls: readonly string[]) => void) {
    this.#ask = ask;
  }

  /** By which tokens were counted. */
  get encoding(): EncodingName {
    return this.#encoding;
  }

  /** Follows a trace: finds the calls that are to be counted. Work: all calls. */
  follow(model: TraceModel): void {
    runAtOnce(this.followSteps(model));
  }

  /** The same in short steps. */
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

  /** The tokens of a call that were counted and not reported since. */
  of({ state: { id, usage = {} } }: TraceCall): TokenUsage | undefined {
    const { tokens } = this.#known.get(id) ?? {};
    if (!tokens) return undefined;
    const { input, output } = tokens;
    return {
      ...(input === undefined || usage.input !== undefined ? {} : { input }),
      ...(output === undefined || usage.output !== undefined ? {} : { output }),
    };
  }

  /** Counts what was not counted, or ends the count that is under way. */
  toggle(): void {
    if (this.#asked) {
      this.#asked = undefined;
      this.#ask(++this.#question, []);
      return;
    }
    if (this.#due.length === 0) return;
    this.#asked = new Map(this.#due.map(call => [call.state.id, trafficOf(call)]));
    this.#share = 0;
    this.#error = undefined;
    this.#ask(++this.#question, [...this.#asked.keys()]);
  }

  /** Takes an answer. Answers whether it is one to the last question. */
  take({ count, encoding, calls, share, error }: TellTokens): boolean {
    const asked = this.#asked;
    if (count !== this.#question || !asked) return false;
    // Sums of two encodings would say nothing: the others are counted again when the user wants it.
    if (encoding !== this.#encoding) this.#known.clear();
    this.#encoding = encoding;
    for (const { call, tokens, uncounted } of calls) {
      const traffic = asked.get(call) ?? '';
      this.#known.set(call, { traffic, tokens, ...(uncounted === undefined ? {} : { uncounted }) });
    }
    this.#share = share;
    this.#error = error;
    if (share === 1) this.#asked = undefined;
    return true;
  }

  /** What there is to say, with what was counted of the whole trace; empty where agents reported all. */
  describe(sums: TokenUsage): string {
    if (this.#unreported === 0) return '';
    if (this.#asked) return `Counting tokens… ${Math.floor(this.#share * 100)} %`;
    if (this.#error !== undefined) return `Tokens were not counted to the end: ${this.#error}`;
    if (this.#known.size === 0)
      return `Agents did not report all tokens of ${countOf(this.#unreported, 'call')}.`;
    const missed = this.#listUncounted();
    return [
      ...(describeSums(sums) === '' ? [] : [`Counted by ${this.#encoding}: ${describeSums(sums)}.`]),
      ...(missed === '' ? [] : [`Not counted in full: ${missed}.`]),
    ].join(' ');
  }

  /** What the button does now; undefined where there is nothing to do. */
  nameAction(): string | undefined {
    if (this.#asked) return 'Stop';
    if (this.#due.length === 0) return undefined;
    return this.#known.size === 0 ? 'Count tokens' : `Count ${showCount(this.#due.length)} more`;
  }

  #clear(trace: string): void {
    this.#trace = trace;
    this.#known.clear();
    this.#asked = undefined;
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

/** What changes with each message that comes. */
function trafficOf({ state: { bytesOut = 0, bytesIn = 0 } }: TraceCall): string {
  return `${bytesOut} ${bytesIn}`;
}
