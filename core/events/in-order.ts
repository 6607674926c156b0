/** The members that determine the order of the events of a call. */
interface Ordered {
  readonly at: number;
  readonly seq?: number | undefined;
}

/** The events of one call in order: by `seq` if both of two events have one, else by time; equal ones by arrival. */
export class InOrder<Event extends Ordered> {
  #events: Event[] = [];
  #isTidy = true;

  get all(): readonly Event[] {
    if (!this.#isTidy) this.#events.sort(compareDetails);
    this.#isTidy = true;
    return this.#events;
  }

  /** Releases the spare capacity of the list. */
  trim(): void {
    this.#events = this.#events.slice();
  }

  add(event: Event): void {
    const last = this.#events.at(-1);
    if (last && compareDetails(last, event) > 0) this.#isTidy = false;
    this.#events.push(event);
  }
}

/** Compares two events of a call; negative if the first one comes first. */
export function compareDetails(one: Ordered, other: Ordered): number {
  const isCounted = one.seq !== undefined && other.seq !== undefined;
  return isCounted ? (one.seq ?? 0) - (other.seq ?? 0) : one.at - other.at;
}
