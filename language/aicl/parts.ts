import { firstAtLeast } from '../../core/text/number-list.ts';
import type { TextEdit } from '../../core/text/edit.ts';
import type { SourceText } from '../../core/text/source-text.ts';
import type { WorkCounter } from '../work.ts';
import { skipBlanks } from './characters.ts';
import { Lexer, moveLexeme, type Lexeme, type LexemePlace, type LexemeSource } from './lexeme.ts';
import { MAX_PIECES } from './loose.ts';
import { Scanner } from './scanner.ts';

/**
 * A lexeme of a long unit, stored until an edit touches text on which it depends. Offsets are relative to its
 * start.
 */
export interface Part {
  readonly lexeme: Lexeme;
  /** The length of text, from its start, on which it depends. */
  readonly readLength: number;
}

/** The lexemes of a long unit, and their starts relative to the unit. */
export interface PartList {
  readonly parts: readonly Part[];
  readonly starts: readonly number[];
}

/** An edit of the document since a list was created; text after it has moved. */
export interface Change {
  /** The start of the edit, and its end before and after. */
  readonly start: number;
  readonly oldEnd: number;
  readonly newEnd: number;
}

/** Converts a text edit to a change. */
export function toChange({ span, newText }: TextEdit): Change {
  return { start: span.start, oldEnd: span.end, newEnd: span.start + newText.length };
}

const NOTHING = { list: { parts: [], starts: [] }, start: 0 };
const NO_CHANGE: Change = { start: Infinity, oldEnd: Infinity, newEnd: Infinity };
/** The length of the windows in which the text is read; a lexeme that depends on more text gets a longer one. */
const WINDOW_LENGTH = 131_072;
/** Atoms with more characters get an identity for caches. */
const LONG_ATOM = 4096;
/**
 * This many lexemes within half the length of a run count as dense; at most `MAX_MENDS` dense places are
 * tried again per edit.
 */
const TORN_PARTS = 40;
const MAX_MENDS = 8;
/** The first window for a lexeme; most depend on less text. */
const SHORT_LENGTH = 256;

/**
 * The lexemes of a long unit: reused from before an edit if possible, otherwise read from the text. Complete
 * entries are combined into runs, so that a message of megabytes has few lexemes.
 */
export class PartReader implements LexemeSource {
  readonly #text: SourceText;
  readonly #work: WorkCounter;
  readonly #old: PartList;
  readonly #oldStart: number;
  readonly #change: Change;
  /** The parts that were read or reused, by start. */
  readonly #known = new Map<number, Part>();
  #window: TextWindow | undefined;
  #mends = MAX_MENDS;
  /** The approximate length of a run; tests use short ones. */
  readonly #runLength: number;

  /** The offset after the last character on which results depend. */
  lookedTo = 0;

  constructor(
    text: SourceText,
    work: WorkCounter,
    { old = NOTHING, change = NO_CHANGE, runLength }: PartOptions,
  ) {
    this.#text = text;
    this.#work = work;
    this.#old = old.list;
    this.#oldStart = old.start;
    this.#change = change;
    this.#runLength = runLength;
  }

  lexemeAt(at: number, place: LexemePlace): Lexeme {
    return moveLexeme(this.#lookAt(at, place).lexeme, at);
  }

  #lookAt(at: number, place: LexemePlace): Part {
    const part = this.#partAt(at, place);
    this.lookedTo = Math.max(this.lookedTo, at + part.readLength);
    return part;
  }

  #partAt(at: number, place: LexemePlace): Part {
    // Text that is nested too deep is not stored, because there may be any amount of it.
    if (place === 'deep') return this.#readPart(at);
    const known = this.#known.get(at) ?? this.#takeOver(at);
    const isFit = known && (place === 'entry' || known.lexeme.type !== 'run');
    if (isFit && !(place === 'entry' && this.#isTorn(at, known))) return known;
    const part = (place === 'entry' ? this.#readRun(at) : undefined) ?? (isFit ? known : this.#readPart(at));
    // Nor are more parts than the pieces of a broken unit: they are read again each time.
    if (this.#known.size < MAX_PIECES) this.#known.set(at, part);
    return part;
  }

  lexemeBefore(end: number, at: number, place: LexemePlace): Lexeme {
    const part = this.#lookAt(at, place);
    if (at + part.readLength <= end || end === this.#text.length) return moveLexeme(part.lexeme, at);
    const window = this.#windowFrom(at, end - at);
    return moveLexeme(window.lexer.lexemeBefore(end - window.start, at - window.start), window.start);
  }

  /** The parts from `start` to `end`, according to the lexemes requested so far. */
  list(start: number, end: number): PartList {
    const parts: Part[] = [];
    const starts: number[] = [];
    for (let at = start; at < end;) {
      const part = this.#known.get(at);
      if (!part) break;
      parts.push(part);
      starts.push(at - start);
      at = skipBlanks(this.#text, at + part.lexeme.end);
    }
    return { parts, starts };
  }

  /**
   * True if lexemes are dense at `at` because of an earlier fault. A few such places per edit are tried
   * again, so that repaired entries become runs.
   */
  #isTorn(at: number, part: Part): boolean {
    if (part.lexeme.type === 'run' || this.#mends === 0) return false;
    const { starts } = this.#old;
    const oldAt = this.#toOld(at) - this.#oldStart;
    const index = indexOf(starts, oldAt);
    const isDense = index >= 0 && (starts[index + TORN_PARTS] ?? Infinity) < oldAt + this.#runLength / 2;
    if (isDense) this.#mends--;
    return isDense;
  }

  /** The position of an offset before the edit. */
  #toOld(at: number): number {
    const { start, oldEnd, newEnd } = this.#change;
    return at < start ? at : at - newEnd + oldEnd;
  }

  /** A part from before the edit that does not depend on the change. */
  #takeOver(at: number): Part | undefined {
    const { start, newEnd } = this.#change;
    if (at >= start && at < newEnd) return undefined;
    const index = indexOf(this.#old.starts, this.#toOld(at) - this.#oldStart);
    const part = this.#old.parts[index];
    if (!part || (at < start && at + part.readLength > start)) return undefined;
    this.#known.set(at, part);
    return part;
  }

  #readRun(at: number): Part | undefined {
    const { start, text } = this.#windowFrom(at, 2 * this.#runLength);
    const scanner = new Scanner(text, this.#work);
    const found = scanner.acceptRun(at - start, this.#runLength, this.#nextRun(at) - start);
    if (!found) return undefined;
    const { run, readTo } = found;
    return { lexeme: { type: 'run', run, start: 0, end: run.length }, readLength: readTo + start - at };
  }

  /** The start of the next long run from before the edit. Reading stops there because the rest is known. */
  #nextRun(at: number): number {
    const { newEnd, oldEnd } = this.#change;
    if (oldEnd === Infinity) return Infinity;
    const oldAt = Math.max(at, newEnd) - newEnd + oldEnd;
    const { parts, starts } = this.#old;
    for (let index = firstAtLeast(starts, oldAt + 1 - this.#oldStart); index < parts.length; index++) {
      const { lexeme } = parts[index] ?? {};
      if (lexeme?.type === 'run' && lexeme.run.length > this.#runLength / 4)
        return (starts[index] ?? 0) + this.#oldStart - oldEnd + newEnd;
    }
    return Infinity;
  }

  #readPart(at: number): Part {
    for (let length = SHORT_LENGTH; ; length *= 16) {
      const { start, end, lexer } = this.#windowFrom(at, length);
      lexer.lookedTo = 0;
      const lexeme = lexer.lexemeAt(at - start);
      const readTo = lexer.lookedTo + start;
      if (readTo <= end || end === this.#text.length)
        return { lexeme: withOrigin(moveLexeme(lexeme, start - at)), readLength: readTo - at };
    }
  }

  /** A window with at least `length` characters from `at` on, or up to the text's end. */
  #windowFrom(at: number, length: number): TextWindow {
    const wanted = Math.min(this.#text.length, at + length);
    const window = this.#window;
    if (window && at >= window.start && wanted <= window.end) return window;
    const end = Math.min(this.#text.length, at + Math.max(length, WINDOW_LENGTH));
    const text = this.#text.slice(at, end);
    return (this.#window = { start: at, end, text, lexer: new Lexer(text, this.#work) });
  }
}

/** A part of the text with its lexer. */
interface TextWindow {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly lexer: Lexer;
}

export interface PartOptions {
  /** The stored lexemes of the unit, and its start before the edit. */
  readonly old?: { readonly list: PartList; readonly start: number } | undefined;
  readonly change?: Change | undefined;
  readonly runLength: number;
}

/** Gives a long atom an identity, so that results about it can be cached. */
function withOrigin(lexeme: Lexeme): Lexeme {
  return lexeme.type === 'atom' && lexeme.end > LONG_ATOM ? { ...lexeme, origin: {} } : lexeme;
}

function indexOf(starts: readonly number[], wanted: number): number {
  const index = firstAtLeast(starts, wanted);
  return starts[index] === wanted ? index : -1;
}
