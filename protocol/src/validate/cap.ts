import type { RuleCode } from '../catalog/rules.ts';
import type { Issue } from '../text/issue.ts';

/**
 * Orders issues by place and keeps at most `max`; the last one then says how many more there are, at the place of the
 * first that is left out. `count` is how many there are where `issues` holds only the first of them.
 */
export function capIssues(
  issues: readonly Issue<RuleCode>[],
  max: number,
  count = issues.length,
): readonly Issue<RuleCode>[] {
  const ordered = sortIssues(issues);
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

/** Issues in the order of their places; those at one place stay in the order given. */
export function sortIssues<Code extends string>(issues: readonly Issue<Code>[]): readonly Issue<Code>[] {
  return [...issues].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
}
