import type { TensorPlace } from '../../feature-results.ts';
import { splitTensor, type TensorParts } from '../../../tensor/tensor-text.ts';
import { shiftSpan, type Span } from '../../../core/text/span.ts';
import {
  CONTENT_START,
  textOf,
  type AiclNode,
  type AtomNode,
  type PairNode,
  firstFrom,
  type Children,
} from '../ast.ts';
import type { AiclDocument, UnitReading } from '../document.ts';
import { readUnit } from '../parse.ts';
import type { Unit, UnitContent } from '../unit.ts';
import { findMark } from './tensor-marks.ts';

/**
 * The tensors that touch a span, in text order, at any depth of messages and fragments, whether sound or not.
 * In a long message only the surroundings of tensors are read.
 */
export function* tensors(doc: AiclDocument, within: Span): Generator<TensorPlace> {
  let [counted, message] = [0, 0];
  for (const { unit, index, reading, atom, path } of findTensors(doc, within)) {
    const parts = partsOf(reading, atom);
    for (; counted <= index; counted++) if (holdsValues(doc.units.contentAt(counted))) message++;
    const by = unit.start - reading.base;
    yield {
      span: shiftSpan(atom, unit.start),
      dtype: shiftSpan(parts.dtype, by),
      shape: shiftSpan(parts.shape, by),
      payload: shiftSpan(parts.payload, by),
      path,
      message,
      title: unit.summary.title || unit.summary.messageType || unit.kind,
      isSigned: unit.summary.isSigned,
    };
  }
}

/** The parts of a tensor in offsets of `text`; with fewer than three parts everything is payload. */
function partsOf({ text, base }: UnitReading, atom: AtomNode): TensorParts {
  const payload = { start: base + atom.start + CONTENT_START, end: base + atom.contentEnd };
  const none = { start: payload.start, end: payload.start };
  return splitTensor(text, payload.start, payload.end) ?? { dtype: none, shape: none, payload };
}

/** A tensor with its unit; the offsets of the atom are relative to the unit's start. */
export interface FoundTensor {
  readonly unit: Unit;
  /** The unit's index in the document. */
  readonly index: number;
  readonly reading: UnitReading;
  readonly atom: AtomNode;
  readonly path: string;
}

/** The tensor values that touch a span, in text order. */
export function* findTensors(doc: AiclDocument, within: Span): Generator<FoundTensor> {
  const { text, units } = doc;
  const first = units.at(Math.max(0, units.indexFrom(within.start) - 1));
  // A tensor may start before the span, but not in a unit before the one that touches it.
  let mark = findMark(text, first?.start ?? 0);
  while (mark <= within.end) {
    const index = units.indexFrom(mark + 1) - 1;
    const unit = units.at(index);
    if (!unit) return;
    if (holdsValues(unit) && unit.end >= within.start) {
      const reading = readUnit(doc, unit);
      for (const { atom, path } of new Walk(doc, unit, reading, within).read())
        yield { unit, index, reading, atom, path };
    }
    mark = findMark(text, Math.max(unit.end, mark + 1));
  }
}

/** True for units with values: container lines and foreign text have none. */
function holdsValues(unit: UnitContent | undefined): boolean {
  return unit?.kind === 'message' || unit?.kind === 'fragment';
}

/** Beyond this distance the next child is found by search instead of visiting the children between. */
const FAR = 4_096;

/** A tensor and its path in the unit. */
interface Step {
  readonly atom: AtomNode;
  readonly path: string;
}

/** Walks through the values of one unit in text order and skips everything without a tensor. */
class Walk {
  readonly #doc: AiclDocument;
  readonly #unit: Unit;
  readonly #reading: UnitReading;
  /** The span, relative to the unit's start. */
  readonly #within: Span;
  /** The offset of the next mark; there is no mark between the last searched offset and this one. */
  #mark = -1;

  constructor(doc: AiclDocument, unit: Unit, reading: UnitReading, within: Span) {
    this.#doc = doc;
    this.#unit = unit;
    this.#reading = reading;
    this.#within = shiftSpan(within, -unit.start);
  }

  *read(): Generator<Step> {
    const { tree } = this.#reading;
    if (tree?.kind === 'pairs') yield* this.#readPairs(tree.pairs, 0, '');
    else if (tree) yield* this.#readNode(tree.root, '');
  }

  *#readNode(node: AiclNode, path: string): Generator<Step> {
    if (node.kind === 'dict') yield* this.#readPairs(node.pairs, node.start, path);
    else if (node.kind === 'list') {
      for (const [index, item] of this.#marked(node.items, node.start))
        yield* this.#readNode(item, `${path}[${index}]`);
    } else if (node.kind === 'tensor' && this.#markFrom(node.start) === node.start) {
      const { start, end } = this.#within;
      if (node.start <= end && node.end >= start) yield { atom: node, path };
    }
  }

  *#readPairs(pairs: Children<PairNode>, start: number, path: string): Generator<Step> {
    const { text, base } = this.#reading;
    for (const [, { key, value }] of this.#marked(pairs, start))
      if (value) yield* this.#readNode(value, joinKey(path, textOf(text, base, key)));
  }

  /**
   * The children of a group that touch the span and contain a mark, each with its index. `groupStart` is the
   * start of the group.
   */
  *#marked<Node extends Span>(
    children: Children<Node>,
    groupStart: number,
  ): Generator<readonly [number, Node]> {
    const { start, end } = this.#within;
    let index = firstFrom(children, Math.max(start, this.#markFrom(groupStart)));
    for (;;) {
      const child = children.at(index);
      if (!child || child.start > end) return;
      if (this.#markFrom(child.start) < child.end) yield [index, child];
      const mark = this.#markFrom(child.end);
      if (mark > end) return;
      index = mark < child.end + FAR ? index + 1 : Math.max(index + 1, firstFrom(children, mark));
    }
  }

  /** The first mark at or after an offset; offsets must not decrease. */
  #markFrom(offset: number): number {
    const { start } = this.#unit;
    if (this.#mark < offset) this.#mark = findMark(this.#doc.text, start + offset) - start;
    return this.#mark;
  }
}

/** Maximum number of characters of a key shown in a path. */
const LONGEST_KEY = 200;

/** Appends a key to a path; a key that could be mistaken for path syntax is written in brackets and quotes. */
function joinKey(path: string, key: string): string {
  const shown = key.length > LONGEST_KEY ? `${key.slice(0, LONGEST_KEY)}…` : key;
  if (!/^[^.[\]"\p{Cc}]+$/u.test(shown)) return `${path}[${JSON.stringify(shown)}]`;
  return path === '' ? shown : `${path}.${shown}`;
}
