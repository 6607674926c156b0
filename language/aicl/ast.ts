import type { Characters } from '../../core/text/source-text.ts';
import { isWordAt } from './characters.ts';
import { unescapeOldText, unescapeText } from './escapes.ts';
import { RunChildren } from './run.ts';
import { countWhile } from '../../core/text/number-list.ts';
import type { Span } from '../../core/text/span.ts';

/**
 * The tree of one unit. Offsets are relative to the unit's start, so that a unit that moved can reuse its
 * tree. A tree that the scanner accepted is complete; in other trees a pair may lack its value.
 */
export type AiclNode = AtomNode | ListNode | DictNode;

/** A value in one bracket; its content is between `start + CONTENT_START` and `contentEnd`. */
export interface AtomNode extends Span {
  readonly kind: 'text' | 'int' | 'float' | 'bool' | 'tensor';
  /** The end of the content: before the closing bracket, or at `end` if the bracket is missing. */
  readonly contentEnd: number;
  /** Identity of a long atom in a long unit, unchanged until an edit touches the atom; used as a cache key. */
  readonly origin?: object;
  /** True for a text of a message in which `\]` is read as an escaped bracket (`aicl/old-escape`). */
  readonly isOld?: true;
}

export interface ListNode extends Span {
  readonly kind: 'list';
  readonly items: Children<AiclNode>;
  /** The offset of a comma after the last item; -1 if there is none. */
  readonly trailingComma: number;
}

export interface DictNode extends Span {
  readonly kind: 'dict';
  readonly pairs: Children<PairNode>;
  readonly trailingComma: number;
}

export interface PairNode extends Span {
  readonly key: AtomNode;
  readonly value: AiclNode | undefined;
}

/** The content of a unit: a message, or a value or run of pairs that is only a part of one. */
export type UnitTree =
  | { readonly kind: 'message'; readonly root: DictNode }
  | { readonly kind: 'value'; readonly root: AiclNode }
  | { readonly kind: 'pairs'; readonly pairs: Children<PairNode>; readonly trailingComma: number };

/** The offset of an atom's content from its start: after the bracket, the type letter and the colon. */
export const CONTENT_START = 3;

/** The raw content of an atom. `base` is the unit's start in the text. */
export function atomSource(text: Characters, base: number, atom: AtomNode): string {
  return text.slice(base + atom.start + CONTENT_START, base + atom.contentEnd);
}

/** True if a text atom has a word as its content. The word contains nothing that is written as an escape. */
export function isWord(text: Characters, base: number, atom: AtomNode, word: string): boolean {
  const start = base + atom.start + CONTENT_START;
  return base + atom.contentEnd - start === word.length && isWordAt(text, start, word);
}

/** The span of an atom's content, relative to the unit's start. */
export function contentSpan(atom: AtomNode): Span {
  return { start: atom.start + CONTENT_START, end: atom.contentEnd };
}

/** The decoded text of a text atom. */
export function textOf(text: Characters, base: number, atom: AtomNode): string {
  const source = atomSource(text, base, atom);
  return atom.isOld ? unescapeOldText(source) : unescapeText(source);
}

/** The last pair with a key, which is the one that receivers use; undefined if there is none. */
export function findPair(
  text: Characters,
  base: number,
  pairs: Children<PairNode>,
  key: string,
): PairNode | undefined {
  let found: PairNode | undefined;
  for (const pair of pairs) if (textOf(text, base, pair.key) === key) found = pair;
  return found;
}

/** The top-level values of a tree: its root, or the values of its pairs. */
export function* topValues(tree: UnitTree | undefined): Generator<AiclNode> {
  if (tree?.kind === 'pairs') yield* valuesOf(tree.pairs);
  else if (tree) yield tree.root;
}

/** The values directly inside a value, without keys. */
export function* childValues(node: AiclNode): Generator<AiclNode> {
  if (node.kind === 'list') yield* node.items;
  else if (node.kind === 'dict') yield* valuesOf(node.pairs);
}

function* valuesOf(pairs: Children<PairNode>): Generator<AiclNode> {
  for (const { value } of pairs) if (value) yield value;
}

/**
 * The children of a list or dictionary, in order. Arrays implement this; in messages of megabytes the nodes
 * are created on request, because an edit touches few of them.
 */
export interface Children<Node extends Span> extends Iterable<Node> {
  readonly length: number;
  /** The child at an index, from the end if negative; undefined outside. */
  at(index: number): Node | undefined;
}

/** The index of the first child that ends at or after an offset; the number of children if none does. */
export function firstFrom<Node extends Span>(children: Children<Node>, offset: number): number {
  if (children instanceof RunChildren) return children.firstFrom(offset);
  return countWhile(children.length, index => (children.at(index)?.end ?? 0) < offset);
}

/** The children that touch `[start, end]`. */
export function* childrenIn<Node extends Span>(
  children: Children<Node>,
  start: number,
  end: number,
): Generator<Node> {
  for (let index = firstFrom(children, start); index < children.length; index++) {
    const child = children.at(index);
    if (!child || child.start > end) return;
    yield child;
  }
}

/** True for children that are partly created on request. */
export function hasRuns<Node extends Span>(children: Children<Node>): children is RunChildren<Node> {
  return children instanceof RunChildren;
}
