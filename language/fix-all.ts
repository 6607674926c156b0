import { EditHistory } from '../core/text/compose.ts';
import { applyEdits, type TextEdit } from '../core/text/edit.ts';
import type { Fix, Issue } from '../core/text/issue.ts';
import type { OpenDocument } from './support.ts';

/** One fix may uncover what another one mends; after so many rounds the rest is left to a person. */
const MOST_ROUNDS = 10;

/** The one fix of an issue that changes no meaning; undefined where there is none, or a choice. */
export function obviousFix({ fixes = [] }: Issue): Fix | undefined {
  const [first, second] = fixes.filter(fix => fix.safe);
  return second ? undefined : first;
}

/**
 * Edits that apply all obvious fixes of a text, and those of what is found afterwards. Fixes that meet wait for the
 * next round. `open` reads a text and reports all its issues, however many.
 */
export function fixAll(open: (text: string) => OpenDocument, source: string): readonly TextEdit[] {
  const history = new EditHistory(source.length);
  let text = source;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const edits = pickEdits(open(text).validate());
    if (edits.length === 0) break;
    history.add(edits);
    text = applyEdits(text, edits);
  }
  return history.edits;
}

/** The edits of the fixes that do not touch one another, in the order of their places. */
function pickEdits(issues: readonly Issue[]): readonly TextEdit[] {
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
