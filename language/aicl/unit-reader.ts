import type { Characters, SourceText } from '../../core/text/source-text.ts';
import type { WorkCounter } from '../work.ts';
import { CONTENT_START } from './ast.ts';
import { BOM, HASH, OPEN, SPACE, TAB, WIDE_OPEN, isBlank, isLineEnd, skipBlanks } from './characters.ts';
import type { ReadLimits, UnitReading } from './document.ts';
import { extraBrackets, foreignMessage } from './fault-words.ts';
import { PartSource, TextSource } from './token-source.ts';
import { isValueStart } from './lexeme.ts';
import type { PartOptions } from './parts.ts';
import { kindAt } from './scanner.ts';
import { ValueReader, type PlacedReading } from './value-reader.ts';

/** Reads the units of one part of a document. */
export class UnitReader {
  readonly #text: string;
  readonly #offset: number;
  readonly #work: WorkCounter;
  readonly #source: TextSource;
  readonly #maxLength: number;

  /** `text` starts at `offset` of the document. */
  constructor(
    text: string,
    offset: number,
    work: WorkCounter,
    { longUnit, longAccepted = longUnit }: Omit<ReadLimits, 'run'>,
  ) {
    this.#text = text;
    this.#offset = offset;
    this.#work = work;
    this.#maxLength = longUnit;
    this.#source = new TextSource(text, work, longAccepted);
  }

  /** Reads the unit at an offset of the document; undefined for a value longer than the limit. */
  read(at: number): UnitReading | undefined {
    const offset = this.#offset;
    const reading = this.#readAt(at - offset);
    if (!reading) return undefined;
    const { base, end, readTo, kind, tree, faults, isPlain } = reading;
    const place = { text: this.#text, base, start: at, end: end + offset, readTo: readTo + offset };
    return { ...place, kind, tree, faults, isPlain };
  }

  #readAt(start: number): PlacedReading | undefined {
    const text = this.#text;
    if (isContainerLine(text, start)) return readContainerLine(text, start);
    if (!isBracket(text, start)) return readForeign(text, start, this.#work);
    this.#source.startUnit();
    return new ValueReader(this.#source, this.#work).read(start, this.#maxLength);
  }
}

/** Reads the long value at `start`, reusing its stored lexemes, and stores the new ones in the reading. */
export function readLong(
  text: SourceText,
  start: number,
  work: WorkCounter,
  options: PartOptions,
): UnitReading {
  const source = new PartSource(text, work, options);
  const reading = new ValueReader(source, work).read(start, Infinity);
  if (!reading) throw new Error('readLong: no value is longer than Infinity');
  const parts = source.lexemes.list(start, reading.end);
  return { ...reading, text, start, parts };
}

function readForeign(text: string, start: number, work: WorkCounter): PlacedReading {
  const { end, readTo } = findForeignEnd(text, start);
  work.count += readTo - start;
  const span = { start: 0, end: end - start };
  const source = text.slice(start, end);
  const isBrackets = /^[\]\s]+$/.test(source);
  const code = isBrackets ? 'aicl/extra-bracket' : 'aicl/foreign-text';
  const message = isBrackets ? extraBrackets(source) : foreignMessage(source);
  const remove = { title: 'Remove it', edits: [{ span, newText: '' }], safe: false };
  const faults = [{ code, span, message, fixes: [remove] } as const];
  return { base: start, end, readTo, kind: 'foreign', tree: undefined, faults };
}

/** The start of the next unit at or after `at`; skips a BOM at the start of a file. */
export function nextStart(text: Characters, at: number): number {
  return skipBlanks(text, at === 0 && text.charCodeAt(0) === BOM ? 1 : at);
}

/** True at an opening bracket, ASCII or full-width. */
export function isBracket(text: Characters, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === OPEN || code === WIDE_OPEN;
}

/** True at a container line, which starts with `#` after blanks and exists only between units. */
function isContainerLine(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== HASH) return false;
  let before = at - 1;
  while (before >= 0 && (text.charCodeAt(before) === SPACE || text.charCodeAt(before) === TAB)) before--;
  return before < 0 || isLineEnd(text.charCodeAt(before)) || text.charCodeAt(before) === BOM;
}

function readContainerLine(text: string, start: number): PlacedReading {
  let end = start;
  while (end < text.length && !isLineEnd(text.charCodeAt(end))) end++;
  return { base: start, end, readTo: end + 1, kind: 'container', tree: undefined, faults: [] };
}

/**
 * The end of a unit of foreign text. Text ends at a value or a container line. Text that starts with a
 * closing bracket, comma or colon is probably the separated end of a message and extends to the next value at
 * column 0, or to a dictionary directly after a closing bracket; but a comma before a message is a unit by itself.
 */
function findForeignEnd(text: string, at: number): { readonly end: number; readonly readTo: number } {
  const isTornOff = /[\],:，：］]/.test(text.charAt(at));
  const next = skipBlanks(text, at + 1);
  if (/[,，]/.test(text.charAt(at)) && kindAt(text, next) === 'dict')
    return { end: at + 1, readTo: next + CONTENT_START };
  let end = at + 1;
  for (; end < text.length; end++) {
    const isLineStart = isLineEnd(text.charCodeAt(end - 1));
    if (isLineStart && isContainerLine(text, skipIndent(text, end))) break;
    if (isValueStart(text, end) && (isLineStart || !isTornOff || startsMessage(text, end))) break;
  }
  const readTo = Math.max(next, skipIndent(text, end)) + CONTENT_START;
  while (end > at + 1 && isBlank(text.charCodeAt(end - 1))) end--;
  return { end, readTo };
}

/** True at a dictionary that only a new message can be, because it follows a closing bracket. */
function startsMessage(text: string, at: number): boolean {
  return kindAt(text, at) === 'dict' && /[\]］]/.test(text.charAt(lastNonBlank(text, at)));
}

/** The offset of the last character before `at` that is not white space; -1 if there is none. */
function lastNonBlank(text: string, at: number): number {
  let before = at - 1;
  while (before >= 0 && isBlank(text.charCodeAt(before))) before--;
  return before;
}

function skipIndent(text: string, at: number): number {
  let next = at;
  while (text.charCodeAt(next) === SPACE || text.charCodeAt(next) === TAB) next++;
  return next;
}
