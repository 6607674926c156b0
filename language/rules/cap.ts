import type { RuleCode } from '../../core/catalog/rules.ts';
import type { Issue } from '../../core/text/issue.ts';
import type { Span } from '../../core/text/span.ts';

/**
 * Orders issues by place and keeps at most `max`; the last one then says how many more there are, at the place of the
 * first that is left out.
 */
export function capIssues(issues: readonly Issue<RuleCode>[], max: number): readonly Issue<RuleCode>[] {
  const capped = new CappedIssues(max);
  for (const issue of issues) capped.add(issue);
  return capped.list();
}

/** The same for issues that are found one by one, in whatever order: never many more than `max` are held. */
export class CappedIssues {
  readonly #max: number;
  #first: Issue<RuleCode>[] = [];
  #count = 0;
  /** How many of the issues are errors. */
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

  /** Counts issues that stand behind the first `max`. */
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
        message: `${more} more issues from here on are not shown; mend the first ones or raise 'parley.maxIssues'`,
        ...(listed.filter(isError).length < this.#errors && { hidesError: true }),
      },
    ];
  }
}

/** So many issues more are held before they are ordered, so that a small limit does not order them again and again. */
const SPARE = 1_000;

function isError({ severity, hidesError }: Issue): boolean {
  return severity === 'error' || hidesError === true;
}

/** What was found in the order of its places; what stands at one place stays in the order given. */
export function sortByPlace<Item extends { readonly span: Span }>(items: readonly Item[]): Item[] {
  return [...items].sort(comparePlaces);
}

/** Below 0 where the first comes before the second in the text, 0 where they stand at one place. */
function comparePlaces(a: { readonly span: Span }, b: { readonly span: Span }): number {
  return a.span.start - b.span.start || a.span.end - b.span.end;
}
