/**
 * Gives trace ids as the document's Queen does, `AIO-TR-YYYYMMDD-NNNN`: counting up from the highest number seen that day, with
 * five digits after 9999 (reading of AIO-MCP, section 4). The day is that of UTC, so that agents far from each other agree.
 */
export class AioTraceIds {
  #day = '';
  #highest = 0;
  /** The ids that traces have, by their W3C names; the oldest are forgotten. */
  readonly #given = new Map<string, string>();

  /** The id of a trace, the same for each of its calls. */
  idOf(trace: string, now: Date): string {
    const known = this.#given.get(trace);
    if (known !== undefined) return known;
    this.#enter(now);
    this.#highest++;
    const id = `AIO-TR-${this.#day}-${String(this.#highest).padStart(4, '0')}`;
    this.#keep(trace, id);
    return id;
  }

  /** Takes a text in which ids of others may stand. */
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
    if (this.#given.size > MOST_KEPT && oldest !== undefined) this.#given.delete(oldest);
  }
}

/** Four digits, or five for those who had more: a longer one would use all numbers up at once. */
const ID = /(?<![A-Za-z0-9_.-])AIO-TR-(\d{8})-(\d{4,5})(?!\d)/g;
const MOST_KEPT = 1_000;
/** How much of a text is looked at, in characters. */
const LOOK = 100_000;

/** All connections of a process count together. */
export const TRACE_IDS = new AioTraceIds();
