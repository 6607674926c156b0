import type { Characters } from '../../core/text/source-text.ts';
import type { Span } from '../../core/text/span.ts';
import type { WorkCounter } from '../../core/text/work.ts';
import type { AtomEnd } from './atom-end.ts';
import { CONTENT_START } from './ast.ts';
import { BACKSLASH, CLOSE, OPEN } from './characters.ts';
import { findMessageStart } from './cut.ts';
import { isBracketEscape } from './escapes.ts';
import { isValueStart } from './lexeme.ts';

/** Where texts end that are not read to their first `]`. */
export interface TextEnds {
  /** The end of the text whose content starts at `from`; undefined where that is its first `]`. */
  find(from: number): AtomEnd | undefined;
}

/** The content of a text that is read otherwise than to its first `]`. */
export interface ReadText extends Span {
  /** Its first `]`, with the backslash that an old escape has before it; undefined where it holds none. */
  readonly bracket: Span | undefined;
}

/** What was found from the content's start on. */
interface FoundEnd {
  /** Undefined where the text ends at its first `]`. */
  readonly text: ReadText | undefined;
  /** The offset after the last character that was looked at. */
  readonly lookedTo: number;
}

/** Ends texts in one way, and keeps which of them it read otherwise. */
export class BracketEnds implements TextEnds {
  readonly #text: Characters;
  readonly #work: WorkCounter;
  readonly #way: 'old' | 'closed';
  readonly texts: ReadText[] = [];
  /** The offset after the last character that was looked at. */
  lookedTo = 0;

  /** `old` reads `\]` as a bracket; `closed` ends a text behind the brackets that close those in it. */
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

/** At the first `]` behind an even run of backslashes, if no message starts before. */
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

/** At the first `]` that closes no bracket of the text, if the text holds none with a type letter and a colon. */
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
