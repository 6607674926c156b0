import type { Characters } from '../../core/text/source-text.ts';
import type { WorkCounter } from '../../core/text/work.ts';
import type { AtomNode } from './ast.ts';
import { CLOSE, COMMA, OPEN, WIDE_CLOSE, isBlank, isLineEnd, skipBlanks } from './characters.ts';

/** A tensor's data is searched in blocks where it is longer than this. */
const SHORT_ATOM = 256;
const BLOCK = 65_536;

export type AtomKind = AtomNode['kind'];

export interface AtomEnd {
  readonly contentEnd: number;
  /** Where reading goes on: after the bracket, or at `contentEnd` where the bracket is missing. */
  readonly end: number;
  /** True for a text in which `\]` is read as a bracket. */
  readonly isOld?: true;
}

/** Takes blanks, and one comma with the blanks before it, off the end of an atom whose bracket is missing. */
export function trimOpenEnd(text: Characters, from: number, to: number): number {
  let end = to;
  while (end > from && isBlank(text.charCodeAt(end - 1))) end--;
  if (end > from && text.charCodeAt(end - 1) === COMMA) end--;
  while (end > from && isBlank(text.charCodeAt(end - 1))) end--;
  return end;
}

/** Finds where atoms end, in one text. */
export class AtomEnds {
  readonly #text: string;
  readonly #work: WorkCounter;
  /** No `]` lies in `[#clearFrom, #clearTo)`: keeps many open texts in one file from being searched again and again. */
  #clearFrom = 0;
  #clearTo = 0;

  /** The offset after the last character that was looked at since this was last set: what the answers depend on. */
  lookedTo = 0;

  constructor(text: string, work: WorkCounter) {
    this.#text = text;
    this.#work = work;
  }

  /**
   * Where an atom ends whose content starts at `from`: at its `]`, or, where that is missing, where a reader would have
   * put it. Then `end` is `contentEnd`: no bracket was there to take.
   */
  find(kind: AtomKind, from: number): AtomEnd {
    const close = kind === 'text' ? this.#findTextClose(from) : this.#findPlainClose(kind, from);
    if (close < this.#text.length) return { contentEnd: close, end: close + 1 };
    const contentEnd = this.#findOpenEnd(kind, from);
    return { contentEnd, end: contentEnd };
  }

  /** The first `]`, or the text's length. An answer holds for every later start before it. */
  #findTextClose(from: number): number {
    if (this.#clearFrom <= from && from < this.#clearTo) {
      this.#look(this.#clearTo);
      return this.#clearTo;
    }
    const found = this.#text.indexOf(']', from);
    const end = found < 0 ? this.#text.length : found;
    this.#work.count += end - from;
    this.#clearFrom = from;
    this.#clearTo = end;
    this.#look(end);
    return end;
  }

  /**
   * Outside texts an opening bracket means that a closing one is missing; in a number or a boolean a line end means that too.
   */
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

  /** True for a line end behind which no more of a number or boolean stands. */
  #endsAtom(lineEnd: number): boolean {
    const next = skipBlanks(this.#text, lineEnd);
    this.#look(next);
    return next >= this.#text.length || /[[\],:#［］]/.test(this.#text.charAt(next));
  }

  /** An open atom ends with its line, a tensor before the next bracket; blanks and one comma before that are not in it. */
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

/** The first bracket at or after `from`, or the text's length: the engine finds it faster in blocks than a loop does. */
function findBracket(text: string, from: number): number {
  for (let at = from; at < text.length; at += BLOCK) {
    const block = text.slice(at, at + BLOCK);
    const found = ['[', ']', '］'].map(bracket => block.indexOf(bracket)).filter(index => index >= 0);
    if (found.length > 0) return at + Math.min(...found);
  }
  return text.length;
}
