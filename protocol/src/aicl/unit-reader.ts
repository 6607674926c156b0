import type { Characters } from '../text/source-text.ts';
import type { WorkCounter } from '../text/work.ts';
import { CONTENT_START, type UnitTree } from './ast.ts';
import { BOM, HASH, SPACE, TAB, isBlank, isLineEnd, skipBlanks } from './characters.ts';
import { Boundaries, cutUnit, type Cut } from './cut.ts';
import type { UnitReading } from './document.ts';
import type { UnitKind } from './unit.ts';
import { EXTRA_BRACKET, foreignMessage } from './faults.ts';
import { judgeUnit } from './judge.ts';
import { isNextField, isValueStart, type LooseOptions } from './loose.ts';
import { parseTokens } from './parser.ts';
import { repairText } from './repair.ts';
import { kindAt, Scanner, type AcceptedUnit } from './scanner.ts';
import { tokenize } from './tokens.ts';

/** A reading in offsets of the reader's text. */
type PlacedReading = Omit<UnitReading, 'text' | 'start'>;

/** What words without an opening bracket are reported as. */
const HEADLESS_FAULTS: ReadonlySet<string> = new Set(['aicl/foreign-text', 'aicl/unknown-type']);

/**
 * Reads the units of one text. What a reading depends on ends at its `readTo`: an edit behind that leaves it as it is.
 */
export class UnitReader {
  readonly #text: string;
  readonly #offset: number;
  readonly #work: WorkCounter;
  readonly #scanner: Scanner;
  readonly #boundaries: Boundaries;

  /** Reads in a text that begins at `offset` of the document. */
  constructor(text: string, offset: number, work: WorkCounter) {
    this.#text = text;
    this.#offset = offset;
    this.#work = work;
    this.#scanner = new Scanner(text, work);
    this.#boundaries = new Boundaries(text);
  }

  /** Reads the unit that starts at an offset of the document. */
  read(at: number): UnitReading {
    const offset = this.#offset;
    const { base, end, readTo, kind, tree, faults } = this.#readAt(at - offset);
    return {
      text: this.#text,
      base,
      start: at,
      end: end + offset,
      readTo: readTo + offset,
      kind,
      tree,
      faults,
    };
  }

  #readAt(start: number): PlacedReading {
    const text = this.#text;
    if (isContainerLine(text, start)) return readContainerLine(text, start);
    if (!/[[［]/.test(text.charAt(start))) return this.#readForeign(start);
    this.#scanner.lookedTo = start;
    const { end, readTo, kind, tree, faults } = this.#readValue(start);
    this.#lookBehind(end);
    return { base: start, end, readTo: Math.max(readTo, this.#scanner.lookedTo), kind, tree, faults };
  }

  /** Blanks, a comma and the head of a key after a unit may make it a part of a larger one. */
  #lookBehind(end: number): void {
    const afterBlanks = skipBlanks(this.#text, end);
    const lookedTo = skipBlanks(this.#text, afterBlanks + 1) + CONTENT_START;
    this.#scanner.lookedTo = Math.max(this.#scanner.lookedTo, lookedTo);
  }

  /** What the grammar accepts, the scanner has read already; the rest is repaired or read by the parser. */
  #readValue(start: number): PlacedReading {
    const text = this.#text;
    const accepted = this.#scanner.accept(start);
    if (accepted && !this.#isTornMessage(accepted)) {
      const { tree, end } = accepted;
      return { base: start, end, readTo: end, kind: kindOf(tree), tree, faults: [] };
    }
    const limit = this.#boundaries.after(start);
    const cut = cutUnit(this.#scanner, text, start, limit, { headless: false });
    const repair = repairText(this.#scanner, text, start, cut);
    if (repair) {
      const { tree, end } = repair.unit;
      return {
        base: start,
        end,
        readTo: limit + CONTENT_START,
        kind: kindOf(tree),
        tree,
        faults: [repair.fault],
      };
    }
    const plain = this.#parse(start, limit, cut, { headless: false });
    if (plain.faults.length < 2 || !plain.faults.some(fault => HEADLESS_FAULTS.has(fault.code))) return plain;
    // Words before a bracket are a comment in one reading and a value that lost its head in the other: the one with
    // fewer faults is taken.
    const headless = { headless: true };
    const other = this.#parse(start, limit, cutUnit(this.#scanner, text, start, limit, headless), headless);
    return other.faults.length < plain.faults.length ? other : plain;
  }

  /** A message that ends although another field of it follows: its last bracket is one too many. */
  #isTornMessage({ tree, end }: AcceptedUnit): boolean {
    this.#lookBehind(end);
    return tree.kind === 'message' && isNextField(this.#text, skipBlanks(this.#text, end));
  }

  #parse(start: number, limit: number, cut: Cut, options: LooseOptions): PlacedReading {
    const source = this.#text.slice(start, cut.end);
    const { tokens, odd } = tokenize(source, this.#work, options);
    const { tree, faults } = judgeUnit(source, parseTokens(tokens), odd);
    const readTo = limit + CONTENT_START;
    return { base: start, end: cut.end, readTo, kind: kindOf(tree), tree, faults };
  }

  #readForeign(start: number): PlacedReading {
    const text = this.#text;
    const { end, readTo } = findForeignEnd(text, start);
    this.#work.count += readTo - start;
    const span = { start: 0, end: end - start };
    const source = text.slice(start, end);
    const code = source === ']' ? 'aicl/extra-bracket' : 'aicl/foreign-text';
    const message = source === ']' ? EXTRA_BRACKET : foreignMessage(source);
    const remove = { title: 'Remove it', edits: [{ span, newText: '' }], safe: false };
    return {
      base: start,
      end,
      readTo,
      kind: 'foreign',
      tree: undefined,
      faults: [{ code, span, message, fixes: [remove] }],
    };
  }
}

/** Where the next unit starts at or after `at`; a BOM at the start of a file is skipped. */
export function nextStart(text: Characters, at: number): number {
  return skipBlanks(text, at === 0 && text.charCodeAt(0) === BOM ? 1 : at);
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
