import type { Characters } from '../../../core/text/source-text.ts';
import { countBackslashes, respellOldText, respellText } from '../escapes.ts';
import type { Fault } from '../faults.ts';
import type { ReadText } from '../text-ends.ts';

const ESCAPE_ALL = "Write '\\u005D' for all brackets in texts of this message";

/** One fault for all brackets in texts of a message; undefined if no text contains one. */
export function bracketFault(
  way: 'old' | 'closed' | 'searched',
  text: Characters,
  start: number,
  texts: readonly ReadText[],
): Fault | undefined {
  const bracket = texts.find(read => read.bracket)?.bracket;
  if (!bracket) return undefined;
  const respell = way === 'old' ? respellOldText : respellText;
  const edits = texts.map(({ start: textStart, end, bracket: first = { start: end, end } }) => {
    const from = first.start - countBackslashes(text, textStart, first.start);
    const source = text.slice(from, end);
    const length = source.endsWith('\\') ? source.length : source.lastIndexOf(']') + 1;
    const span = { start: from - start, end: from - start + length };
    return { span, newText: respell(source.slice(0, length)) };
  });
  return {
    code: way === 'old' ? 'aicl/old-escape' : 'aicl/bracket-in-text',
    span: { start: bracket.start - start, end: bracket.end - start },
    message: "A bracket in a text is written '\\u005D': a receiver ends the text at this ']'",
    // Matching brackets are certainly part of the text; an end that was searched for is a guess.
    fixes: [{ title: ESCAPE_ALL, edits, safe: way !== 'searched' }],
  };
}
