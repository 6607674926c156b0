import { DTYPES } from '../../catalog/aicl.ts';
import { MOST_HINTS, type TextHint } from '../../language/hints.ts';
import { base85TextLength } from '../../tensor/base85.ts';
import { showBytes } from '../../tensor/size-words.ts';
import { countBytes, parseShape, splitTensor } from '../../tensor/tensor-text.ts';
import { countOf } from '../../text/count.ts';
import type { Span } from '../../text/span.ts';
import { CONTENT_START, type AiclNode, type AtomNode, type UnitTree } from '../ast.ts';
import { childrenIn } from '../children.ts';
import type { AiclDocument, UnitReading } from '../document.ts';
import { readUnit } from '../parse.ts';
import type { Unit } from '../unit.ts';

const TENSOR = '[t:';

/**
 * What a tensor holds, before its data: how many elements, where that is not the shape itself, and how many bytes
 * (reading of LightAICL 3.3). Data type and shape stand directly before and are not repeated. A tensor whose type or
 * shape cannot be read, or whose data nothing could hold, has no hint.
 */
export function hints(doc: AiclDocument, span: Span): readonly TextHint[] {
  const found: TextHint[] = [];
  for (let index = Math.max(0, doc.units.indexFrom(span.start) - 1); index < doc.units.count; index++) {
    const unit = doc.units.at(index);
    if (!unit || unit.start > span.end || found.length >= MOST_HINTS) break;
    if (unit.end < span.start || !mayHoldTensor(doc, unit, span)) continue;
    const within = { start: span.start - unit.start, end: span.end - unit.start };
    const reading = readUnit(doc, unit);
    for (const atom of tensorsIn(reading.tree, within)) {
      if (found.length >= MOST_HINTS) break;
      const hint = readHint(reading, unit, atom);
      if (hint && hint.offset >= span.start && hint.offset <= span.end) found.push(hint);
    }
  }
  return found;
}

/** Most messages have no tensor: to see that, nothing has to be read. */
function mayHoldTensor(doc: AiclDocument, unit: Unit, span: Span): boolean {
  if (unit.kind !== 'message' && unit.kind !== 'fragment') return false;
  const start = Math.max(unit.start, span.start - LONGEST_HEAD);
  return doc.text.slice(start, Math.min(unit.end, span.end)).includes(TENSOR);
}

/** A tensor whose head is longer has its hint far from what it is about. */
const LONGEST_HEAD = 10_000;

function* tensorsIn(tree: UnitTree | undefined, within: Span): Generator<AtomNode> {
  if (tree?.kind === 'pairs') {
    for (const { value } of childrenIn(tree.pairs, within.start, within.end))
      if (value) yield* tensorsOf(value, within);
  } else if (tree) yield* tensorsOf(tree.root, within);
}

function* tensorsOf(node: AiclNode, within: Span): Generator<AtomNode> {
  if (node.kind === 'tensor') yield node;
  else if (node.kind === 'list') {
    for (const item of childrenIn(node.items, within.start, within.end)) yield* tensorsOf(item, within);
  } else if (node.kind === 'dict') {
    for (const { value } of childrenIn(node.pairs, within.start, within.end))
      if (value) yield* tensorsOf(value, within);
  }
}

function readHint({ text, base }: UnitReading, unit: Unit, atom: AtomNode): TextHint | undefined {
  const parts = splitTensor(text, base + atom.start + CONTENT_START, base + atom.contentEnd);
  if (!parts) return undefined;
  const dtype = DTYPES.find(row => row.name === text.slice(parts.dtype.start, parts.dtype.end));
  const shape = parseShape(text.slice(parts.shape.start, parts.shape.end));
  if (!dtype || shape.kind !== 'ok') return undefined;
  const { dimensions } = shape;
  const exact = countBytes(dimensions, dtype.bytes);
  if (exact > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
  const bytes = Number(exact);
  const elements = countOf(bytes / dtype.bytes, 'element');
  const size = `${countOf(bytes, 'byte')}, ${countOf(base85TextLength(bytes), 'character')} of Base85`;
  return {
    offset: unit.start + parts.payload.start - base,
    label: dimensions.length === 1 ? showBytes(bytes) : `${elements} · ${showBytes(bytes)}`,
    tooltip: `${elements} of ${countOf(dtype.bytes, 'byte')} each: ${size}`,
    kind: 'type',
  };
}
