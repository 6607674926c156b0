import type { TextHint } from '../../feature-results.ts';
import type { Span } from '../../../core/text/span.ts';
import {
  CONTENT_START,
  topValues,
  type AiclNode,
  type AtomNode,
  type PairNode,
  childrenIn,
  type Children,
} from '../ast.ts';
import type { AiclDocument, UnitReading } from '../document.ts';
import { findEscapes, type Escape } from '../escapes.ts';
import { readUnit } from '../parse.ts';

/** How far before a span a run of backslashes is followed. */
const LONGEST_RUN = 100;

const WORDS: Readonly<Record<Escape['character'], Pick<TextHint, 'label' | 'tooltip'>>> = {
  ']': { label: ']', tooltip: "The text holds a ']' here: written as it is, it would end the text" },
  '\r': {
    label: 'CR',
    tooltip: 'The text holds a carriage return here: written as it is, editors change it',
  },
};

/** Shows the decoded character after each escape in the texts of a span. */
export function* escapeHints(doc: AiclDocument, span: Span): Generator<TextHint> {
  const { units } = doc;
  for (let index = Math.max(0, units.indexFrom(span.start) - 1); index < units.count; index++) {
    const unit = units.at(index);
    if (!unit || unit.start > span.end) return;
    const isShown = unit.kind === 'message' || unit.kind === 'fragment';
    const source = doc.text.slice(Math.max(unit.start, span.start), Math.min(unit.end, span.end));
    if (!isShown || !source.includes('\\u00')) continue;
    const reading = readUnit(doc, unit);
    const within = { start: span.start - unit.start, end: span.end - unit.start };
    for (const atom of textsIn(reading, within)) yield* hintsOf(reading, atom, within, unit.start);
  }
}

function* hintsOf(
  { text, base }: UnitReading,
  atom: AtomNode,
  within: Span,
  unitStart: number,
): Generator<TextHint> {
  if (atom.isOld) return;
  const from = Math.max(atom.start + CONTENT_START, within.start - LONGEST_RUN);
  const source = text.slice(base + from, base + Math.min(atom.contentEnd, within.end));
  for (const { character, end } of findEscapes(source))
    if (from + end >= within.start)
      yield { offset: unitStart + from + end, kind: 'escape', ...WORDS[character] };
}

/** The texts, including keys, that touch a span; the span is relative to the unit's start. */
function* textsIn({ tree }: UnitReading, within: Span): Generator<AtomNode> {
  if (tree?.kind === 'pairs') yield* textsOfPairs(tree.pairs, within);
  else for (const root of topValues(tree)) yield* textsOf(root, within);
}

function* textsOf(node: AiclNode, within: Span): Generator<AtomNode> {
  if (node.kind === 'text') yield node;
  else if (node.kind === 'list')
    for (const item of childrenIn(node.items, within.start, within.end)) yield* textsOf(item, within);
  else if (node.kind === 'dict') yield* textsOfPairs(node.pairs, within);
}

function* textsOfPairs(pairs: Children<PairNode>, within: Span): Generator<AtomNode> {
  for (const { key, value } of childrenIn(pairs, within.start, within.end)) {
    yield key;
    if (value) yield* textsOf(value, within);
  }
}
