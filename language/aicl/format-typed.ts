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
 * Edits after `]`, `,` or Enter in a valid message: they remove blanks before brackets and commas, align a
 * bracket on a line of its own with the line that opens it, and indent the new line by its depth. Line ends
 * do not change, and text after the cursor stays on its line. In a text `\]` becomes the escape of a bracket.
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
 * Escapes a bracket that was typed after a backslash inside a text which ends later. If the text has no other
 * end, the bracket closes it and the backslash is its last character.
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

/** Removes the space before a mark on the same line; if the mark starts a line, replaces it by `indent`. */
function liftGap({ text }: AiclDocument, at: number, indent: string | undefined): readonly TextEdit[] {
  const start = skipBack(text, at);
  const edits: TextEdit[] = [];
  const isFirst = isLineEnd(text.charCodeAt(start - 1));
  if (!isFirst) replaceWhere(text, { start, end: at }, '', edits);
  else if (indent !== undefined) replaceWhere(text, { start, end: at }, indent, edits);
  return edits;
}

/** Removes trailing blanks of the line before the cursor and indents the cursor's line. */
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

/** The offset after the last character before `at` that is not a space or a TAB. */
function skipBack(text: Characters, at: number): number {
  let start = at;
  while (text.charCodeAt(start - 1) === SPACE || text.charCodeAt(start - 1) === TAB) start--;
  return start;
}
