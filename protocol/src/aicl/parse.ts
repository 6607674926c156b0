import type { Settings } from '../catalog/settings.ts';
import { indexLines } from '../text/line-index.ts';
import type { WorkCounter } from '../text/work.ts';
import { BOM, HASH, SPACE, TAB, isBlank, isLineEnd, skipBlanks } from './characters.ts';
import { Boundaries, cutUnit, type Cut } from './cut.ts';
import type { AiclDocument, Unit, UnitCheck, UnitReading } from './document.ts';
import { EXTRA_BRACKET, foreignMessage, type Fault } from './faults.ts';
import { judgeUnit } from './judge.ts';
import { isNextField, isValueStart, type LooseOptions } from './loose.ts';
import { parseTokens } from './parser.ts';
import { repairText } from './repair.ts';
import { Scanner, type AcceptedUnit } from './scanner.ts';
import { EMPTY_SUMMARY, summarize } from './summary.ts';
import { tokenize } from './tokens.ts';

/**
 * Reads a file (reading of LightAICL 3.1): its units with what is wrong in each. Total and linear: any text gives a
 * document. The trees are not kept; `readUnit` makes one again for whoever looks at a unit.
 */
export function parseAicl(text: string, settings: Settings, check: UnitCheck): AiclDocument {
  const work = { count: 0 };
  const reader = new UnitReader(text, work);
  const units: Unit[] = [];
  let unread = 0;
  for (
    let at = reader.nextStart(0);
    at < text.length;
    at = reader.nextStart(units.at(-1)?.end ?? text.length)
  ) {
    if (isContainerLine(text, at)) units.push(containerLine(text, at));
    else {
      const reading = unread < MAX_UNREAD_UNITS ? reader.read(at) : restOfFile(text, at);
      if (reading.faults.length > 0) unread++;
      units.push({
        kind: kindOf(reading),
        start: at,
        end: reading.end,
        isAccepted: reading.faults.length === 0,
        summary: summarize(reading),
        issues: check(reading, settings),
      });
    }
  }
  return { text, lines: indexLines(text), settings, units, read: start => reader.read(start), work };
}

/** A file with more broken pieces than this is no file of messages: the rest of it is one piece. */
const MAX_UNREAD_UNITS = 20_000;

function restOfFile(text: string, at: number): UnitReading {
  const message = `More than ${MAX_UNREAD_UNITS} pieces of this file are no messages: the rest from here on is not read`;
  const fault: Fault = { code: 'aicl/foreign-text', span: { start: 0, end: 1 }, message };
  return { text, start: at, end: text.length, isForeign: true, tree: undefined, faults: [fault] };
}

function kindOf(reading: UnitReading): Unit['kind'] {
  if (reading.isForeign) return 'foreign';
  return reading.tree?.kind === 'message' ? 'message' : 'fragment';
}

/** Reads one unit of a document again, for its tree. */
export function readUnit(doc: AiclDocument, unit: Unit): UnitReading {
  if (unit.kind === 'container' || unit.kind === 'foreign') {
    return { text: doc.text, start: unit.start, end: unit.end, isForeign: true, tree: undefined, faults: [] };
  }
  return doc.read(unit.start);
}

/** The unit that an offset lies in or touches; undefined between units. */
export function findUnit(doc: AiclDocument, offset: number): Unit | undefined {
  let low = 0;
  let high = doc.units.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((doc.units[middle]?.end ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  const unit = doc.units[low];
  return unit && unit.start <= offset ? unit : undefined;
}

/** What words without an opening bracket are reported as. */
const HEADLESS_FAULTS: ReadonlySet<string> = new Set(['aicl/foreign-text', 'aicl/unknown-type']);

class UnitReader {
  readonly #text: string;
  readonly #work: WorkCounter;
  readonly #scanner: Scanner;
  readonly #boundaries: Boundaries;

  constructor(text: string, work: WorkCounter) {
    this.#text = text;
    this.#work = work;
    this.#scanner = new Scanner(text, work);
    this.#boundaries = new Boundaries(text);
  }

  /** Where the next unit starts at or after `at`; a BOM at the start of a file is skipped. */
  nextStart(at: number): number {
    return skipBlanks(this.#text, at === 0 && this.#text.charCodeAt(0) === BOM ? 1 : at);
  }

  /** What the grammar accepts, the scanner has read already; the rest is repaired or read by the parser. */
  read(start: number): UnitReading {
    const text = this.#text;
    if (!/[[［]/.test(text.charAt(start))) return this.#readForeign(start);
    const isForeign = false;
    const accepted = this.#scanner.accept(start);
    if (accepted && !this.#isTornMessage(accepted)) {
      return { text, start, end: accepted.end, isForeign, tree: accepted.tree, faults: [] };
    }
    const limit = this.#boundaries.after(start);
    const cut = cutUnit(this.#scanner, text, start, limit, { headless: false });
    const repair = repairText(this.#scanner, text, start, cut);
    if (repair) {
      return { text, start, end: repair.unit.end, isForeign, tree: repair.unit.tree, faults: [repair.fault] };
    }
    const plain = this.#parse(start, cut, { headless: false });
    if (plain.faults.length < 2 || !plain.faults.some(fault => HEADLESS_FAULTS.has(fault.code))) return plain;
    // Words before a bracket are a comment in one reading and a value that lost its head in the other: the one with
    // fewer faults is taken.
    const headless = { headless: true };
    const other = this.#parse(start, cutUnit(this.#scanner, text, start, limit, headless), headless);
    return other.faults.length < plain.faults.length ? other : plain;
  }

  /** A message that ends although another field of it follows: its last bracket is one too many. */
  #isTornMessage({ tree, end }: AcceptedUnit): boolean {
    return tree.kind === 'message' && isNextField(this.#text, skipBlanks(this.#text, end));
  }

  #parse(start: number, cut: Cut, options: LooseOptions): UnitReading {
    const source = this.#text.slice(start, cut.end);
    const { tokens, odd } = tokenize(source, this.#work, options);
    const { tree, faults } = judgeUnit(source, parseTokens(tokens), odd);
    return { text: this.#text, start, end: cut.end, isForeign: false, tree, faults };
  }

  #readForeign(start: number): UnitReading {
    const text = this.#text;
    const end = findForeignEnd(text, start);
    this.#work.count += end - start;
    const span = { start: 0, end: end - start };
    const source = text.slice(start, end);
    const code = source === ']' ? 'aicl/extra-bracket' : 'aicl/foreign-text';
    const message = source === ']' ? EXTRA_BRACKET : foreignMessage(source);
    const remove = { title: 'Remove it', edits: [{ span, newText: '' }], safe: false };
    return {
      text,
      start,
      end,
      isForeign: true,
      tree: undefined,
      faults: [{ code, span, message, fixes: [remove] }],
    };
  }
}

/** A container line begins, after blanks, with `#`, and exists only between units. */
function isContainerLine(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== HASH) return false;
  let before = at - 1;
  while (before >= 0 && (text.charCodeAt(before) === SPACE || text.charCodeAt(before) === TAB)) before--;
  return before < 0 || isLineEnd(text.charCodeAt(before)) || text.charCodeAt(before) === BOM;
}

function containerLine(text: string, at: number): Unit {
  let end = at;
  while (end < text.length && !isLineEnd(text.charCodeAt(end))) end++;
  return { kind: 'container', start: at, end, isAccepted: true, summary: EMPTY_SUMMARY, issues: [] };
}

/**
 * Foreign text is one unit as far as nothing else begins: words end at a value or a container line. What begins with a
 * bracket, comma or colon is the torn-off end of a message, and ends where a line starts with a value at column 0.
 */
function findForeignEnd(text: string, at: number): number {
  const isTornOff = /[\],:，：］]/.test(text.charAt(at));
  let end = at + 1;
  for (; end < text.length; end++) {
    const isLineStart = isLineEnd(text.charCodeAt(end - 1));
    if (isLineStart && isContainerLine(text, skipIndent(text, end))) break;
    if (isValueStart(text, end) && (isLineStart || !isTornOff)) break;
  }
  while (end > at + 1 && isBlank(text.charCodeAt(end - 1))) end--;
  return end;
}

function skipIndent(text: string, at: number): number {
  let next = at;
  while (text.charCodeAt(next) === SPACE || text.charCodeAt(next) === TAB) next++;
  return next;
}
