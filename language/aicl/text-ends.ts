import { firstAtLeast } from '../../core/text/number-list.ts';
import type { Characters } from '../../core/text/source-text.ts';
import type { Span } from '../../core/text/span.ts';
import type { WorkCounter } from '../work.ts';
import type { AtomEnd } from './atom-end.ts';
import { CONTENT_START } from './ast.ts';
import { BACKSLASH, CLOSE, OPEN } from './characters.ts';
import { findMessageStart } from './recovery/cut.ts';
import { isBracketEscape } from './escapes.ts';
import { isValueStart } from './lexeme.ts';

/** Overrides the ends of texts that do not end at their first `]`. */
export interface TextEnds {
  /** The end of the text whose content starts at `from`; undefined if that is its first `]`. */
  find(from: number): AtomEnd | undefined;
  /** True if a text that starts in a span does not end at its first `]`; absent if runs contain no such text. */
  isMovedIn?(span: Span): boolean;
}

/** The content of a text that does not end at its first `]` or uses old escapes. */
export interface ReadText extends Span {
  /** Its first `]`, including the backslash of an old escape; undefined if it contains none. */
  readonly bracket: Span | undefined;
}

/** The result of the search for an end. */
interface FoundEnd {
  /** Undefined if the text ends at its first `]`. */
  readonly text: ReadText | undefined;
  /** The offset after the last character read. */
  readonly lookedTo: number;
}

/** Finds the ends of texts in one of two ways, and records the texts for which this makes a difference. */
export class BracketEnds implements TextEnds {
  readonly #text: Characters;
  readonly #work: WorkCounter;
  readonly #way: 'old' | 'closed';
  readonly texts: ReadText[] = [];
  /** The offset after the last character read. */
  lookedTo = 0;

  /** `old` reads `\]` as an escaped bracket; `closed` skips matching brackets inside a text. */
  constructor(text: Characters, work: WorkCounter, way: 'old' | 'closed') {
    this.#text = text;
    this.#work = work;
    this.#way = way;
  }

  find(from: number): AtomEnd | undefined {
    const isOld = this.#way === 'old';
    const { text, lookedTo } = (isOld ? findOldEnd : findClosedEnd)(this.#text, from);
    this.#work.count += lookedTo - from;
    this.lookedTo = Math.max(this.lookedTo, lookedTo);
    if (!text) return undefined;
    this.texts.push(text);
    return { contentEnd: text.end, end: text.end + 1, ...(isOld && { isOld }) };
  }
}

/** The ends of texts that were found before. */
export class FoundEnds implements TextEnds {
  readonly #ends: ReadonlyMap<number, AtomEnd>;
  readonly #starts: readonly number[];

  /** The texts in order. */
  constructor(texts: readonly ReadText[]) {
    this.#ends = new Map(texts.map(({ start, end }) => [start, { contentEnd: end, end: end + 1 }]));
    this.#starts = texts.map(({ start }) => start);
  }

  find(from: number): AtomEnd | undefined {
    return this.#ends.get(from);
  }

  isMovedIn({ start, end }: Span): boolean {
    return (this.#starts[firstAtLeast(this.#starts, start)] ?? end) < end;
  }
}

/** Ends at the first `]` after an even number of backslashes, unless a message starts before it. */
function findOldEnd(text: Characters, from: number): FoundEnd {
  let bracket: Span | undefined;
  let backslashes = 0;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === CLOSE && backslashes % 2 === 0) {
      const isRead = bracket !== undefined || backslashes > 0;
      const isSound = isRead && findMessageStart(text, { start: from, end: at }) < 0;
      return { text: isSound ? { start: from, end: at, bracket } : undefined, lookedTo: at + CONTENT_START };
    }
    if (code === CLOSE) bracket ??= { start: at - 1, end: at + 1 };
    backslashes = code === BACKSLASH ? backslashes + 1 : 0;
  }
  return { text: undefined, lookedTo: text.length + 1 };
}

/**
 * Ends at the first `]` without a matching bracket in the text; undefined if the text contains a bracket with
 * a type letter and a colon.
 */
function findClosedEnd(text: Characters, from: number): FoundEnd {
  let bracket: Span | undefined;
  let open = 0;
  let backslashes = 0;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === CLOSE && open === 0)
      return { text: bracket && { start: from, end: at, bracket }, lookedTo: at + 1 };
    if (code === CLOSE) bracket ??= { start: at, end: at + 1 };
    if (code === OPEN && isValueStart(text, at)) return { text: undefined, lookedTo: at + CONTENT_START };
    if (code === OPEN) open++;
    else if (code === CLOSE || (backslashes % 2 === 1 && isBracketEscape(text, at)))
      open = Math.max(0, open - 1);
    backslashes = code === BACKSLASH ? backslashes + 1 : 0;
  }
  return { text: undefined, lookedTo: text.length + 1 };
}
