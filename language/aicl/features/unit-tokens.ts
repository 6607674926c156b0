import { MESSAGE_TYPES } from '../../../core/catalog/aicl.ts';
import { DTYPES } from '../../../core/catalog/dtypes.ts';
import type { TokenKind } from '../../../core/catalog/token-kinds.ts';
import type { TokenBuilder } from '../../tokens.ts';
import { splitTensor } from '../../../tensor/tensor-text.ts';
import type { Characters } from '../../../core/text/source-text.ts';
import {
  CONTENT_START,
  type AiclNode,
  type AtomNode,
  type PairNode,
  type UnitTree,
  childrenIn,
  type Children,
} from '../ast.ts';
import { CLOSE } from '../characters.ts';
import type { UnitReading } from '../document.ts';

const TYPE_NAMES: ReadonlySet<string> = new Set(MESSAGE_TYPES.map(row => row.name));
const DTYPE_NAMES: ReadonlySet<string> = new Set(DTYPES.map(row => row.name));

const INT = /^[+-]?[0-9]+$/;
const FLOAT = /^(?:[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?|-?inf|nan)$/i;
const BOOL = /^(?:true|false)$/;
const SHAPE = /^[0-9]+(?:,[0-9]+)*$/;
/** Escapes, which start with a run of backslashes, and variables. */
const IN_TEXT = /(?<!\\)\\+(?=u005d|u000d)|\{\{[^{}\r\n]*\}\}/gi;
/** The number of letters of an escape after its backslash. */
const ESCAPE_LETTERS = 'u005D'.length;
const ELISION = /\.\.\.|…/g;
/** Maximum length of names and numbers; longer content is not matched against them. */
const LONGEST_WORD = 1_000;

/** Adds the tokens of one unit's tree within the span of `tokens`. Offsets are relative to the unit's start. */
export class UnitColours {
  readonly #text: Characters;
  readonly #base: number;
  readonly #tokens: TokenBuilder;
  readonly #hasBrackets: (at: number) => boolean;

  /** `hasBrackets` returns whether the brackets at an offset are reported as tokens. */
  constructor(
    { text, base }: Pick<UnitReading, 'text' | 'base'>,
    tokens: TokenBuilder,
    hasBrackets: (at: number) => boolean,
  ) {
    this.#text = text;
    this.#base = base;
    this.#tokens = tokens;
    this.#hasBrackets = hasBrackets;
  }

  addTree(tree: UnitTree | undefined): void {
    if (tree?.kind === 'value') this.#addNode(tree.root);
    else if (tree?.kind === 'pairs') this.#addFields(tree.pairs);
    else if (tree) this.#inBrackets(tree.root, () => this.#addFields(tree.root.pairs));
  }

  /** Adds the fields of a message; the values of some of them are names. */
  #addFields(pairs: Children<PairNode>): void {
    for (const { key, value } of this.#inSpan(pairs)) {
      this.#addAtom(key, 'property');
      if (value?.kind === 'text') this.#addAtom(value, this.#kindOfField(this.#content(key), value));
      else if (value) this.#addNode(value);
    }
  }

  #kindOfField(key: string, value: AtomNode): TokenKind {
    if (key === 'msg_type' && TYPE_NAMES.has(this.#content(value))) return 'type';
    return key === 'tool' ? 'function' : 'string';
  }

  /** Recursion is safe because the reader limits the nesting depth. */
  #addNode(node: AiclNode): void {
    if (node.kind === 'list') {
      this.#inBrackets(node, () => {
        for (const item of this.#inSpan(node.items)) this.#addNode(item);
      });
    } else if (node.kind === 'dict') {
      this.#inBrackets(node, () => {
        for (const { key, value } of this.#inSpan(node.pairs)) {
          this.#addAtom(key, 'property');
          if (value) this.#addNode(value);
        }
      });
    } else this.#addAtom(node, 'string');
  }

  #inSpan<Node extends PairNode | AiclNode>(children: Children<Node>): Iterable<Node> {
    const { start, end } = this.#tokens.span;
    return childrenIn(children, start, end);
  }

  #inBrackets(node: AiclNode, addContent: () => void): void {
    if (this.#hasBrackets(node.start)) this.#tokens.add(node.start, node.start + CONTENT_START, 'operator');
    addContent();
    const isClosed = this.#text.charCodeAt(this.#base + node.end - 1) === CLOSE;
    if (isClosed && this.#hasBrackets(node.end - 1)) this.#tokens.add(node.end - 1, node.end, 'operator');
  }

  #addAtom(atom: AtomNode, kind: TokenKind): void {
    this.#inBrackets(atom, () => {
      const { start, end } = { start: atom.start + CONTENT_START, end: atom.contentEnd };
      if (atom.kind === 'tensor') this.#addTensor(start, end);
      else if (atom.kind === 'text') this.#addText(start, end, kind);
      else this.#addLiteral(atom.kind, start, end);
    });
  }

  #addLiteral(kind: 'int' | 'float' | 'bool', start: number, end: number): void {
    const source = this.#slice(start, Math.min(end, start + LONGEST_WORD));
    const form = kind === 'int' ? INT : kind === 'float' ? FLOAT : BOOL;
    if (form.test(source)) this.#tokens.add(start, end, kind === 'bool' ? 'enumMember' : 'number');
    else if (/^\{\{[^{}\r\n]*\}\}$/.test(source)) this.#tokens.add(start, end, 'variable');
  }

  /** Adds a text with its escapes and variables, within the span. */
  #addText(start: number, end: number, kind: TokenKind): void {
    const from = Math.max(start, this.#tokens.span.start);
    const source = this.#slice(from, Math.min(end, this.#tokens.span.end));
    for (const { index, 0: found } of source.matchAll(IN_TEXT)) {
      let foundEnd = index + found.length;
      if (found.startsWith('\\')) {
        foundEnd += (found.length % 2) * ESCAPE_LETTERS;
      }
      this.#tokens.add(start, from + index, kind);
      this.#tokens.add(from + index, from + foundEnd, found.startsWith('\\') ? 'regexp' : 'variable');
    }
    this.#tokens.add(start, end, kind);
  }

  #addTensor(start: number, end: number): void {
    const parts = splitTensor(this.#text, this.#base + start, this.#base + end);
    if (!parts) return;
    const [dtype, shape] = [this.#absolute(parts.dtype.start, parts.dtype.end), parts.shape];
    if (DTYPE_NAMES.has(dtype)) this.#tokens.add(start, parts.dtype.end - this.#base, 'type');
    if (SHAPE.test(this.#absolute(shape.start, shape.end)))
      this.#tokens.add(shape.start - this.#base, shape.end - this.#base, 'number');
    const payload = parts.payload.start - this.#base;
    const from = Math.max(payload, this.#tokens.span.start);
    const source = this.#slice(from, Math.min(end, this.#tokens.span.end));
    for (const { index, 0: found } of source.matchAll(ELISION)) {
      this.#tokens.add(payload, from + index, 'string');
      this.#tokens.add(from + index, from + index + found.length, 'comment');
    }
    this.#tokens.add(payload, end, 'string');
  }

  /** The raw content of an atom, cut to the maximum length of a name. */
  #content(atom: AtomNode): string {
    const start = atom.start + CONTENT_START;
    return this.#slice(start, Math.min(atom.contentEnd, start + LONGEST_WORD));
  }

  #slice(start: number, end: number): string {
    return this.#absolute(this.#base + start, this.#base + end);
  }

  #absolute(start: number, end: number): string {
    return start < end ? this.#text.slice(start, end) : '';
  }
}
