import type { Settings } from '../../core/catalog/settings.ts';
import type { Issue } from '../../core/text/issue.ts';

/** True for a rule that the user has switched off. */
export function isOff(code: string, { rules }: Settings): boolean {
  return rules.size > 0 && rules.get(code) === 'off';
}

/**
 * Applies the severity that the user set for an issue's rule. Called when issues leave validation, because
 * cached issues must not depend on these settings.
 */
export function weighIssue<Code extends string>(issue: Issue<Code>, { rules }: Settings): Issue<Code> {
  const severity = rules.size > 0 ? rules.get(issue.code) : undefined;
  return severity === undefined || severity === 'off' ? issue : { ...issue, severity };
}
