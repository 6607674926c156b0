import type { Settings } from '../../core/catalog/settings.ts';
import type { Issue } from '../../core/text/issue.ts';

/** True for a rule that the user does not want to hear of. */
export function isOff(code: string, { rules }: Settings): boolean {
  return rules.size > 0 && rules.get(code) === 'off';
}

/**
 * An issue with the severity that the user gave to its rule. It is asked where issues leave validation: what a unit
 * keeps is the same under any settings.
 */
export function weighIssue<Code extends string>(issue: Issue<Code>, { rules }: Settings): Issue<Code> {
  const severity = rules.size > 0 ? rules.get(issue.code) : undefined;
  return severity === undefined || severity === 'off' ? issue : { ...issue, severity };
}
