import { EditHistory } from './compose.ts';
import { applyEdits, type TextEdit } from '../../core/text/edit.ts';
import type { Fix, Issue } from '../../core/text/issue.ts';
import type { OpenDocument } from '../../language/support.ts';

/**
 * Maximum number of rounds: a fix may create an issue that another fix solves. What is left after them needs
 * a person.
 */
const MAX_ROUNDS = 10;

/** The only safe fix of an issue; undefined if there is none or more than one. */
export function obviousFix({ fixes = [] }: Issue): Fix | undefined {
  const [first, second] = fixes.filter(fix => fix.safe);
  return second ? undefined : first;
}

/**
 * Edits that apply all obvious fixes of a text, repeated for the issues that appear afterwards. Overlapping
 * fixes wait for the next round. `open` must report all issues of a text, without a limit.
 */
export function fixAll(open: (text: string) => OpenDocument, source: string): readonly TextEdit[] {
  const history = new EditHistory(source.length);
  let text = source;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const edits = pickEdits(open(text).validate());
    if (edits.length === 0) break;
    history.add(edits);
    text = applyEdits(text, edits);
  }
  return history.edits;
}

/** The edits of fixes that do not touch each other, in text order. */
export function pickEdits(issues: readonly Issue[]): readonly TextEdit[] {
  const picked: TextEdit[] = [];
  let end = -1;
  for (const issue of issues) {
    const edits = [...(obviousFix(issue)?.edits ?? [])].sort((a, b) => a.span.start - b.span.start);
    const [first, last] = [edits.at(0), edits.at(-1)];
    if (!first || !last || first.span.start <= end) continue;
    for (const edit of edits) picked.push(edit);
    end = last.span.end;
  }
  return picked;
}
