import type { Settings } from '../../core/catalog/settings.ts';
import { indentAt, type Indent } from '../format.ts';
import { checkBase85 } from '../../tensor/base85.ts';
import { splitTensor } from '../../tensor/tensor-text.ts';
import type { TextEdit } from '../../core/text/edit.ts';
import type { Characters } from '../../core/text/source-text.ts';
import { shiftSpan, type Span } from '../../core/text/span.ts';
import {
  CONTENT_START,
  type AiclNode,
  type AtomNode,
  type DictNode,
  type ListNode,
  type PairNode,
} from './ast.ts';
import { isBlank, isLineEnd, skipBlanks } from './characters.ts';
import type { Children } from './children.ts';
import type { UnitReading } from './document.ts';
import { unwrapPayload } from './print.ts';

/** How messages are to stand. */
export interface Layout {
  readonly style: Settings['aicl.format.style'];
  readonly indent: Indent;
  readonly lineEnd: string;
  readonly payloadWidth: number;
}

/** A list or dictionary that takes no more than this many characters stays on its line. */
export const LINE_WIDTH = 100;

/** Edits of white space between tokens, in the offsets of the document, that give a unit its layout. */
export function layOut(reading: UnitReading, layout: Layout): readonly TextEdit[] {
  const writer = new LayoutWriter(reading, layout);
  writer.run();
  return placeEdits(reading, writer.edits);
}

/** The same for the payload of one tensor, which so many lists and dictionaries hold. */
export function layOutPayload(
  reading: UnitReading,
  tensor: AtomNode,
  depth: number,
  layout: Layout,
): readonly TextEdit[] {
  const writer = new LayoutWriter(reading, layout);
  writer.tensor(tensor, depth);
  return placeEdits(reading, writer.edits);
}

function placeEdits({ start, base }: UnitReading, edits: readonly TextEdit[]): readonly TextEdit[] {
  const by = start - base;
  return by === 0 ? edits : edits.map(({ span, newText }) => ({ span: shiftSpan(span, by), newText }));
}

/** Adds an edit where a span of a text is to be written in another way. */
export function replaceWhere(text: Characters, span: Span, wanted: string, edits: TextEdit[]): void {
  const { start, end } = span;
  if (end - start === wanted.length && (wanted === '' || text.slice(start, end) === wanted)) return;
  edits.push({ span: { start, end }, newText: wanted });
}

class LayoutWriter {
  readonly edits: TextEdit[] = [];
  readonly #reading: UnitReading;
  readonly #layout: Layout;

  constructor(reading: UnitReading, layout: Layout) {
    this.#reading = reading;
    this.#layout = layout;
  }

  run(): void {
    const { tree } = this.#reading;
    if (!tree) return;
    if (tree.kind === 'pairs') this.#pairs(tree.pairs, this.#newLine(0), 0, tree.trailingComma);
    else if (tree.kind === 'message') this.#group(tree.root, 0, 'lines');
    else this.#value(tree.root, 0, 0);
  }

  /** What stands before a child that has a line of its own. */
  #newLine(depth: number): string {
    const { style, lineEnd, indent } = this.#layout;
    return style === 'compact' ? '' : lineEnd + indentAt(indent, depth);
  }

  /** `column` is where the value starts on its line. */
  #value(node: AiclNode, depth: number, column: number): void {
    if (node.kind === 'tensor') return this.tensor(node, depth);
    if (node.kind !== 'list' && node.kind !== 'dict') return;
    const fits = this.#roomAfter(node, LINE_WIDTH - column) >= 0;
    this.#group(node, depth, fits ? 'line' : 'lines');
  }

  /** A list or dictionary on one line, or on several with one child a line. */
  #group(node: ListNode | DictNode, depth: number, on: 'line' | 'lines'): void {
    const before = on === 'lines' ? this.#newLine(depth + 1) : '';
    const children = childrenOf(node);
    const first = children.at(0);
    this.#gap(node.start + CONTENT_START, first?.start ?? node.end - 1, first ? before : '');
    if (!first) return;
    if (node.kind === 'dict') this.#pairs(node.pairs, before, depth + 1, node.trailingComma);
    else this.#items(node, before, depth + 1);
    const lastEnd = node.trailingComma >= 0 ? node.trailingComma + 1 : (children.at(-1)?.end ?? node.start);
    this.#gap(lastEnd, node.end - 1, on === 'lines' ? this.#newLine(depth) : '');
  }

  #items({ items, trailingComma }: ListNode, before: string, depth: number): void {
    const column = this.#layout.indent.width * depth;
    eachWithNext(items, (item, next) => {
      this.#value(item, depth, column);
      this.#separator(item.end, next?.start, before, trailingComma);
    });
  }

  #pairs(pairs: Children<PairNode>, before: string, depth: number, trailingComma: number): void {
    const column = this.#layout.indent.width * depth;
    eachWithNext(pairs, (pair, next) => {
      const { key, value } = pair;
      if (value) {
        const colon = this.#skip(key.end);
        this.#gap(key.end, colon, '');
        this.#gap(colon + 1, value.start, '');
        this.#value(value, depth, column + (key.end - key.start) + 1);
      }
      this.#separator(pair.end, next?.start, before, trailingComma);
    });
  }

  /** No space before a comma; `before` stands before the next child. */
  #separator(end: number, next: number | undefined, before: string, trailingComma: number): void {
    if (next === undefined) {
      if (trailingComma >= 0) this.#gap(end, trailingComma, '');
      return;
    }
    const comma = this.#skip(end);
    this.#gap(end, comma, '');
    this.#gap(comma + 1, next, before);
  }

  /** A payload longer than a line is wrapped, one indent deeper; a shorter one is put on its line; a broken one is left. */
  tensor(atom: AtomNode, depth: number): void {
    const { text, base } = this.#reading;
    const { style, payloadWidth } = this.#layout;
    const parts = splitTensor(text, base + atom.start + CONTENT_START, base + atom.contentEnd);
    if (!parts) return;
    const source = text.slice(parts.payload.start, parts.payload.end);
    const found = checkBase85(source, 0, source.length);
    if (found.fault?.kind === 'character' || found.strayBlank !== undefined) return;
    const payload = unwrapPayload(source);
    const isLong = style !== 'compact' && payload.length > payloadWidth;
    replaceWhere(text, parts.payload, isLong ? this.#wrap(payload, depth) : payload, this.edits);
  }

  #wrap(payload: string, depth: number): string {
    const { payloadWidth } = this.#layout;
    const lines = [''];
    for (let at = 0; at < payload.length; at += payloadWidth)
      lines.push(payload.slice(at, at + payloadWidth));
    return lines.join(this.#newLine(depth + 1)) + this.#newLine(depth);
  }

  /**
   * How much of the room on a line a value leaves; below 0 where it does not fit, which is known as soon as the room is
   * used up, so that measuring each value on the way down stays linear.
   */
  #roomAfter(node: AiclNode, room: number): number {
    if (node.kind !== 'list' && node.kind !== 'dict') return room - this.#widthOf(node, room);
    let left = room - CONTENT_START - 1;
    for (const child of childrenOf(node)) {
      if (left < 0) return left;
      if ('key' in child) {
        left -= this.#widthOf(child.key, left) + 1;
        left = child.value ? this.#roomAfter(child.value, left) - 1 : left - 1;
      } else left = this.#roomAfter(child, left) - 1;
    }
    return left;
  }

  /** The characters of an atom on one line: a payload's without its wrapping; Infinity where it does not fit. */
  #widthOf(atom: AtomNode, room: number): number {
    const { text, base } = this.#reading;
    if (atom.kind !== 'tensor' && atom.end - atom.start > room) return Infinity;
    let width = 0;
    for (let at = base + atom.start; at < base + atom.end && width <= room; at++) {
      const code = text.charCodeAt(at);
      if (atom.kind !== 'tensor' && isLineEnd(code)) return Infinity;
      if (atom.kind !== 'tensor' || !isBlank(code)) width++;
    }
    return width;
  }

  #skip(at: number): number {
    const { text, base } = this.#reading;
    return skipBlanks(text, base + at) - base;
  }

  #gap(start: number, end: number, wanted: string): void {
    const { text, base } = this.#reading;
    replaceWhere(text, { start: base + start, end: base + end }, wanted, this.edits);
  }
}

function childrenOf(node: ListNode | DictNode): Children<AiclNode | PairNode> {
  return node.kind === 'list' ? node.items : node.pairs;
}

function eachWithNext<Node>(
  nodes: Iterable<Node>,
  visit: (node: Node, next: Node | undefined) => void,
): void {
  let last: Node | undefined;
  for (const node of nodes) {
    if (last !== undefined) visit(last, node);
    last = node;
  }
  if (last !== undefined) visit(last, undefined);
}
