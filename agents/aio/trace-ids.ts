/**
 * Assigns trace ids like the document's Queen, `AIO-TR-YYYYMMDD-NNNN`: counting up from the highest number seen that
 * day, with five digits after 9999 (reading of AIO-MCP, section 4). The day is in UTC, so that distant agents agree.
 */
export class AioTraceIds {
  #day = '';
  #highest = 0;
  /** The ids of traces, by their W3C names; the oldest are forgotten. */
  readonly #given = new Map<string, string>();

  /** The id of a trace, the same for all its calls. */
  idOf(trace: string, now: Date): string {
    const known = this.#given.get(trace);
    if (known !== undefined) return known;
    this.#enter(now);
    this.#highest++;
    const id = `AIO-TR-${this.#day}-${String(this.#highest).padStart(4, '0')}`;
    this.#keep(trace, id);
    return id;
  }

  /** Reads a text that may contain ids assigned by others. */
  see(text: string, now: Date): void {
    this.#enter(now);
    for (const [, day, number] of text.slice(0, LOOK).matchAll(ID))
      if (day === this.#day) this.#highest = Math.max(this.#highest, Number(number));
  }

  #enter(now: Date): void {
    const day = now.toISOString().slice(0, 10).replaceAll('-', '');
    if (day === this.#day) return;
    this.#day = day;
    this.#highest = 0;
  }

  #keep(trace: string, id: string): void {
    this.#given.set(trace, id);
    const [oldest] = this.#given.keys();
    if (this.#given.size > MAX_RETAINED && oldest !== undefined) this.#given.delete(oldest);
  }
}

/** Four digits, or five for agents with more ids: a longer number would use up all numbers at once. */
const ID = /(?<![A-Za-z0-9_.-])AIO-TR-(\d{8})-(\d{4,5})(?!\d)/g;
const MAX_RETAINED = 1_000;
/** The number of characters of a text that are searched. */
const LOOK = 100_000;

/** All connections of a process share one counter. */
export const TRACE_IDS = new AioTraceIds();
