import { indentAt, indentOf, type FormatOptions, type Indent } from '../format.ts';
import type { TextEdit } from '../../core/text/edit.ts';
import type { Characters } from '../../core/text/source-text.ts';
import { CONTENT_START } from './ast.ts';
import { BACKSLASH, CLOSE, COMMA, isBlank, isLineEnd, SPACE, TAB } from './characters.ts';
import { depthAt, findCursor } from './cursor.ts';
import type { AiclDocument } from './document.ts';
import { countBackslashes, escapeText } from './escapes.ts';
import { replaceWhere } from './layout.ts';
import { editAicl } from './parse.ts';

/**
 * Edits after `]`, `,` or Enter in a message that the grammar accepts: no blanks before a bracket or a comma, a bracket
 * with a line of its own under what it closes, and the new line indented as deep as it stands. Line ends stay where the
 * author put them, and what stands behind the cursor stays on its line. In a text `\]` becomes the escape of a bracket.
 */
export function formatTypedAicl(
  doc: AiclDocument,
  offset: number,
  character: string,
  options: FormatOptions,
): readonly TextEdit[] {
  const at = character === '\n' ? offset : offset - 1;
  if (character === ']' && doc.text.charCodeAt(at) === CLOSE && doc.text.charCodeAt(at - 1) === BACKSLASH)
    return spellBracket(doc, at);
  const cursor = findCursor(doc, at);
  if (!cursor?.unit.isAccepted) return [];
  const { unit, atom } = cursor;
  const inside = at - unit.start;
  const isInAtom = atom !== undefined && atom.start < inside && inside < atom.end;
  if (isInAtom || inside <= 0 || inside >= unit.length) return [];
  const depth = depthAt(cursor);
  const indent = indentOf(options);
  const code = doc.text.charCodeAt(at);
  if (character === '\n') return indentLine(doc, offset, { depth, indent });
  if (character === ']' && code === CLOSE) return liftGap(doc, at, indentAt(indent, depth - 1));
  if (character === ',' && code === COMMA) return liftGap(doc, at, undefined);
  return [];
}

/**
 * A bracket behind a backslash, typed in a text that ends behind it without that bracket, is meant as a part of it. Where the text
 * has no end without it, a backslash is the last of the text.
 */
function spellBracket(doc: AiclDocument, at: number): readonly TextEdit[] {
  const typed = { span: { start: at, end: at + 1 }, newText: '' };
  const cursor = findCursor(
    editAicl(doc, typed, () => []),
    at,
  );
  if (!cursor?.unit.isAccepted || cursor.atom?.kind !== 'text') return [];
  const { atom, unit } = cursor;
  const from = unit.start + atom.start + CONTENT_START;
  const isInside = at > from && at <= unit.start + atom.contentEnd;
  if (!isInside || countBackslashes(doc.text, from, at) % 2 === 0) return [];
  return [{ span: { start: at - 1, end: at + 1 }, newText: escapeText(']') }];
}

/** The space before a mark: none on the same line, and `indent` where the mark begins a line. */
function liftGap({ text }: AiclDocument, at: number, indent: string | undefined): readonly TextEdit[] {
  const start = skipBack(text, at);
  const edits: TextEdit[] = [];
  const isFirst = isLineEnd(text.charCodeAt(start - 1));
  if (!isFirst) replaceWhere(text, { start, end: at }, '', edits);
  else if (indent !== undefined) replaceWhere(text, { start, end: at }, indent, edits);
  return edits;
}

/** Removes the blanks at the end of the line before the cursor and indents the cursor's line. */
function indentLine(
  { text }: AiclDocument,
  offset: number,
  { depth, indent }: { readonly depth: number; readonly indent: Indent },
): readonly TextEdit[] {
  const line = text.lineAt(offset);
  const start = text.lineStart(line);
  const edits: TextEdit[] = [];
  if (line === 0 || skipBack(text, offset) !== start) return edits;
  const lastEnd = text.lineEnd(line - 1);
  replaceWhere(text, { start: skipBack(text, lastEnd), end: lastEnd }, '', edits);
  let end = offset;
  while (isBlank(text.charCodeAt(end)) && !isLineEnd(text.charCodeAt(end))) end++;
  const closes = text.charCodeAt(end) === CLOSE;
  replaceWhere(text, { start, end }, indentAt(indent, closes ? depth - 1 : depth), edits);
  return edits;
}

/** The offset after the last character before `at` that is neither a space nor a TAB. */
function skipBack(text: Characters, at: number): number {
  let start = at;
  while (text.charCodeAt(start - 1) === SPACE || text.charCodeAt(start - 1) === TAB) start--;
  return start;
}
