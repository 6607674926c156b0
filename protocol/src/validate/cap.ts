import type { RuleCode } from '../catalog/rules.ts';
import type { Issue } from '../text/issue.ts';

/**
 * Orders issues by place and keeps at most `max`; the last one then says how many more there are, at the place of the
 * first that is left out.
 */
export function capIssues(issues: readonly Issue<RuleCode>[], max: number): readonly Issue<RuleCode>[] {
  const ordered = [...issues].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  const firstLeftOut = ordered[max - 1];
  if (ordered.length <= max || !firstLeftOut) return ordered;
  const more = ordered.length - max + 1;
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
