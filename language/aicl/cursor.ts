import { touchesOffset, type Span } from '../../core/text/span.ts';
import {
  CONTENT_START,
  type AiclNode,
  type AtomNode,
  type PairNode,
  childrenIn,
  type Children,
} from './ast.ts';
import type { AiclDocument, UnitReading } from './document.ts';
import type { Unit } from './unit.ts';
import { findUnit, readUnit } from './parse.ts';
import { pairsOf } from './summary.ts';

/** The context of a cursor: the unit, the enclosing dictionaries and lists, and the pair and atom at the cursor. */
export interface Cursor {
  readonly unit: Unit;
  readonly reading: UnitReading;
  /** The cursor's offset from the unit's start. */
  readonly offset: number;
  /** The enclosing nodes, from outer to inner. */
  readonly path: readonly AiclNode[];
  /** The innermost pair; undefined outside pairs. */
  readonly pair: PairNode | undefined;
  readonly atom: AtomNode | undefined;
}

/** Finds the context of an offset; undefined outside units with values. */
export function findCursor(doc: AiclDocument, at: number): Cursor | undefined {
  const unit = findUnit(doc, at);
  if (!unit || unit.kind === 'container' || unit.kind === 'foreign') return undefined;
  const reading = readUnit(doc, unit);
  const offset = at - unit.start;
  const path: AiclNode[] = [];
  let pair: PairNode | undefined;
  const { tree } = reading;
  if (!tree) return undefined;
  let next: AiclNode | undefined;
  if (tree.kind === 'pairs') [pair, next] = enterPair(pairsOf(reading), offset);
  else next = touchesOffset(tree.root, offset) ? tree.root : undefined;
  while (next) {
    path.push(next);
    if (next.kind === 'list') next = touchedChild(next.items, offset);
    else if (next.kind === 'dict') {
      const [inner, child]: readonly [PairNode | undefined, AiclNode | undefined] = enterPair(
        next.pairs,
        offset,
      );
      pair = inner ?? pair;
      next = child;
    } else break;
  }
  const last = path.at(-1);
  const atom = last && last.kind !== 'list' && last.kind !== 'dict' ? last : undefined;
  return { unit, reading, offset, path, pair, atom };
}

function enterPair(
  pairs: Children<PairNode>,
  offset: number,
): readonly [PairNode | undefined, AiclNode | undefined] {
  const pair = touchedChild(pairs, offset);
  if (!pair) return [undefined, undefined];
  if (touchesOffset(pair.key, offset)) return [pair, pair.key];
  return [pair, pair.value && touchesOffset(pair.value, offset) ? pair.value : undefined];
}

/** The first child that contains or touches an offset. */
function touchedChild<Node extends Span>(children: Children<Node>, offset: number): Node | undefined {
  for (const child of childrenIn(children, offset, offset)) return child;
  return undefined;
}

/** The number of lists and dictionaries that contain a cursor: after the opening and before the closing bracket. */
export function depthAt({ path, offset }: Cursor): number {
  return path.filter(
    node =>
      (node.kind === 'list' || node.kind === 'dict') &&
      node.start + CONTENT_START <= offset &&
      offset < node.end,
  ).length;
}
