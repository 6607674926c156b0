import type { Span } from '../text/span.ts';
import { unescapeText } from './escapes.ts';

/**
 * The tree of one unit. Offsets count from the unit's start, so that a unit that moved keeps its tree.
 * A tree that the scanner accepted is complete; in others a dictionary's pair may lack its value.
 */
export type AiclNode = AtomNode | ListNode | DictNode;

/** A value in one bracket: its content lies between `start + CONTENT_START` and `contentEnd`. */
export interface AtomNode extends Span {
  readonly kind: 'text' | 'int' | 'float' | 'bool' | 'tensor';
  /** Where the content ends: before the closing bracket, or at `end` where that is missing. */
  readonly contentEnd: number;
}

export interface ListNode extends Span {
  readonly kind: 'list';
  readonly items: readonly AiclNode[];
  /** The offset of a comma after the last item; -1 where there is none. */
  readonly trailingComma: number;
}

export interface DictNode extends Span {
  readonly kind: 'dict';
  readonly pairs: readonly PairNode[];
  readonly trailingComma: number;
}

export interface PairNode extends Span {
  readonly key: AtomNode;
  readonly value: AiclNode | undefined;
}

/** What stands at the top level: a message, or a value or a run of pairs that is only a piece of one. */
export type UnitTree =
  | { readonly kind: 'message'; readonly root: DictNode }
  | { readonly kind: 'value'; readonly root: AiclNode }
  | { readonly kind: 'pairs'; readonly pairs: readonly PairNode[]; readonly trailingComma: number };

/** Where an atom's content starts: after the bracket, the type letter and the colon. */
export const CONTENT_START = 3;

/** The content of an atom as it is written. `base` is the unit's start in the text. */
export function atomSource(text: string, base: number, atom: AtomNode): string {
  return text.slice(base + atom.start + CONTENT_START, base + atom.contentEnd);
}

/** The span of an atom's content, from the unit's start. */
export function contentSpan(atom: AtomNode): Span {
  return { start: atom.start + CONTENT_START, end: atom.contentEnd };
}

/** The text that a text atom holds. */
export function textOf(text: string, base: number, atom: AtomNode): string {
  return unescapeText(atomSource(text, base, atom));
}

/** The last pair with a key, as a receiver keeps it; undefined where there is none. */
export function findPair(
  text: string,
  base: number,
  pairs: readonly PairNode[],
  key: string,
): PairNode | undefined {
  return pairs.findLast(pair => pair.key.kind === 'text' && textOf(text, base, pair.key) === key);
}

/** The values at the top of a tree: its root, or the values of its pairs. */
export function topValues(tree: UnitTree | undefined): readonly AiclNode[] {
  if (!tree) return [];
  return tree.kind === 'pairs' ? valuesOf(tree.pairs) : [tree.root];
}

/** The values directly in a value; keys are none. */
export function childValues(node: AiclNode): readonly AiclNode[] {
  if (node.kind === 'list') return node.items;
  return node.kind === 'dict' ? valuesOf(node.pairs) : [];
}

function valuesOf(pairs: readonly PairNode[]): readonly AiclNode[] {
  return pairs.flatMap(pair => pair.value ?? []);
}
