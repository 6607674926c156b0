import type { Characters } from '../../core/text/source-text.ts';
import type { WorkCounter } from '../work.ts';
import type { AtomNode } from './ast.ts';
import { BACKSLASH, CLOSE, COMMA, OPEN, WIDE_CLOSE, isBlank, isLineEnd, skipBlanks } from './characters.ts';
import { isPlainLiteral } from './plain.ts';

/** The length up to which a text is read character by character. */
const SHORT_TEXT = 32;
/** Tensor data longer than this is searched in blocks. */
const SHORT_ATOM = 256;
const BLOCK = 65_536;

export type AtomKind = AtomNode['kind'];

export interface AtomEnd {
  readonly contentEnd: number;
  /** The offset at which reading continues: after the bracket, or at `contentEnd` if the bracket is missing. */
  readonly end: number;
  /** True for a text in which `\]` is read as an escaped bracket. */
  readonly isOld?: true;
}

/** Trims blanks, and one comma with the blanks before it, from the end of an atom without a closing bracket. */
export function trimOpenEnd(text: Characters, from: number, to: number): number {
  let end = to;
  while (end > from && isBlank(text.charCodeAt(end - 1))) end--;
  if (end > from && text.charCodeAt(end - 1) === COMMA) end--;
  while (end > from && isBlank(text.charCodeAt(end - 1))) end--;
  return end;
}

/** Finds the ends of atoms in one text. */
export class AtomEnds {
  readonly #text: string;
  readonly #work: WorkCounter;
  /** There is no `]` in `[#clearFrom, #clearTo)`. Avoids repeated searches for many unclosed texts in one file. */
  #clearFrom = 0;
  #clearTo = 0;

  /** False if an atom since this was last set is not plain, as `plain.ts` describes. */
  isPlain = true;

  /** The offset after the last character read since this was last set; results depend on the text up to here. */
  lookedTo = 0;

  constructor(text: string, work: WorkCounter) {
    this.#text = text;
    this.#work = work;
  }

  /**
   * Finds the end of an atom whose content starts at `from`: its `]` or, if that is missing, the likely end
   * of the content. In the latter case `end` equals `contentEnd`.
   */
  find(kind: AtomKind, from: number): AtomEnd {
    const close = this.findClose(kind, from);
    if (close < this.#text.length) return { contentEnd: close, end: close + 1 };
    const contentEnd = this.#findOpenEnd(kind, from);
    return { contentEnd, end: contentEnd };
  }

  /** The closing bracket, ASCII or full-width, of the atom whose content starts at `from`, or the text's length. */
  findClose(kind: AtomKind, from: number): number {
    if (kind === 'text') return this.#findTextClose(from);
    const close = this.#findPlainClose(kind, from);
    if (this.isPlain) this.isPlain = isPlainLiteral(this.#text, kind, from, close);
    return close;
  }

  /** The first `]`, or the text's length. The result also holds for every later start before it. */
  #findTextClose(from: number): number {
    if (this.#clearFrom <= from && from < this.#clearTo) {
      this.#look(this.#clearTo);
      return this.#clearTo;
    }
    const end = this.#readTextTo(from);
    this.#work.count += end - from;
    this.#clearFrom = from;
    this.#clearTo = end;
    this.#look(end);
    return end;
  }

  /** Reads the first characters one by one, because several searches take longer in the usual short texts. */
  #readTextTo(from: number): number {
    const text = this.#text;
    let at = from;
    for (const near = from + SHORT_TEXT; at < near; at++) {
      const code = text.charCodeAt(at);
      if (code === CLOSE) return at;
      if (code === OPEN || code === BACKSLASH) this.isPlain = false;
    }
    const found = text.indexOf(']', at);
    const end = found < 0 ? text.length : found;
    if (this.isPlain) this.isPlain = !/[[\\]/.test(text.slice(at, end));
    return end;
  }

  /** Outside texts, an opening bracket indicates a missing closing one; in numbers and booleans a line end does too. */
  #findPlainClose(kind: AtomKind, from: number): number {
    let at = from;
    for (; at < this.#text.length; at++) {
      if (kind === 'tensor' && at - from > SHORT_ATOM) at = findBracket(this.#text, at);
      const code = this.#text.charCodeAt(at);
      if (code === CLOSE || code === WIDE_CLOSE) break;
      if (code === OPEN || (kind !== 'tensor' && isLineEnd(code) && this.#endsAtom(at))) {
        this.#work.count += at - from;
        this.#look(at);
        return this.#text.length;
      }
    }
    this.#work.count += at - from;
    this.#look(at);
    return at;
  }

  /** True for a line end after which a number or boolean does not continue. */
  #endsAtom(lineEnd: number): boolean {
    const next = skipBlanks(this.#text, lineEnd);
    this.#look(next);
    return next >= this.#text.length || /[[\],:#［］]/.test(this.#text.charAt(next));
  }

  /**
   * The end of an unclosed atom: the end of its line, for a tensor the next bracket; without trailing blanks
   * and one comma.
   */
  #findOpenEnd(kind: AtomKind, from: number): number {
    let end = from;
    for (; end < this.#text.length; end++) {
      const code = this.#text.charCodeAt(end);
      if (kind !== 'text' && code === OPEN) break;
      if (kind !== 'tensor' && isLineEnd(code)) break;
    }
    this.#work.count += end - from;
    this.#look(end);
    return trimOpenEnd(this.#text, from, end);
  }

  #look(at: number): void {
    if (at >= this.lookedTo) this.lookedTo = at + 1;
  }
}

/**
 * The first bracket at or after `from`, or the text's length. Searching block by block with `indexOf` is
 * faster than a loop over characters.
 */
function findBracket(text: string, from: number): number {
  for (let at = from; at < text.length; at += BLOCK) {
    const block = text.slice(at, at + BLOCK);
    const found = ['[', ']', '］'].map(bracket => block.indexOf(bracket)).filter(index => index >= 0);
    if (found.length > 0) return at + Math.min(...found);
  }
  return text.length;
}
