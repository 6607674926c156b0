import type { RuleCode } from '../catalog/rules.ts';
import type { Issue } from '../text/issue.ts';
import type { Span } from '../text/span.ts';

/**
 * Orders issues by place and keeps at most `max`; the last one then says how many more there are, at the place of the
 * first that is left out. `count` is how many there are where `issues` holds only the first of them.
 */
export function capIssues(
  issues: readonly Issue<RuleCode>[],
  max: number,
  count = issues.length,
): readonly Issue<RuleCode>[] {
  const ordered = sortByPlace(issues);
  const firstLeftOut = ordered[max - 1];
  if (count <= max || !firstLeftOut) return ordered;
  const more = count - max + 1;
  return [
    ...ordered.slice(0, max - 1),
    {
      code: 'parley/more-issues',
      severity: 'information',
      span: firstLeftOut.span,
      message: `${more} more issues from here on are not shown; mend the first ones or raise 'parley.maxIssues'`,
    },
  ];
}

/** What was found in the order of its places; what stands at one place stays in the order given. */
export function sortByPlace<Item extends { readonly span: Span }>(items: readonly Item[]): Item[] {
  return [...items].sort(comparePlaces);
}

/** Below 0 where the first comes before the second in the text, 0 where they stand at one place. */
function comparePlaces(a: { readonly span: Span }, b: { readonly span: Span }): number {
  return a.span.start - b.span.start || a.span.end - b.span.end;
}
