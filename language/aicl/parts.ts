import { firstAtLeast } from '../../core/text/count-while.ts';
import type { TextEdit } from '../../core/text/edit.ts';
import type { SourceText } from '../../core/text/source-text.ts';
import type { WorkCounter } from '../../core/text/work.ts';
import { skipBlanks } from './characters.ts';
import { Lexer, moveLexeme, type Lexeme, type LexemePlace, type LexemeSource } from './lexeme.ts';
import { Scanner } from './scanner.ts';

/** A lexeme of a long unit, kept while no edit touches what it depends on. Its offsets count from its start. */
export interface Part {
  readonly lexeme: Lexeme;
  /** How far from its start the text was looked at to read it. */
  readonly readLength: number;
}

/** The lexemes of a long unit, and where each starts, counted from the unit's start. */
export interface PartList {
  readonly parts: readonly Part[];
  readonly starts: readonly number[];
}

/** An edit of the document since a list was made: what stands behind it moved. */
export interface Change {
  /** Where the edit began, and where it ended before and after. */
  readonly start: number;
  readonly oldEnd: number;
  readonly newEnd: number;
}

/** An edit as a change of places. */
export function toChange({ span, newText }: TextEdit): Change {
  return { start: span.start, oldEnd: span.end, newEnd: span.start + newText.length };
}

const NOTHING = { list: { parts: [], starts: [] }, start: 0 };
const NO_CHANGE: Change = { start: Infinity, oldEnd: Infinity, newEnd: Infinity };
/** The text is read in windows; a lexeme that depends on more gets a longer one. */
const WINDOW_LENGTH = 131_072;
/** An atom of more characters keeps what is known of it. */
const LONG_ATOM = 4096;
/** So many lexemes in half a run's length are dense; so many stretches of them are tried at an edit. */
const TORN_PARTS = 40;
const MOST_MENDS = 8;
/** Most lexemes depend on less. */
const SHORT_LENGTH = 256;

/**
 * The lexemes of a long unit: taken over from before an edit where they can be, else read from the text. Entries that
 * are whole come as runs, so that a message of megabytes has few lexemes.
 */
export class PartReader implements LexemeSource {
  readonly #text: SourceText;
  readonly #work: WorkCounter;
  readonly #old: PartList;
  readonly #oldStart: number;
  readonly #change: Change;
  /** What was read anew or taken over, by its start. */
  readonly #known = new Map<number, Part>();
  #window: TextWindow | undefined;
  #mends = MOST_MENDS;
  /** About how long a run is: tests ask for short ones. */
  readonly #runLength: number;

  /** The offset after the last character that the answers depend on. */
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
    // What is nested too deep is read each time instead of stored: there may be as much of it as the text has room for.
    if (place === 'deep') return this.#readPart(at);
    const known = this.#known.get(at) ?? this.#takeOver(at);
    const isFit = known && (place === 'entry' || known.lexeme.type !== 'run');
    if (isFit && !(place === 'entry' && this.#isTorn(at, known))) return known;
    const part = (place === 'entry' ? this.#readRun(at) : undefined) ?? (isFit ? known : this.#readPart(at));
    this.#known.set(at, part);
    return part;
  }

  lexemeBefore(end: number, at: number, place: LexemePlace): Lexeme {
    const part = this.#lookAt(at, place);
    if (at + part.readLength <= end || end === this.#text.length) return moveLexeme(part.lexeme, at);
    const window = this.#windowFrom(at, end - at);
    return moveLexeme(window.lexer.lexemeBefore(end - window.start, at - window.start), window.start);
  }

  /** The parts from `start` to `end`, as they were asked for. */
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
   * True for lexemes that stand dense where a fault was: what is whole again becomes a run again, a few stretches at
   * each edit.
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

  /** Where a place stood before the edit. */
  #toOld(at: number): number {
    const { start, oldEnd, newEnd } = this.#change;
    return at < start ? at : at - newEnd + oldEnd;
  }

  /** A part from before the edit that does not depend on what changed. */
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

  /** Where the next long run from before the edit starts: reading stops there, for what follows is known. */
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

  /** A stretch of the text with at least `length` characters from `at` on, or to the text's end. */
  #windowFrom(at: number, length: number): TextWindow {
    const wanted = Math.min(this.#text.length, at + length);
    const window = this.#window;
    if (window && at >= window.start && wanted <= window.end) return window;
    const end = Math.min(this.#text.length, at + Math.max(length, WINDOW_LENGTH));
    const text = this.#text.slice(at, end);
    return (this.#window = { start: at, end, text, lexer: new Lexer(text, this.#work) });
  }
}

/** A stretch of the text, and what reads it. */
interface TextWindow {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly lexer: Lexer;
}

export interface PartOptions {
  /** What is kept of the unit, and where it started before the edit. */
  readonly old?: { readonly list: PartList; readonly start: number } | undefined;
  readonly change?: Change | undefined;
  readonly runLength: number;
}

/** What is found in a long atom is worth keeping. */
function withOrigin(lexeme: Lexeme): Lexeme {
  return lexeme.type === 'atom' && lexeme.end > LONG_ATOM ? { ...lexeme, origin: {} } : lexeme;
}

function indexOf(starts: readonly number[], wanted: number): number {
  const index = firstAtLeast(starts, wanted);
  return starts[index] === wanted ? index : -1;
}
