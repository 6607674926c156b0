import type { Characters } from '../../../core/text/source-text.ts';
import type { Span } from '../../../core/text/span.ts';
import { CONTENT_START } from '../ast.ts';
import { isBlank, isLineEnd } from '../characters.ts';
import { followsSeparator } from '../lexeme.ts';
import type { LooseReader, PieceType } from '../loose.ts';
import { kindAt } from '../scanner.ts';

/** The content span of a text in a broken unit. */
export interface LooseText {
  readonly from: number;
  readonly contentEnd: number;
}

export interface Cut {
  readonly end: number;
  /** The texts of the unit in order; one of them may lack its bracket. */
  readonly texts: readonly LooseText[];
  /** True if the closing bracket of the unit is missing. */
  readonly isOpen: boolean;
}

/**
 * Cuts a unit that the grammar rejects: from its first bracket to the matching one or, if that is missing, to
 * the next certain message start, which is a `[d:` at column 0 that does not follow a comma or a colon
 * (reading of LightAICL 3.1). Container lines at its end are excluded. Undefined for a unit longer than
 * `maxLength`.
 */
export function cutUnit(
  reader: LooseReader,
  text: Characters,
  start: number,
  maxLength: number,
): Cut | undefined {
  const texts: LooseText[] = [];
  let end = start;
  let last: PieceType | undefined;
  for (;;) {
    const isTop = reader.depth === 0;
    let piece = reader.readAfter(end, text.length);
    if (!piece) break;
    if (isTop && endsUnit(piece.type, last)) return { end, texts, isOpen: false };
    if (piece.start > start && isMessageStart(text, piece.start)) break;
    if (piece.type === 'atom' && piece.kind === 'text') {
      const messageStart = findMessageStart(text, piece);
      if (messageStart >= 0) piece = reader.readBefore(messageStart, piece.start);
      if (piece.type === 'atom')
        texts.push({ from: piece.start + CONTENT_START, contentEnd: piece.contentEnd });
    }
    end = piece.end;
    last = piece.type;
    if (end - start > maxLength) return undefined;
  }
  const isOpen = reader.depth > 0;
  return { end: isOpen ? trimContainerLines(text, start, end) : end, texts, isOpen };
}

/** True if a reading that ends at `end` extends beyond the cut and over the start of another message. */
export function holdsMessageStart(text: Characters, cut: Cut, end: number): boolean {
  return end > cut.end && findMessageStart(text, { start: cut.end, end }) >= 0;
}

/** True for a certain message start. */
function isMessageStart(text: Characters, at: number): boolean {
  return kindAt(text, at) === 'dict' && isLineEnd(text.charCodeAt(at - 1)) && !followsSeparator(text, at);
}

/** The first certain message start in a span; -1 if there is none. */
export function findMessageStart(text: Characters, { start, end }: Span): number {
  const source = text.slice(start, end + CONTENT_START);
  for (let at = source.indexOf('\n[d:'); at >= 0; at = source.indexOf('\n[d:', at + 1)) {
    if (start + at + 1 < end && isMessageStart(text, start + at + 1)) return start + at + 1;
  }
  return -1;
}

/** True if the piece ends a unit at the top level. Only colons and commas continue it there, as in a run of pairs. */
function endsUnit(type: PieceType, last: PieceType | undefined): boolean {
  const isAfterValue =
    last === 'atom' || last === 'close' || last === 'run' || last === 'unknown' || last === 'headless';
  switch (type) {
    case 'colon':
    case 'comma':
      return !isAfterValue;
    case 'close':
    case 'extra':
    case 'junk':
      return last !== undefined;
    default:
      return isAfterValue;
  }
}

/** The end of `text[start, end)` without trailing lines that start with `#` and a blank. */
function trimContainerLines(text: Characters, start: number, end: number): number {
  let to = end;
  for (;;) {
    while (to > start && isBlank(text.charCodeAt(to - 1))) to--;
    let lineStart = to;
    while (lineStart > start && !isLineEnd(text.charCodeAt(lineStart - 1))) lineStart--;
    if (
      lineStart === start ||
      !/^[ \t]*#+([ \t]|$)/.test(text.slice(lineStart, Math.min(to, lineStart + 200)))
    )
      return to;
    to = lineStart;
  }
}
