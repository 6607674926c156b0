import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { PartsReader } from '../../../protocols/reply-parts/parts-reader.ts';
import { PayloadCheck } from '../../../trace/payload-check.ts';
import type { PayloadPiece } from '../../../core/events/payload-pieces.ts';
import { PayloadRoom, fitPayload } from '../../../trace/payload-room.ts';
import { CallSearch, partsHold } from '../../../trace/search.ts';
import type { CallNode } from '../../../trace/fold/tree.ts';
import { SliceTurns } from '../../../core/text/slices.ts';
import { EXTENSION_HOST } from '../slices.ts';
import { PARTS_ROOM, mayHaveParts } from './call-parts.ts';
import type { TraceSource } from './trace-source.ts';

/**
 * What a search tells: the calls that were found since it told last, how much was looked at, from 0 to 1, and of how many calls
 * not all can be read that was on their wire.
 */
export type TellFound = (calls: readonly string[], share: number, lost: number) => void;

/**
 * Looks for a text in what was on the wire of calls, in the parts of their replies, in their heads, their attributes and the names
 * of their trace. Case does not count. It goes on in slices until all calls were looked at; calls may be added while it does and after.
 */
export class PayloadSearch {
  readonly #source: TraceSource;
  readonly #text: string;
  readonly #tell: TellFound;
  /** Those that wait for the next pass. */
  #calls: string[];
  #looked = 0;
  /** How many of this pass were not looked at yet. */
  #left = 0;
  #isRunning = false;
  readonly #stopped = new AbortController();
  /** The percent that was told last. */
  #told = 0;
  /** Calls of which not all can be read. */
  readonly #lost = new Set<string>();

  constructor(source: TraceSource, calls: readonly string[], text: string, tell: TellFound) {
    this.#source = source;
    this.#text = text.toLowerCase();
    this.#tell = tell;
    this.#calls = [...calls];
    void this.#run();
  }

  /** Looks at these calls too, or again. */
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
        found = this.#tellSome(found);
        if (!(await turns.yield())) return;
      }
    } while (this.#calls.length > 0);
    this.#isRunning = false;
    if (!this.#stopped.signal.aborted) this.#tell(found, 1, this.#lost.size);
  }

  /** Looks through the calls that wait, in one pass. Yields at each piece of what was on the wire, with a call that is found. */
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

  /** Tells what was found, and how far it is where that is another percent. Answers what is found and not told. */
  #tellSome(found: string[]): string[] {
    const all = this.#looked + this.#left + this.#calls.length;
    const percent = Math.min(99, Math.floor((100 * this.#looked) / all));
    if (found.length === 0 && percent === this.#told) return found;
    this.#told = percent;
    this.#tell(found, percent / 100, this.#lost.size);
    return [];
  }
}

/** The look at one call, piece by piece. */
class CallLook {
  readonly call: string;
  readonly #node: CallNode | undefined;
  readonly #text: string;
  readonly #search: CallSearch | undefined;
  readonly #parts: PartsReader | undefined;
  readonly #room = new PayloadRoom(PARTS_ROOM);
  readonly #check: PayloadCheck | undefined;

  constructor(call: string, source: Pick<TraceSource, 'find'>, text: string) {
    this.call = call;
    const node = source.find(call);
    this.#node = node;
    this.#text = text;
    this.#search = node && new CallSearch(node, text);
    this.#parts =
      node && mayHaveParts(node) ? new PartsReader(ALL_PROTOCOLS.find(node.call.protocol)) : undefined;
    // One that is open may have grown since it was read: it is looked at again then.
    this.#check = node && node.status !== 'open' ? new PayloadCheck(node.traffic) : undefined;
  }

  /** False where, after the last piece, not all was there that was on the wire. */
  get isWhole(): boolean {
    return this.#check?.isWhole !== false;
  }

  /** Answers whether the text was found by now; it may stand in a part, which is known with the last piece. */
  *takeSteps({ events, isLast }: PayloadPiece): Generator<undefined, boolean> {
    if (!this.#search) return false;
    this.#check?.take(events);
    this.#search.push(events);
    if (this.#search.isFound || !this.#parts) return this.#search.isFound;
    for (const event of fitPayload(events, this.#room)) this.#parts.push(event);
    if (!isLast) return false;
    if (this.#node?.status !== 'open') yield* this.#parts.endSteps();
    return partsHold(this.#parts.list(), this.#text);
  }
}
