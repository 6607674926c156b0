import type { Issue } from '../text/issue.ts';
import { sortIssues } from './cap.ts';

/** Collects issues that come in any order, counts them all and keeps the first `max` of the text and few others. */
export class FirstIssues<Code extends string> {
  readonly #max: number;
  #kept: Issue<Code>[] = [];
  #count = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** At least the first `max` issues of the text, in no order, and less than twice as many. */
  get kept(): readonly Issue<Code>[] {
    return this.#kept;
  }

  /** How many issues were added. */
  get count(): number {
    return this.#count;
  }

  add(issue: Issue<Code>): void {
    this.#count++;
    this.#kept.push(issue);
    // Sorting once in so many additions is linear work as a whole.
    if (this.#kept.length >= this.#max * 2) this.#kept = sortIssues(this.#kept).slice(0, this.#max);
  }
}
