import type { TextEdit } from '../text/edit.ts';
import { checkBase85 } from '../tensor/base85.ts';
import { splitTensor } from '../tensor/tensor-text.ts';
import {
  CONTENT_START,
  type AiclNode,
  type AtomNode,
  type DictNode,
  type ListNode,
  type PairNode,
} from './ast.ts';
import { BOM, isLineEnd, skipBlanks } from './characters.ts';
import type { Children } from './children.ts';
import type { AiclDocument } from './document.ts';
import type { Unit } from './unit.ts';
import { readUnit } from './parse.ts';
import { unwrapPayload } from './print.ts';

const INDENT = '  ';
/** A list or dictionary that takes no more than this many characters stays on its line. */
const LINE_WIDTH = 100;

/**
 * Formats a file (reading of LightAICL 3.4): white space between tokens and the wrapping of payloads change, and nothing
 * else. A message stands with one pair a line; what the grammar does not accept is left as it is, with the space around it.
 */
export function formatAicl(doc: AiclDocument): readonly TextEdit[] {
  const formatter = new Formatter(doc);
  formatter.run();
  return formatter.edits;
}

class Formatter {
  readonly edits: TextEdit[] = [];
  readonly #doc: AiclDocument;
  readonly #widths = new Map<AiclNode, number>();
  #base = 0;

  constructor(doc: AiclDocument) {
    this.#doc = doc;
  }

  run(): void {
    const { text, units } = this.#doc;
    let last: Unit | undefined;
    for (const unit of units) {
      if (canMove(unit) && (!last || canMove(last))) this.#gapBetween(last, unit);
      if (unit.kind === 'message' || unit.kind === 'fragment') this.#unit(unit);
      last = unit;
    }
    if (last && canMove(last)) this.#replace(last.end, text.length, '\n');
  }

  #gapBetween(last: Unit | undefined, unit: Unit): void {
    const { text } = this.#doc;
    const from = last?.end ?? (text.charCodeAt(0) === BOM ? 1 : 0);
    const lineEnds = text
      .slice(from, unit.start)
      .replace(/\r\n/g, '\n')
      .replace(/[^\n\r]/g, '').length;
    this.#replace(from, unit.start, last ? '\n'.repeat(Math.min(2, Math.max(1, lineEnds))) : '');
  }

  #unit(unit: Unit): void {
    if (!unit.isAccepted) return;
    this.#base = unit.start;
    const { tree } = readUnit(this.#doc, unit);
    if (tree?.kind === 'message' && tree.root.pairs.length > 0) this.#broken(tree.root, 0);
    else if (tree?.kind === 'pairs') this.#pairs(tree.pairs, '\n', 0, tree.trailingComma);
    else if (tree) this.#value(tree.root, 0, 0);
  }

  /** `column` is where the value starts on its line. */
  #value(node: AiclNode, depth: number, column: number): void {
    if (node.kind === 'tensor') return this.#tensor(node, depth);
    if (node.kind !== 'list' && node.kind !== 'dict') return;
    if (this.#width(node) + column > LINE_WIDTH && childrenOf(node).length > 0) this.#broken(node, depth);
    else this.#inline(node, depth);
  }

  /** One child a line. */
  #broken(node: ListNode | DictNode, depth: number): void {
    this.#children(node, depth, `\n${INDENT.repeat(depth + 1)}`, `\n${INDENT.repeat(depth)}`);
  }

  #inline(node: ListNode | DictNode, depth: number): void {
    this.#children(node, depth, '', '');
  }

  #children(node: ListNode | DictNode, depth: number, before: string, after: string): void {
    const children = childrenOf(node);
    const first = children.at(0);
    this.#gap(node.start + CONTENT_START, first?.start ?? node.end - 1, first ? before : '');
    if (!first) return;
    const column = INDENT.length * (depth + 1);
    if (node.kind === 'dict') this.#pairs(node.pairs, before, depth + 1, node.trailingComma);
    else {
      eachWithNext(node.items, (item, next) => {
        this.#value(item, depth + 1, column);
        this.#separator(item.end, next?.start, before, node.trailingComma);
      });
    }
    const lastEnd = node.trailingComma >= 0 ? node.trailingComma + 1 : (children.at(-1)?.end ?? node.start);
    this.#gap(lastEnd, node.end - 1, after);
  }

  #pairs(pairs: Children<PairNode>, before: string, depth: number, trailingComma: number): void {
    eachWithNext(pairs, (pair, next) => {
      const { key, value } = pair;
      if (value) {
        const colon = this.#skip(key.end);
        this.#gap(key.end, colon, '');
        this.#gap(colon + 1, value.start, '');
        this.#value(value, depth, INDENT.length * depth + (key.end - key.start) + 1);
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
  #tensor(atom: AtomNode, depth: number): void {
    const { text, settings } = this.#doc;
    const parts = splitTensor(text, this.#base + atom.start + CONTENT_START, this.#base + atom.contentEnd);
    if (!parts) return;
    const { start, end } = parts.payload;
    const source = text.slice(start, end);
    const found = checkBase85(source, 0, source.length);
    if (found.fault?.kind === 'character' || found.strayBlank !== undefined) return;
    const payload = unwrapPayload(source);
    const width = settings['aicl.format.payloadWidth'];
    if (payload.length <= width) return this.#replace(start, end, payload);
    const indent = `\n${INDENT.repeat(depth + 1)}`;
    const lines = [];
    for (let at = 0; at < payload.length; at += width) lines.push(payload.slice(at, at + width));
    this.#replace(start, end, indent + lines.join(indent) + `\n${INDENT.repeat(depth)}`);
  }

  /** How many characters a value takes on one line; Infinity where it cannot stand on one. */
  #width(node: AiclNode): number {
    const known = this.#widths.get(node);
    if (known !== undefined) return known;
    const width = this.#measure(node);
    this.#widths.set(node, width);
    return width;
  }

  #measure(node: AiclNode): number {
    let width = 4;
    if (node.kind === 'list') {
      for (const item of node.items) width += this.#width(item) + 1;
      return width;
    }
    if (node.kind === 'dict') {
      for (const { key, value } of node.pairs)
        width += this.#width(key) + (value ? this.#width(value) : 0) + 2;
      return width;
    }
    const source = this.#doc.text.slice(this.#base + node.start, this.#base + node.end);
    if (node.kind === 'tensor') return source.length > LINE_WIDTH ? Infinity : unwrapPayload(source).length;
    return hasLineEnd(source) ? Infinity : source.length;
  }

  #skip(at: number): number {
    return skipBlanks(this.#doc.text, this.#base + at) - this.#base;
  }

  #gap(start: number, end: number, wanted: string): void {
    this.#replace(this.#base + start, this.#base + end, wanted);
  }

  #replace(start: number, end: number, wanted: string): void {
    if (this.#doc.text.slice(start, end) !== wanted)
      this.edits.push({ span: { start, end }, newText: wanted });
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

/** Space beside foreign text and broken messages may mean something: it is left. */
function canMove(unit: Unit): boolean {
  return unit.isAccepted && unit.kind !== 'foreign';
}

function hasLineEnd(source: string): boolean {
  for (let at = 0; at < source.length; at++) if (isLineEnd(source.charCodeAt(at))) return true;
  return false;
}
