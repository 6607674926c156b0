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
  type Children,
} from './ast.ts';
import { isBlank, isLineEnd, skipBlanks } from './characters.ts';
import type { UnitReading } from './document.ts';
import { unwrapPayload } from './escapes.ts';

/** The layout of messages. */
export interface Layout {
  readonly style: Settings['aicl.format.style'];
  readonly indent: Indent;
  readonly lineEnd: string;
  readonly payloadWidth: number;
}

/** A list or dictionary that fits into this many columns stays on one line. */
export const LINE_WIDTH = 100;

/** Receives edits in the order of their positions. */
export interface EditSink {
  push(edit: TextEdit): void;
}

/** Adds the edits of white space that give a unit its layout, in offsets of the document. */
export function layOut(reading: UnitReading, layout: Layout, edits: EditSink): void {
  new LayoutWriter(reading, layout, edits).run();
}

/** The same for the payload of one tensor inside `depth` lists and dictionaries. */
export function layOutPayload(
  reading: UnitReading,
  tensor: AtomNode,
  depth: number,
  layout: Layout,
  edits: EditSink,
): void {
  new LayoutWriter(reading, layout, edits).tensor(tensor, depth);
}

/** Adds an edit if a span does not already have the wanted text. */
export function replaceWhere(text: Characters, span: Span, wanted: string, edits: EditSink): void {
  if (!isWritten(text, span, wanted)) edits.push({ span, newText: wanted });
}

function isWritten(text: Characters, { start, end }: Span, wanted: string): boolean {
  return end - start === wanted.length && (wanted === '' || text.slice(start, end) === wanted);
}

class LayoutWriter {
  readonly #reading: UnitReading;
  readonly #layout: Layout;
  readonly #edits: EditSink;
  /** Line starts by depth, cached because a deep message needs millions of them. */
  readonly #newLines: string[] = [];

  constructor(reading: UnitReading, layout: Layout, edits: EditSink) {
    this.#reading = reading;
    this.#layout = layout;
    this.#edits = edits;
  }

  run(): void {
    const { tree } = this.#reading;
    if (!tree) return;
    if (tree.kind === 'pairs') this.#pairs(tree.pairs, this.#newLine(0), 0, tree.trailingComma);
    else if (tree.kind === 'message') this.#group(tree.root, 0, 'lines');
    else this.#value(tree.root, 0, 0);
  }

  /** The line end and indentation before a child on a line of its own. */
  #newLine(depth: number): string {
    const { style, lineEnd, indent } = this.#layout;
    return (this.#newLines[depth] ??= style === 'compact' ? '' : lineEnd + indentAt(indent, depth));
  }

  /** `column` is the column where the value starts. */
  #value(node: AiclNode, depth: number, column: number): void {
    if (node.kind === 'tensor') return this.tensor(node, depth);
    if (node.kind !== 'list' && node.kind !== 'dict') return;
    const fits = this.#widthAfter(node, LINE_WIDTH - column) >= 0;
    this.#group(node, depth, fits ? 'line' : 'lines');
  }

  /** Formats a list or dictionary on one line, or with one child per line. */
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

  /** Removes the space before a comma and puts `before` before the next child. */
  #separator(end: number, next: number | undefined, before: string, trailingComma: number): void {
    if (next === undefined) {
      if (trailingComma >= 0) this.#gap(end, trailingComma, '');
      return;
    }
    const comma = this.#skip(end);
    this.#gap(end, comma, '');
    this.#gap(comma + 1, next, before);
  }

  /**
   * Formats a payload: longer than a line it is wrapped, one level deeper; a shorter one is put on its line;
   * a broken one does not change.
   */
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
    this.#replace(parts.payload, isLong ? this.#wrap(payload, depth) : payload);
  }

  #wrap(payload: string, depth: number): string {
    const { payloadWidth } = this.#layout;
    const lines = [''];
    for (let at = 0; at < payload.length; at += payloadWidth)
      lines.push(payload.slice(at, at + payloadWidth));
    return lines.join(this.#newLine(depth + 1)) + this.#newLine(depth);
  }

  /**
   * The room that remains on a line after a value; negative if it does not fit. Stops as soon as the room is
   * used up, so that measuring each value on the way down stays linear.
   */
  #widthAfter(node: AiclNode, room: number): number {
    if (node.kind !== 'list' && node.kind !== 'dict') return room - this.#widthOf(node, room);
    let left = room - CONTENT_START - 1;
    for (const child of childrenOf(node)) {
      if (left < 0) return left;
      if ('key' in child) {
        left -= this.#widthOf(child.key, left) + 1;
        left = child.value ? this.#widthAfter(child.value, left) - 1 : left - 1;
      } else left = this.#widthAfter(child, left) - 1;
    }
    return left;
  }

  /** The width of an atom on one line, without the wrapping of a payload; Infinity if it does not fit. */
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
    const { base } = this.#reading;
    this.#replace({ start: base + start, end: base + end }, wanted);
  }

  /** `span` is relative to the reading's text, which need not start where the unit does in the document. */
  #replace(span: Span, wanted: string): void {
    const { text, start, base } = this.#reading;
    if (!isWritten(text, span, wanted))
      this.#edits.push({ span: shiftSpan(span, start - base), newText: wanted });
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
