import type { RuleCode } from '../../core/catalog/rules.ts';
import type { Issue } from '../../core/text/issue.ts';
import type { Span } from '../../core/text/span.ts';

/**
 * Collects issues in any order and lists at most `max` of them by position. If there are more, the last one states their
 * number, at the position of the first omitted issue. Stores at most `2 * max` issues plus a fixed reserve.
 */
export class CappedIssues {
  readonly #max: number;
  #first: Issue<RuleCode>[] = [];
  #count = 0;
  /** The number of issues that are errors. */
  #errors = 0;

  constructor(max: number) {
    this.#max = max;
  }

  add(issue: Issue<RuleCode>): void {
    this.#first.push(issue);
    this.leaveOut(1, isError(issue) ? 1 : 0);
    if (this.#first.length >= 2 * this.#max + SPARE)
      this.#first = sortByPlace(this.#first).slice(0, this.#max);
  }

  /** Counts issues; called directly for those that are past the first `max` and therefore not added. */
  leaveOut(count: number, errors: number): void {
    this.#count += count;
    this.#errors += errors;
  }

  list(): readonly Issue<RuleCode>[] {
    const ordered = sortByPlace(this.#first);
    const firstLeftOut = ordered[this.#max - 1];
    if (this.#count <= this.#max || !firstLeftOut) return ordered;
    const listed = ordered.slice(0, this.#max - 1);
    const more = this.#count - listed.length;
    return [
      ...listed,
      {
        code: 'parley/more-issues',
        severity: 'information',
        span: firstLeftOut.span,
        message: `${more} more issues from here on are not shown; fix the first ones or raise 'parley.maxIssues'`,
        ...(listed.filter(isError).length < this.#errors && { hidesError: true }),
      },
    ];
  }
}

/** Additional issues stored before sorting, so that a small limit does not cause frequent sorting. */
const SPARE = 1_000;

function isError({ severity, hidesError }: Issue): boolean {
  return severity === 'error' || hidesError === true;
}

/** Sorts by position; items at the same position keep their order. */
export function sortByPlace<Item extends { readonly span: Span }>(items: readonly Item[]): Item[] {
  return [...items].sort(comparePlaces);
}

/** Negative if the first item comes before the second, 0 if they have the same span. */
function comparePlaces(a: { readonly span: Span }, b: { readonly span: Span }): number {
  return a.span.start - b.span.start || a.span.end - b.span.end;
}
