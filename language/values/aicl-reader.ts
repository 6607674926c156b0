import { atomSource, type AiclNode, type AtomNode, type PairNode, type UnitTree } from '../aicl/ast.ts';
import type { Children } from '../aicl/children.ts';
import { skipBlanks } from '../aicl/characters.ts';
import type { UnitReading } from '../aicl/document.ts';
import { unescapeOldText, unescapeText } from '../aicl/escapes.ts';
import type { Fault } from '../aicl/faults.ts';
import { isNextField } from '../aicl/lexeme.ts';
import { kindAt, Scanner } from '../aicl/scanner.ts';
import { nextStart, readLong, UnitReader } from '../aicl/unit-reader.ts';
import type { AiclRuleCode } from '../../core/catalog/aicl-rules.ts';
import {
  boolValue,
  floatValue,
  intValue,
  textValue,
  type DictValue,
  type Entry,
  type Value,
} from '../../core/values/value.ts';
import { SharedAtoms } from '../../core/values/shared-atoms.ts';
import { quote } from '../../core/text/quote.ts';
import { runAtOnce, SliceMeter } from '../../core/text/slices.ts';
import { SourceText } from '../../core/text/source-text.ts';
import { meetsSpan, type Span } from '../../core/text/span.ts';
import { isDecimalFloat, isInt } from '../rules/aicl/literals.ts';
import { writeFloat } from './aicl-printer.ts';
import { isRoundedFloat } from './float-text.ts';
import { findKey } from './json-value-reader.ts';
import { readNotation } from './notation.ts';
import { FaultList } from './fault-list.ts';
import type { AskedPart, Piece, PieceList, Places, TakePiece, TextFault } from './text-layer.ts';

const JSON_FLOAT = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A text with more broken pieces than this is none of messages: the rest of it is one fault. */
const MOST_BROKEN = 20_000;
/** Broken pieces longer than this are read by their entries, so that a fault costs no more than what is around it. */
const LONG_UNIT = 131_072;
const RUN_LENGTH = 16_384;

/**
 * Reads the top-level values of an AICL text (reading of LightAICL 3.1); a run of pairs is one dictionary, container
 * lines are passed over. Total and linear: of broken messages what can be read is, and what is lost is a fault.
 */
export function readAiclPieces(text: string, places?: Places): PieceList {
  const pieces: Piece[] = [];
  const faults = runAtOnce(aiclPieceSteps(text, { places }, piece => pieces.push(piece)));
  return { pieces, faults: [...faults] };
}

/** The same in slices; answers what could not be read. */
export function* aiclPieceSteps(
  text: string,
  { places, within }: AskedPart,
  take: TakePiece,
): Generator<undefined, FaultList> {
  const meter = new SliceMeter();
  const faults = new FaultList();
  const shared = places ? undefined : new SharedAtoms();
  const units = new Units(text);
  let broken = 0;
  for (let at = nextStart(text, 0); at < text.length;) {
    if (broken === MOST_BROKEN) {
      const message = `More than ${MOST_BROKEN} pieces of the text are no messages: the rest from here on is not read`;
      faults.push({ span: { start: at, end: text.length }, kind: 'dropped', message });
      break;
    }
    const unit = units.read(at);
    const span = { start: at, end: unit.end };
    const isWanted = within === undefined || meetsSpan(span, within);
    const reader = new TreeReader(text, at, { places: isWanted ? places : undefined, shared, faults });
    if (unit.tree) take({ value: reader.tree(unit.tree, { start: 0, end: unit.end - at }), span });
    if (unit.faults.length > 0) {
      broken++;
      tellFaults(unit, at, faults);
    }
    at = nextStart(text, unit.end);
    if (meter.isFull(at)) yield;
  }
  return faults;
}

type ReadUnit = Pick<UnitReading, 'end' | 'kind' | 'tree' | 'faults'>;

/** The units of one text. */
class Units {
  readonly #text: string;
  readonly #work = { count: 0 };
  readonly #scanner: Scanner;
  readonly #reader: UnitReader;
  /** The text for long units that are broken. */
  #chunks: SourceText | undefined;

  constructor(text: string) {
    this.#text = text;
    this.#scanner = new Scanner(text, this.#work);
    this.#reader = new UnitReader(text, 0, this.#work, LONG_UNIT);
  }

  /** What the grammar accepts is read in one go, however long; the rest as an open file reads it. */
  read(at: number): ReadUnit {
    const text = this.#text;
    const accepted = kindAt(text, at) === undefined ? undefined : this.#scanner.accept(at);
    if (accepted && !isTorn(text, accepted.tree, accepted.end))
      return { ...accepted, kind: 'message', faults: [] };
    const reading = this.#reader.read(at);
    if (reading) return reading;
    this.#chunks ??= SourceText.of(text);
    return readLong(this.#chunks, at, this.#work, { runLength: RUN_LENGTH });
  }
}

/** A message that ends although another field of it follows: its last bracket is one too many. */
function isTorn(text: string, { kind }: UnitTree, end: number): boolean {
  return kind === 'message' && isNextField(text, skipBlanks(text, end));
}

/** Faults of syntax that cost something, unless it is sure what was meant. The others are read as they were meant. */
const COSTLY: ReadonlySet<AiclRuleCode> = new Set([
  'aicl/foreign-text',
  'aicl/unknown-type',
  'aicl/too-deep',
  'aicl/missing-key',
  'aicl/key-type',
  'aicl/pair-in-list',
]);

function tellFaults({ kind, tree, end, faults }: ReadUnit, start: number, told: FaultList): void {
  const costly = faults.filter(isCostly);
  // Nothing vanishes: a piece of which nothing was read is told, whatever is wrong with it.
  const [first] = faults;
  if (costly.length === 0 && !tree && kind !== 'container' && first)
    told.push({ span: { start, end }, kind: 'dropped', message: first.message });
  for (const { span, message } of costly)
    told.push({
      span: { start: start + span.start, end: start + span.end },
      kind: 'dropped',
      message,
    });
}

function isCostly({ code, fixes, related }: Fault): boolean {
  // A message that is cut: more of it was there, or may have been.
  if (code === 'aicl/missing-bracket') return related !== undefined;
  return COSTLY.has(code) && fixes?.some(fix => fix.safe) !== true;
}

/** So many keys are compared with each other; more are put into a map. */
const FEW = 12;

/** Makes values of the tree of one unit. */
class TreeReader {
  readonly #text: string;
  /** Where the unit starts. */
  readonly #base: number;
  readonly #places: Places | undefined;
  readonly #shared: SharedAtoms | undefined;
  readonly #faults: FaultList;

  constructor(
    text: string,
    base: number,
    {
      places,
      shared,
      faults,
    }: {
      readonly places: Places | undefined;
      readonly shared: SharedAtoms | undefined;
      readonly faults: FaultList;
    },
  ) {
    this.#text = text;
    this.#base = base;
    this.#places = places;
    this.#shared = shared;
    this.#faults = faults;
  }

  tree(tree: UnitTree, span: Span): Value {
    const value = tree.kind === 'pairs' ? this.#dict(tree.pairs) : this.#value(tree.root);
    return this.#place(value, span);
  }

  #value(node: AiclNode): Value {
    switch (node.kind) {
      case 'text':
        return textValue(this.#textOf(node));
      case 'int':
        return this.#int(node);
      case 'float':
        return this.#float(node);
      case 'bool':
        return this.#bool(node);
      case 'tensor':
        return { kind: 'tensor', source: unwrap(this.#source(node)) };
      case 'list': {
        const items: Value[] = [];
        for (const item of node.items) items.push(this.#place(this.#value(item), item));
        return { kind: 'list', items };
      }
      case 'dict':
        return this.#dict(node.pairs);
    }
  }

  /** The later of two pairs with one key counts, in the place of the first. */
  #dict(pairs: Children<PairNode>): Value {
    const entries: Entry[] = [];
    const seen = pairs.length > FEW ? new Map<string, number>() : undefined;
    for (const pair of pairs) {
      const key = this.#textOf(pair.key);
      if (!pair.value) {
        this.#tell(pair, 'dropped', `The key ${quote(key)} has no value; it is left out`);
        continue;
      }
      const value = this.#place(this.#value(pair.value), pair);
      const before = seen ? (seen.get(key) ?? -1) : findKey(entries, key);
      if (before >= 0) {
        const message = `The key ${quote(key)} stands twice in this dictionary; the later value counts`;
        this.#tell(pair.key, 'dropped', message);
        entries[before] = { key, value };
        continue;
      }
      seen?.set(key, entries.length);
      entries.push({ key, value });
    }
    return fromNotation({ kind: 'dict', entries });
  }

  #int(node: AtomNode): Value {
    const source = this.#source(node);
    if (!isInt(source) || source.length > LONGEST_INT) return this.#odd(node, source, 'an integer');
    // Zero is added for the sake of -0.
    return source.length <= SAFE_DIGITS ? intValue(Number(source) + 0) : intValue(BigInt(source));
  }

  #float(node: AtomNode): Value {
    const source = this.#source(node);
    if (/^(?:inf|-inf|nan)$/i.test(source))
      return floatValue(Number(source.toLowerCase().replace('inf', 'Infinity')));
    if (!isDecimalFloat(source)) return this.#odd(node, source, 'a float');
    const float = Number(source);
    if (isRoundedFloat(source, float)) {
      const why = Number.isFinite(float) ? 'the nearest double' : 'no double is so large';
      this.#tell(node, 'rounded', `${quote(source)} is read as ${writeFloat(float)}, ${why}`);
      // JSON has fewer ways to write it.
      if (JSON_FLOAT.test(source)) return { kind: 'float', float, literal: source };
    }
    return floatValue(float);
  }

  #bool(node: AtomNode): Value {
    const source = this.#source(node);
    if (source === 'true' || source === 'false') return boolValue(source === 'true');
    return this.#odd(node, source, 'a boolean');
  }

  /** A literal that is none of its type. */
  #odd(node: AtomNode, source: string, what: string): Value {
    this.#tell(node, 'moved', `${quote(source)} is not ${what}; it is kept as a text`);
    return textValue(source);
  }

  /** The text that an atom means. A line end in it is LF, however a file writes it. */
  #textOf(node: AtomNode): string {
    const source = this.#source(node).replaceAll('\r\n', '\n');
    return node.isOld ? unescapeOldText(source) : unescapeText(source);
  }

  #source(node: AtomNode): string {
    return atomSource(this.#text, this.#base, node);
  }

  #place(value: Value, { start, end }: Span): Value {
    this.#places?.set(value, { start: this.#base + start, end: this.#base + end });
    return this.#shared?.share(value) ?? value;
  }

  #tell({ start, end }: Span, kind: TextFault['kind'], message: string): void {
    this.#faults.push({ span: { start: this.#base + start, end: this.#base + end }, kind, message });
  }
}

/** Null is made anew, so that each has a place. */
function fromNotation(dict: DictValue): Value {
  if (dict.entries.length !== 1) return dict;
  const value = readNotation(dict);
  return value.kind === 'null' ? { kind: 'null' } : value;
}

/** A payload's white space is wrapping, and never sent. */
function unwrap(source: string): string {
  return /[ \t\r\n]/.test(source) ? source.replace(/[ \t\r\n]+/g, '') : source;
}

/** A double holds integers of so many digits for certain. */
const SAFE_DIGITS = 15;
/** Longer integers are no numbers that anybody counts with, and reading them takes more than their length. */
const LONGEST_INT = 10_000;
