import type { Characters, SourceText } from '../text/source-text.ts';
import type { WorkCounter } from '../text/work.ts';
import { acceptLexemes } from './accept.ts';
import { CONTENT_START, type AiclNode, type PairNode, type UnitTree } from './ast.ts';
import { BOM, HASH, SPACE, TAB, isBlank, isLineEnd, skipBlanks } from './characters.ts';
import { cutUnit, type Cut } from './cut.ts';
import type { UnitReading } from './document.ts';
import { EXTRA_BRACKET, foreignMessage } from './faults.ts';
import { judgeUnit } from './judge.ts';
import { isNextField, isValueStart, Lexer, type LexemeSource } from './lexeme.ts';
import { LooseReader, type LooseOptions } from './loose.ts';
import { parseTokens } from './parser.ts';
import { PartReader, type PartOptions } from './parts.ts';
import { repairText } from './repair.ts';
import type { PlacedRun } from './run.ts';
import { kindAt, Scanner, type AcceptedUnit, type ForcedEnd } from './scanner.ts';
import { tokenize } from './tokens.ts';
import type { UnitKind } from './unit.ts';

/** A reading in offsets of the reader's text. */
type PlacedReading = Omit<UnitReading, 'text' | 'start' | 'parts'>;

/** What words without an opening bracket are reported as. */
const HEADLESS_FAULTS: ReadonlySet<string> = new Set(['aicl/foreign-text', 'aicl/unknown-type']);

/** Where a reader takes its lexemes from, and how it reads what the grammar accepts. */
interface Ground {
  readonly text: Characters;
  readonly lexemes: LexemeSource;
  accept(start: number, forced?: ForcedEnd): AcceptedUnit | undefined;
  /** The entries of a run, in offsets of the unit that starts at `start`. */
  readRun(run: PlacedRun, start: number): readonly (AiclNode | PairNode)[];
  /** True where the last value was given up for its length. */
  isTooLong(): boolean;
  /** The offset after the last character that was looked at. */
  lookedTo(): number;
}

/** A text that is read as a whole. */
class TextGround implements Ground {
  readonly text: string;
  readonly lexemes: Lexer;
  readonly #scanner: Scanner;
  readonly #maxLength: number;

  constructor(text: string, work: WorkCounter, maxLength: number) {
    this.text = text;
    this.lexemes = new Lexer(text, work);
    this.#scanner = new Scanner(text, work);
    this.#maxLength = maxLength;
  }

  accept(start: number, forced?: ForcedEnd): AcceptedUnit | undefined {
    return this.#scanner.accept(start, { forced, maxLength: this.#maxLength });
  }

  readRun(): readonly never[] {
    // The lexer makes no runs.
    return [];
  }

  lookedTo(): number {
    return Math.max(this.#scanner.lookedTo, this.lexemes.lookedTo);
  }

  isTooLong(): boolean {
    return this.#scanner.isTooLong;
  }

  startUnit(): void {
    this.#scanner.lookedTo = 0;
    this.lexemes.lookedTo = 0;
  }
}

/** A long unit, read from what is kept of its lexemes. */
class PartGround implements Ground {
  readonly text: SourceText;
  readonly lexemes: PartReader;
  readonly #work: WorkCounter;

  constructor(text: SourceText, work: WorkCounter, options: PartOptions) {
    this.text = text;
    this.lexemes = new PartReader(text, work, options);
    this.#work = work;
  }

  accept(start: number, forced?: ForcedEnd): AcceptedUnit | undefined {
    return acceptLexemes(this.lexemes, this.text, start, run => this.readRun(run, start), forced);
  }

  readRun({ run, start }: PlacedRun, unitStart: number): readonly (AiclNode | PairNode)[] {
    const from = unitStart + start;
    // The scanner reads on over the comma behind the run.
    const text = this.text.slice(from, from + run.length + 1);
    return new Scanner(text, this.#work).readRun(0, -start, run);
  }

  lookedTo(): number {
    return this.lexemes.lookedTo;
  }

  isTooLong(): boolean {
    return false;
  }
}

/** Reads units from a ground. What a reading depends on ends at its `readTo`. */
class ValueReader {
  readonly #ground: Ground;
  readonly #work: WorkCounter;
  /** How far the text decided where a unit ends. */
  #seenTo = 0;

  constructor(ground: Ground, work: WorkCounter) {
    this.#ground = ground;
    this.#work = work;
  }

  /**
   * Reads the value, message or run of pairs at `start`. What the grammar accepts, the scanner has read already; the
   * rest is repaired or read by the parser. Undefined for one longer than `maxLength`.
   */
  read(start: number, maxLength: number): PlacedReading | undefined {
    const accepted = this.#ground.accept(start);
    if (accepted && !this.#isTornMessage(accepted)) {
      const { tree, end } = accepted;
      return { base: start, end, readTo: this.#readTo(end), kind: kindOf(tree), tree, faults: [] };
    }
    if (this.#ground.isTooLong()) return undefined;
    const broken = this.#readBroken(start, maxLength);
    return broken && { ...broken, readTo: this.#readTo(broken.end) };
  }

  #readBroken(start: number, maxLength: number): Omit<PlacedReading, 'readTo'> | undefined {
    const { text } = this.#ground;
    const cut = this.#cut(start, maxLength, { headless: false });
    if (!cut) return undefined;
    const repair = repairText(forced => this.#ground.accept(start, forced), text, start, cut);
    if (repair) {
      const { tree, end } = repair.unit;
      return { base: start, end, kind: kindOf(tree), tree, faults: [repair.fault] };
    }
    const plain = this.#parse(start, cut, { headless: false });
    if (plain.faults.length < 2 || !plain.faults.some(fault => HEADLESS_FAULTS.has(fault.code))) return plain;
    // Words before a bracket are a comment in one reading and a value that lost its head in the other: the one with
    // fewer faults is taken.
    const headlessCut = this.#cut(start, maxLength, { headless: true });
    if (!headlessCut) return undefined;
    const other = this.#parse(start, headlessCut, { headless: true });
    return other.faults.length < plain.faults.length ? other : plain;
  }

  #cut(start: number, maxLength: number, options: LooseOptions): Cut | undefined {
    const { lexemes, text } = this.#ground;
    const cut = cutUnit(new LooseReader(lexemes, text, options), text, start, maxLength);
    if (cut?.isOpen) this.#seenTo = text.length + 1;
    if (cut) this.#seenTo = Math.max(this.#seenTo, cut.end);
    return cut;
  }

  /** A message that ends although another field of it follows: its last bracket is one too many. */
  #isTornMessage({ tree, end }: AcceptedUnit): boolean {
    const { text } = this.#ground;
    return tree.kind === 'message' && isNextField(text, skipBlanks(text, end));
  }

  #parse(start: number, cut: Cut, options: LooseOptions): Omit<PlacedReading, 'readTo'> {
    const { lexemes, text } = this.#ground;
    const { end } = cut;
    const { tokens, odd } = tokenize(lexemes, text, { start, end }, this.#work, options);
    const { tree, faults } = judgeUnit(new UnitText(text, start, end), parseTokens(tokens), odd, run =>
      this.#ground.readRun(run, start),
    );
    return { base: start, end, kind: kindOf(tree), tree, faults };
  }

  /** Blanks, a comma and the head of a key after a unit may make it a part of a larger one. */
  #readTo(end: number): number {
    const { text } = this.#ground;
    const afterBlanks = skipBlanks(text, end);
    const lookedTo = skipBlanks(text, afterBlanks + 1) + CONTENT_START;
    return Math.max(lookedTo, this.#ground.lookedTo(), this.#seenTo);
  }
}

/** The text of one unit. */
class UnitText implements Characters {
  readonly length: number;
  readonly #text: Characters;
  readonly #start: number;

  constructor(text: Characters, start: number, end: number) {
    this.#text = text;
    this.#start = start;
    this.length = end - start;
  }

  charCodeAt(at: number): number {
    return at < 0 || at >= this.length ? Number.NaN : this.#text.charCodeAt(this.#start + at);
  }

  slice(start = 0, end = this.length): string {
    const from = Math.max(0, start);
    return this.#text.slice(this.#start + from, this.#start + Math.max(from, Math.min(end, this.length)));
  }
}

/** Reads the units of one text that is a stretch of a document. */
export class UnitReader {
  readonly #text: string;
  readonly #offset: number;
  readonly #work: WorkCounter;
  readonly #ground: TextGround;
  readonly #maxLength: number;

  /** Reads in a text that begins at `offset` of the document. */
  constructor(text: string, offset: number, work: WorkCounter, maxLength: number) {
    this.#text = text;
    this.#offset = offset;
    this.#work = work;
    this.#maxLength = maxLength;
    this.#ground = new TextGround(text, work, maxLength);
  }

  /** Reads the unit that starts at an offset of the document; undefined for a value longer than the greatest length. */
  read(at: number): UnitReading | undefined {
    const offset = this.#offset;
    const reading = this.#readAt(at - offset);
    if (!reading) return undefined;
    const { end, readTo } = reading;
    return { ...reading, text: this.#text, start: at, end: end + offset, readTo: readTo + offset };
  }

  #readAt(start: number): PlacedReading | undefined {
    const text = this.#text;
    if (isContainerLine(text, start)) return readContainerLine(text, start);
    if (!isBracket(text, start)) return readForeign(text, start, this.#work);
    this.#ground.startUnit();
    return new ValueReader(this.#ground, this.#work).read(start, this.#maxLength);
  }
}

/**
 * Reads the long value that starts at `start`, from what is kept of it. Its reading keeps its lexemes in turn.
 */
export function readLong(
  text: SourceText,
  start: number,
  work: WorkCounter,
  options: PartOptions,
): UnitReading {
  const ground = new PartGround(text, work, options);
  const reading = new ValueReader(ground, work).read(start, Infinity);
  if (!reading) throw new Error('readLong: no value is longer than Infinity');
  const parts = ground.lexemes.list(start, reading.end);
  return { ...reading, text, start, parts };
}

function readForeign(text: string, start: number, work: WorkCounter): PlacedReading {
  const { end, readTo } = findForeignEnd(text, start);
  work.count += readTo - start;
  const span = { start: 0, end: end - start };
  const source = text.slice(start, end);
  const code = source === ']' ? 'aicl/extra-bracket' : 'aicl/foreign-text';
  const message = source === ']' ? EXTRA_BRACKET : foreignMessage(source);
  const remove = { title: 'Remove it', edits: [{ span, newText: '' }], safe: false };
  const faults = [{ code, span, message, fixes: [remove] } as const];
  return { base: start, end, readTo, kind: 'foreign', tree: undefined, faults };
}

/** Where the next unit starts at or after `at`; a BOM at the start of a file is skipped. */
export function nextStart(text: Characters, at: number): number {
  return skipBlanks(text, at === 0 && text.charCodeAt(0) === BOM ? 1 : at);
}

/** True where an opening bracket of either width stands. */
export function isBracket(text: Characters, at: number): boolean {
  return /[[［]/.test(text.slice(at, at + 1));
}

/** A container line begins, after blanks, with `#`, and exists only between units. */
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

function kindOf(tree: UnitTree | undefined): UnitKind {
  return tree?.kind === 'message' ? 'message' : 'fragment';
}

/**
 * Foreign text is one unit as far as nothing else begins: words end at a value or a container line. What begins with a
 * bracket, comma or colon is the torn-off end of a message, and ends where a line starts with a value at column 0; but
 * a comma before a message is only a comma.
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
    if (isValueStart(text, end) && (isLineStart || !isTornOff)) break;
  }
  const readTo = Math.max(next, skipIndent(text, end)) + CONTENT_START;
  while (end > at + 1 && isBlank(text.charCodeAt(end - 1))) end--;
  return { end, readTo };
}

function skipIndent(text: string, at: number): number {
  let next = at;
  while (text.charCodeAt(next) === SPACE || text.charCodeAt(next) === TAB) next++;
  return next;
}
