import { holdsText, partsHold } from '../../../protocol/src/trace/search.ts';
import { CallParts, mayHaveParts } from './call-parts.ts';
import type { TraceSource } from './trace-source.ts';

/** Milliseconds of work before others get to run. */
const SLICE = 8;

/** What a search tells: the calls that were found since it told last, and how much was looked at, from 0 to 1. */
export type TellFound = (calls: readonly string[], share: number) => void;

/**
 * Looks for a text in what was on the wire of calls, in the parts of their replies, in their heads, their attributes and the names
 * of their trace. Case does not count. It goes on in slices until all calls were looked at; calls may be added while it does and after.
 */
export class PayloadSearch {
  readonly #source: TraceSource;
  readonly #parts: CallParts;
  readonly #text: string;
  readonly #tell: TellFound;
  #calls: string[];
  #next = 0;
  #isRunning = false;
  #isStopped = false;
  /** The percent that was told last. */
  #told = 0;

  constructor(source: TraceSource, calls: readonly string[], text: string, tell: TellFound) {
    this.#source = source;
    this.#parts = new CallParts(source);
    this.#text = text.toLowerCase();
    this.#tell = tell;
    this.#calls = [...calls];
    void this.#run();
  }

  /** Looks at these calls too, or again. */
  add(calls: readonly string[]): void {
    if (this.#isStopped || calls.length === 0) return;
    // What was looked at is not needed any more.
    this.#calls = [...this.#calls.slice(this.#next), ...calls];
    this.#next = 0;
    void this.#run();
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    let found: string[] = [];
    let end = performance.now() + SLICE;
    while (this.#next < this.#calls.length) {
      const call = this.#calls[this.#next++] ?? '';
      if (await this.#isFound(call)) found.push(call);
      if (this.#isStopped) return;
      if (performance.now() < end || this.#next === this.#calls.length) continue;
      found = this.#tellSome(found);
      await new Promise(resolve => setTimeout(resolve));
      if (this.#isStopped) return;
      end = performance.now() + SLICE;
    }
    this.#isRunning = false;
    this.#tell(found, 1);
  }

  async #isFound(call: string): Promise<boolean> {
    const node = this.#source.find(call);
    if (!node) return false;
    if (holdsText(node, await this.#source.payload(call), this.#text)) return true;
    return !this.#isStopped && mayHaveParts(node) && partsHold(await this.#parts.read(call), this.#text);
  }

  /** Tells what was found, and how far it is where that is another percent. Answers what is found and not told. */
  #tellSome(found: string[]): string[] {
    const percent = Math.min(99, Math.floor((100 * this.#next) / this.#calls.length));
    if (found.length === 0 && percent === this.#told) return found;
    this.#told = percent;
    this.#tell(found, percent / 100);
    return [];
  }
}
