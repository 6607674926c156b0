import { ALL_PROTOCOLS } from '../../../../../protocols/all.ts';
import { PartsReader } from '../../../../../protocols/reply-parts/parts-reader.ts';
import { PayloadCheck } from '../../../../../trace/payload-check.ts';
import type { PayloadPiece } from '../../../../../core/events/payload.ts';
import { PayloadLimiter, fitPayload } from '../../../../../trace/payload-limiter.ts';
import { CallSearch, partsHold } from '../../../../../trace/search.ts';
import type { CallNode } from '../../../../../trace/fold/tree.ts';
import { SliceTurns } from '../../../../../core/text/slices.ts';
import { EXTENSION_HOST } from '../../../base/slices.ts';
import { PARTS_LIMITS, mayHaveParts } from '../../../trace/call-parts.ts';
import type { TraceSource } from '../../../trace/trace-source.ts';

/**
 * Reports the progress of a search: the calls found since the last report, the completed share from 0 to 1,
 * and the number of calls whose payload could not be read completely.
 */
export type ReportFound = (calls: readonly string[], share: number, lost: number) => void;

/**
 * Searches a text in the payloads of calls, the parts of their replies, heads, attributes and trace names,
 * ignoring case. It runs in slices until all calls are searched; calls can be added at any time.
 */
export class PayloadSearch {
  readonly #source: TraceSource;
  readonly #text: string;
  readonly #report: ReportFound;
  /** The calls for the next pass. */
  #calls: string[];
  #looked = 0;
  /** The number of calls left in this pass. */
  #left = 0;
  #isRunning = false;
  readonly #stopped = new AbortController();
  /** The last reported percentage. */
  #reported = 0;
  /** Calls that could not be read completely. */
  readonly #lost = new Set<string>();

  constructor(source: TraceSource, calls: readonly string[], text: string, report: ReportFound) {
    this.#source = source;
    this.#text = text.toLowerCase();
    this.#report = report;
    this.#calls = [...calls];
    void this.#run();
  }

  /** Adds calls, or searches them again. */
  add(calls: readonly string[]): void {
    if (this.#stopped.signal.aborted || calls.length === 0) return;
    for (const call of calls) this.#calls.push(call);
    void this.#run();
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#looked = 0;
    let found: string[] = [];
    const turns = new SliceTurns({ ...EXTENSION_HOST, isStopped: () => this.#stopped.signal.aborted });
    do {
      for await (const call of this.#lookThrough()) {
        if (this.#stopped.signal.aborted) return;
        if (call !== undefined) found.push(call);
        if (!turns.isDue) continue;
        found = this.#reportSome(found);
        if (!(await turns.yield())) return;
      }
    } while (this.#calls.length > 0);
    this.#isRunning = false;
    if (!this.#stopped.signal.aborted) this.#report(found, 1, this.#lost.size);
  }

  /**
   * Searches the pending calls in one pass. Yields after each piece of payload, with the id of a call that is
   * found.
   */
  async *#lookThrough(): AsyncGenerator<string | undefined, void> {
    const calls = this.#calls;
    this.#calls = [];
    this.#left = calls.length;
    let look: CallLook | undefined;
    for await (const piece of this.#source.payloads(calls)) {
      if (look?.call !== piece.call) look = new CallLook(piece.call, this.#source, this.#text);
      const isFound = yield* look.takeSteps(piece);
      if (piece.isLast) {
        this.#looked++;
        this.#left--;
        if (look.isWhole) this.#lost.delete(piece.call);
        else this.#lost.add(piece.call);
        look = undefined;
      }
      yield isFound && piece.isLast ? piece.call : undefined;
    }
  }

  /** Reports found calls and a changed percentage. Returns the calls that are still to be reported. */
  #reportSome(found: string[]): string[] {
    const all = this.#looked + this.#left + this.#calls.length;
    const percent = Math.min(99, Math.floor((100 * this.#looked) / all));
    if (found.length === 0 && percent === this.#reported) return found;
    this.#reported = percent;
    this.#report(found, percent / 100, this.#lost.size);
    return [];
  }
}

/** The search of one call, piece by piece. */
class CallLook {
  readonly call: string;
  readonly #node: CallNode | undefined;
  readonly #text: string;
  readonly #search: CallSearch | undefined;
  readonly #parts: PartsReader | undefined;
  readonly #limiter = new PayloadLimiter(PARTS_LIMITS);
  readonly #check: PayloadCheck | undefined;

  constructor(call: string, source: Pick<TraceSource, 'find'>, text: string) {
    this.call = call;
    const node = source.find(call);
    this.#node = node;
    this.#text = text;
    this.#search = node && new CallSearch(node, text);
    this.#parts =
      node && mayHaveParts(node) ? new PartsReader(ALL_PROTOCOLS.find(node.call.protocol)) : undefined;
    // An open call may have grown since it was read; it is searched again then.
    this.#check = node && node.status !== 'open' ? new PayloadCheck(node.traffic) : undefined;
  }

  /** False if, after the last piece, the payload was incomplete. */
  get isWhole(): boolean {
    return this.#check?.isWhole !== false;
  }

  /** Returns true if the text is found. A match in a part is known only with the last piece. */
  *takeSteps({ events, isLast }: PayloadPiece): Generator<undefined, boolean> {
    if (!this.#search) return false;
    this.#check?.take(events);
    this.#search.push(events);
    if (this.#search.isFound || !this.#parts) return this.#search.isFound;
    for (const event of fitPayload(events, this.#limiter)) this.#parts.push(event);
    if (!isLast) return false;
    if (this.#node?.status !== 'open') yield* this.#parts.endSteps();
    return partsHold(this.#parts.list(), this.#text);
  }
}
