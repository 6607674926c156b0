import type { Fix, Issue } from '../../core/text/issue.ts';
import { shiftSpan } from '../../core/text/span.ts';

/** Moves an issue with its fixes and related places by a number of UTF-16 code units. */
export function moveIssue<Code extends string>(issue: Issue<Code>, by: number): Issue<Code> {
  const fixes = issue.fixes?.map(fix => moveFix(fix, by));
  const related = issue.related?.map(place => ({ ...place, span: shiftSpan(place.span, by) }));
  return { ...issue, span: shiftSpan(issue.span, by), ...(fixes && { fixes }), ...(related && { related }) };
}

/** Moves a fix by a number of UTF-16 code units. */
export function moveFix(fix: Fix, by: number): Fix {
  return { ...fix, edits: fix.edits.map(edit => ({ ...edit, span: shiftSpan(edit.span, by) })) };
}
