/** What the order of a call's events is told by. */
interface Ordered {
  readonly at: number;
  readonly seq?: number | undefined;
}

/** Events of one call by their numbers, or by their times where one of two has none; others as they came. */
export class InOrder<Event extends Ordered> {
  #events: Event[] = [];
  #isTidy = true;

  get all(): readonly Event[] {
    if (!this.#isTidy) this.#events.sort(compareDetails);
    this.#isTidy = true;
    return this.#events;
  }

  /** Gives back the room that the list has for more. */
  trim(): void {
    this.#events = this.#events.slice();
  }

  add(event: Event): void {
    const last = this.#events.at(-1);
    if (last && compareDetails(last, event) > 0) this.#isTidy = false;
    this.#events.push(event);
  }
}

/** Which of two events of a call comes first. */
export function compareDetails(one: Ordered, other: Ordered): number {
  const isCounted = one.seq !== undefined && other.seq !== undefined;
  return isCounted ? (one.seq ?? 0) - (other.seq ?? 0) : one.at - other.at;
}
