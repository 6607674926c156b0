import { growing, wordAt } from '../../selection.ts';
import { splitTensor } from '../../../tensor/tensor-text.ts';
import { shiftSpan, touchesOffset, type Span } from '../../../core/text/span.ts';
import {
  contentSpan,
  type AiclNode,
  type AtomNode,
  type PairNode,
  childrenIn,
  type Children,
} from '../ast.ts';
import { findCursor, type Cursor } from '../cursor.ts';
import type { AiclDocument } from '../document.ts';
import { findUnit } from '../parse.ts';
import { pairsOf } from '../summary.ts';

/** The distance from the cursor within which a word is searched. */
const WORD_WINDOW = 1_000;

/**
 * The spans of an expanding selection: the word of a text or the part of a tensor, the content of a bracket, the
 * bracket, its pair, the content of its group, the group and so on, the message or container line, the file.
 */
export function selectionPath(doc: AiclDocument, offset: number): readonly Span[] {
  const cursor = findCursor(doc, offset);
  const unit = findUnit(doc, offset);
  const spans = cursor ? spansIn(doc, cursor) : [];
  if (unit) spans.unshift(unit);
  return growing([...spans.reverse(), { start: 0, end: doc.text.length }]);
}

/** The spans from outer to inner. */
function spansIn(doc: AiclDocument, cursor: Cursor): Span[] {
  const { unit, reading, path, offset } = cursor;
  const spans: Span[] = [];
  const addPair = (pairs: Children<PairNode>): void => {
    for (const pair of childrenIn(pairs, offset, offset)) return void spans.push(pair);
  };
  if (reading.tree?.kind === 'pairs') addPair(pairsOf(reading));
  for (const node of path) {
    spans.push(node);
    if (node.kind === 'dict' || node.kind === 'list') spans.push(...itemsOf(node));
    else spans.push(contentSpan(node), ...partsOf(doc, cursor, node));
    if (node.kind === 'dict') addPair(node.pairs);
  }
  return spans
    .filter(span => touchesOffset(span, offset))
    .map(({ start, end }) => shiftSpan({ start, end }, unit.start));
}

/** The span from the first to the last child. */
function itemsOf(node: Extract<AiclNode, { kind: 'dict' | 'list' }>): readonly Span[] {
  const children: Children<Span> = node.kind === 'dict' ? node.pairs : node.items;
  const first = children.at(0);
  const last = children.at(-1);
  return first && last ? [{ start: first.start, end: last.end }] : [];
}

/** The word of a text, or the part of a tensor, at the cursor. */
function partsOf(doc: AiclDocument, { unit, offset }: Cursor, atom: AtomNode): readonly Span[] {
  const content = shiftSpan(contentSpan(atom), unit.start);
  const at = unit.start + offset;
  if (atom.kind === 'tensor') {
    const parts = splitTensor(doc.text, content.start, content.end);
    const under = parts && [parts.dtype, parts.shape, parts.payload].find(part => touchesOffset(part, at));
    return under ? [shiftSpan(under, -unit.start)] : [];
  }
  const from = Math.max(content.start, at - WORD_WINDOW);
  const word = wordAt(doc.text.slice(from, Math.min(content.end, at + WORD_WINDOW)), at - from);
  return atom.kind === 'text' && word ? [shiftSpan(word, from - unit.start)] : [];
}
