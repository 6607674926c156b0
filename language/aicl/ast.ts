import type { Characters } from '../../core/text/source-text.ts';
import type { Span } from '../../core/text/span.ts';
import type { Children } from './children.ts';
import { unescapeOldText, unescapeText } from './escapes.ts';

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
  /** The same object for as long as no edit touches a long atom of a long unit: what is known of it is kept by it. */
  readonly origin?: object;
  /** True for a text of a message that is read as if `\]` were a bracket (`aicl/old-escape`). */
  readonly isOld?: true;
}

export interface ListNode extends Span {
  readonly kind: 'list';
  readonly items: Children<AiclNode>;
  /** The offset of a comma after the last item; -1 where there is none. */
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

/** What stands at the top level: a message, or a value or a run of pairs that is only a piece of one. */
export type UnitTree =
  | { readonly kind: 'message'; readonly root: DictNode }
  | { readonly kind: 'value'; readonly root: AiclNode }
  | { readonly kind: 'pairs'; readonly pairs: Children<PairNode>; readonly trailingComma: number };

/** Where an atom's content starts: after the bracket, the type letter and the colon. */
export const CONTENT_START = 3;

/** The content of an atom as it is written. `base` is the unit's start in the text. */
export function atomSource(text: Characters, base: number, atom: AtomNode): string {
  return text.slice(base + atom.start + CONTENT_START, base + atom.contentEnd);
}

/** The span of an atom's content, from the unit's start. */
export function contentSpan(atom: AtomNode): Span {
  return { start: atom.start + CONTENT_START, end: atom.contentEnd };
}

/** The text that a text atom holds. */
export function textOf(text: Characters, base: number, atom: AtomNode): string {
  const source = atomSource(text, base, atom);
  return atom.isOld ? unescapeOldText(source) : unescapeText(source);
}

/** The last pair with a key, as a receiver keeps it; undefined where there is none. */
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

/** The values at the top of a tree: its root, or the values of its pairs. */
export function* topValues(tree: UnitTree | undefined): Generator<AiclNode> {
  if (tree?.kind === 'pairs') yield* valuesOf(tree.pairs);
  else if (tree) yield tree.root;
}

/** The values directly in a value; keys are none. */
export function* childValues(node: AiclNode): Generator<AiclNode> {
  if (node.kind === 'list') yield* node.items;
  else if (node.kind === 'dict') yield* valuesOf(node.pairs);
}

function* valuesOf(pairs: Children<PairNode>): Generator<AiclNode> {
  for (const { value } of pairs) if (value) yield value;
}
