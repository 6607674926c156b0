import { JSON_NUMBER } from '../../core/text/json.ts';
import { fitArray } from '../fit-array.ts';
import {
  atomSource,
  type AiclNode,
  type AtomNode,
  type PairNode,
  type UnitTree,
  type Children,
} from '../aicl/ast.ts';
import type { UnitReading } from '../aicl/document.ts';
import { unescapeOldText, unescapeText, unwrapPayload } from '../aicl/escapes.ts';
import type { Fault } from '../aicl/faults.ts';
import { LIMITS_WITHOUT_EDITS } from '../aicl/parse.ts';
import { nextStart, readLong, UnitReader } from '../aicl/unit-reader.ts';
import type { AiclRuleCode } from '../../core/catalog/aicl-rules.ts';
import { boolValue, floatValue, intValue, textValue, type Value } from '../../core/values/value.ts';
import { SharedAtoms } from '../../core/values/shared-atoms.ts';
import { quote } from '../../core/text/quote.ts';
import { runAtOnce, SliceMeter } from '../../core/text/slices.ts';
import { SourceText } from '../../core/text/source-text.ts';
import { meetsSpan, type Span } from '../../core/text/span.ts';
import { isDecimalFloat, isInt } from '../rules/aicl/literals.ts';
import { writeFloat } from './aicl-printer.ts';
import { isRoundedFloat } from '../../core/text/exact-decimal.ts';
import { DictBuilder } from './dict-builder.ts';
import { readNotation } from './notation.ts';
import { FaultList } from './fault-list.ts';
import type { PartOptions, Piece, PieceList, Places, TakePiece, TextFault } from './text-layer.ts';

/** Maximum number of broken units; the rest of such a text is one fault. */
const MAX_BROKEN = 20_000;
/**
 * Reads the top-level values of an AICL text (reading of LightAICL 3.1). A run of pairs becomes one
 * dictionary; container lines are skipped. Never fails; linear. Broken messages are read as far as possible,
 * and losses are reported as faults.
 */
export function readAiclPieces(text: string, places?: Places): PieceList {
  const pieces: Piece[] = [];
  const faults = runAtOnce(aiclPieceSteps(text, { places }, piece => pieces.push(piece)));
  return { pieces, faults: [...faults] };
}

/** The same in slices; returns the faults. */
export function* aiclPieceSteps(
  text: string,
  { places, within }: PartOptions,
  take: TakePiece,
): Generator<undefined, FaultList> {
  const meter = new SliceMeter();
  const faults = new FaultList();
  const shared = places ? undefined : new SharedAtoms();
  const work = { count: 0 };
  const units = new UnitReader(text, 0, work, LIMITS_WITHOUT_EDITS);
  let chunks: SourceText | undefined;
  let broken = 0;
  for (let at = nextStart(text, 0); at < text.length;) {
    if (broken === MAX_BROKEN) {
      const message = `More than ${MAX_BROKEN} parts of the text are not messages: the rest from here on is not read`;
      faults.push({ span: { start: at, end: text.length }, kind: 'dropped', message });
      break;
    }
    const unit =
      units.read(at) ??
      readLong((chunks ??= SourceText.of(text)), at, work, { runLength: LIMITS_WITHOUT_EDITS.run });
    const span = { start: at, end: unit.end };
    const isWanted = within === undefined || meetsSpan(span, within);
    const reader = new TreeReader(text, at, { places: isWanted ? places : undefined, shared, faults });
    if (unit.tree) take({ value: reader.tree(unit.tree, { start: 0, end: unit.end - at }), span });
    if (unit.faults.length > 0) {
      broken++;
      reportFaults(unit, at, faults);
    }
    at = nextStart(text, unit.end);
    if (meter.isFull(at)) yield;
  }
  return faults;
}

/** Syntax faults that lose data, unless a fix is certain. Other faults do not change what is read. */
const COSTLY: ReadonlySet<AiclRuleCode> = new Set([
  'aicl/foreign-text',
  'aicl/unknown-type',
  'aicl/too-deep',
  'aicl/missing-key',
  'aicl/key-type',
  'aicl/pair-in-list',
]);

function reportFaults({ kind, tree, end, faults }: UnitReading, start: number, reported: FaultList): void {
  const costly = faults.filter(isCostly);
  // Nothing is dropped silently: a unit without a result is reported whatever its fault is.
  const [first] = faults;
  if (costly.length === 0 && !tree && kind !== 'container' && first)
    reported.push({ span: { start, end }, kind: 'dropped', message: first.message });
  for (const { span, message } of costly)
    reported.push({
      span: { start: start + span.start, end: start + span.end },
      kind: 'dropped',
      message,
    });
}

function isCostly({ code, fixes, related }: Fault): boolean {
  // A message that was cut may have had more content.
  if (code === 'aicl/missing-bracket') return related !== undefined;
  return COSTLY.has(code) && fixes?.some(fix => fix.safe) !== true;
}

/** Converts the tree of one unit to values. */
class TreeReader {
  readonly #text: string;
  /** The start of the unit. */
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
        return { kind: 'tensor', source: unwrapPayload(this.#source(node)) };
      case 'list': {
        const items: Value[] = [];
        for (const item of node.items) items.push(this.#place(this.#value(item), item));
        return { kind: 'list', items: fitArray(items) };
      }
      case 'dict':
        return this.#dict(node.pairs);
    }
  }

  /** Of two pairs with one key the later value counts, at the position of the first. */
  #dict(pairs: Children<PairNode>): Value {
    const entries = new DictBuilder();
    for (const pair of pairs) {
      const key = this.#textOf(pair.key);
      if (!pair.value) {
        this.#report(pair, 'dropped', `The key ${quote(key)} has no value; it is left out`);
        continue;
      }
      const value = this.#place(this.#value(pair.value), pair);
      if (!entries.set(key, value)) continue;
      const message = `The key ${quote(key)} occurs twice in this dictionary; the later value counts`;
      this.#report(pair.key, 'dropped', message);
    }
    return readNotation(entries.finish());
  }

  #int(node: AtomNode): Value {
    const source = this.#source(node);
    if (!isInt(source) || source.length > LONGEST_INT) return this.#unexpected(node, source, 'an integer');
    // Adding zero turns -0 into 0.
    return source.length <= SAFE_DIGITS ? intValue(Number(source) + 0) : intValue(BigInt(source));
  }

  #float(node: AtomNode): Value {
    const source = this.#source(node);
    if (/^(?:inf|-inf|nan)$/i.test(source))
      return floatValue(Number(source.toLowerCase().replace('inf', 'Infinity')));
    if (!isDecimalFloat(source)) return this.#unexpected(node, source, 'a float');
    const float = Number(source);
    if (isRoundedFloat(source, float)) {
      const why = Number.isFinite(float) ? 'the nearest double' : 'no double is so large';
      this.#report(node, 'rounded', `${quote(source)} is read as ${writeFloat(float)}, ${why}`);
      // Store the literal if it is also valid JSON, so that it can be printed exactly.
      if (JSON_NUMBER.test(source)) return { kind: 'float', float, literal: source };
    }
    return floatValue(float);
  }

  #bool(node: AtomNode): Value {
    const source = this.#source(node);
    if (source === 'true' || source === 'false') return boolValue(source === 'true');
    return this.#unexpected(node, source, 'a boolean');
  }

  /** A literal that is invalid for its type is read as a text. */
  #unexpected(node: AtomNode, source: string, what: string): Value {
    this.#report(node, 'moved', `${quote(source)} is not ${what}; it is read as a text`);
    return textValue(source);
  }

  /** The decoded text of an atom. CRLF in it is read as LF. */
  #textOf(node: AtomNode): string {
    const raw = this.#source(node);
    const source = raw.includes('\r') ? raw.replaceAll('\r\n', '\n') : raw;
    return node.isOld ? unescapeOldText(source) : unescapeText(source);
  }

  #source(node: AtomNode): string {
    return atomSource(this.#text, this.#base, node);
  }

  #place(value: Value, { start, end }: Span): Value {
    this.#places?.set(value, { start: this.#base + start, end: this.#base + end });
    return this.#shared?.share(value) ?? value;
  }

  #report({ start, end }: Span, kind: TextFault['kind'], message: string): void {
    this.#faults.push({ span: { start: this.#base + start, end: this.#base + end }, kind, message });
  }
}

/** Integers with up to this many digits are exact in a double. */
const SAFE_DIGITS = 15;
/** Maximum length of an integer; longer ones are read as texts, because parsing them takes more than linear time. */
const LONGEST_INT = 10_000;
