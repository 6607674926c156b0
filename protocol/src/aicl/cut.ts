import { CONTENT_START } from './ast.ts';
import { isBlank, isLineEnd, skipBlanks } from './characters.ts';
import { followsSeparator, LooseReader, type LooseOptions, type PieceType } from './loose.ts';
import type { Scanner } from './scanner.ts';

/** A text of a broken unit: where its content lies. */
export interface LooseText {
  readonly from: number;
  readonly contentEnd: number;
}

export interface Cut {
  readonly end: number;
  /** The texts in it, in order: where a missing bracket may hide. */
  readonly texts: readonly LooseText[];
}

/**
 * Finds where new messages start for sure: a `[d:` at column 0 that does not follow a comma or a colon (reading of
 * LightAICL 3.1). Asked with growing offsets, it looks at each character once.
 */
export class Boundaries {
  readonly #text: string;
  #next = -1;
  #askedFrom = Infinity;

  constructor(text: string) {
    this.#text = text;
  }

  /** The first such place after `at`, or the text's length. */
  after(at: number): number {
    if (this.#askedFrom <= at && at < this.#next) return this.#next;
    this.#askedFrom = at;
    let search = at + 1;
    for (;;) {
      const found = this.#text.indexOf('[d:', search);
      if (found < 0) return (this.#next = this.#text.length);
      if (isLineEnd(this.#text.charCodeAt(found - 1)) && !followsSeparator(this.#text, found))
        return (this.#next = found);
      search = found + 1;
    }
  }
}

/**
 * Cuts a unit that the grammar does not accept: from its first bracket to the one that closes it or, where that is
 * missing, to the next sure start of a message. Container lines at its end are left to the file.
 */
export function cutUnit(
  scanner: Scanner,
  text: string,
  start: number,
  limit: number,
  options: LooseOptions,
): Cut {
  const reader = new LooseReader(scanner, text, limit, options);
  const texts: LooseText[] = [];
  let end = start;
  let last: PieceType | undefined;
  for (let at = start; at < limit; at = skipBlanks(text, end)) {
    const isTop = reader.depth === 0;
    const piece = reader.read(at);
    if (isTop && endsUnit(piece.type, last)) return { end, texts };
    if (piece.type === 'atom' && piece.kind === 'text') {
      texts.push({ from: at + CONTENT_START, contentEnd: piece.atomEnd.contentEnd });
    }
    end = piece.end;
    last = piece.type;
  }
  return { end: reader.depth > 0 ? trimContainerLines(text, start, end) : end, texts };
}

/** At the top level a unit goes on only over colons and commas, as a run of pairs does. */
function endsUnit(type: PieceType, last: PieceType | undefined): boolean {
  const isAfterValue = last === 'atom' || last === 'close' || last === 'unknown' || last === 'headless';
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

/** The end of `text[start, end)` without the lines at its end that begin with `#` and a blank. */
function trimContainerLines(text: string, start: number, end: number): number {
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
