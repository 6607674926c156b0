import type { OutlineSymbol } from '../../language/support.ts';
import type { Characters } from '../../text/source-text.ts';
import type { Children } from '../children.ts';
import { CONTENT_START, textOf, type PairNode } from '../ast.ts';
import type { AiclDocument } from '../document.ts';
import type { Unit } from '../unit.ts';
import { readUnit } from '../parse.ts';
import { pairsOf } from '../summary.ts';

/** Fields are listed to this depth below a message: deeper ones are data. */
const MAX_DEPTH = 3;
/** So many symbols are enough for any outline. */
const MAX_SYMBOLS = 10_000;

/** The outline: messages by type, with their fields. */
export function symbols(doc: AiclDocument): readonly OutlineSymbol[] {
  const found: OutlineSymbol[] = [];
  let count = 0;
  for (const unit of doc.units) {
    if (count >= MAX_SYMBOLS) break;
    if (unit.kind !== 'message' && unit.kind !== 'fragment') continue;
    found.push(toSymbol(unit));
  }
  return found;

  function toSymbol(unit: Unit): OutlineSymbol {
    const reading = readUnit(doc, unit);
    const { messageType, title, session } = unit.summary;
    const isReply = messageType === 'result';
    const kind =
      messageType === 'error'
        ? 'error'
        : isReply
          ? 'reply'
          : messageType === 'tool_call'
            ? 'call'
            : 'message';
    const span = { start: unit.start, end: unit.end };
    return {
      name: messageType || (unit.kind === 'fragment' ? 'fragment' : 'message'),
      detail: [title, session].filter(part => part !== '').join(' · '),
      kind: unit.kind === 'fragment' ? 'field' : kind,
      span,
      nameSpan: { start: unit.start, end: Math.min(unit.end, unit.start + CONTENT_START) },
      children: fields(unit, pairsOf(reading), 1),
    };
  }

  function fields(unit: Unit, pairs: Children<PairNode>, depth: number): readonly OutlineSymbol[] {
    const children: OutlineSymbol[] = [];
    if (depth > MAX_DEPTH) return children;
    for (const pair of pairs) {
      if (++count > MAX_SYMBOLS) break;
      const { key, value } = pair;
      children.push({
        name: textOf(doc.text, unit.start, key) || "''",
        detail: value ? describeValue(doc.text, unit.start, value) : '',
        kind: 'field',
        span: { start: unit.start + pair.start, end: unit.start + pair.end },
        nameSpan: { start: unit.start + key.start, end: unit.start + key.end },
        children: value?.kind === 'dict' ? fields(unit, value.pairs, depth + 1) : [],
      });
    }
    return children;
  }
}

function describeValue(text: Characters, base: number, value: NonNullable<PairNode['value']>): string {
  if (value.kind === 'list') return `list of ${value.items.length}`;
  if (value.kind === 'dict') return `dictionary of ${value.pairs.length}`;
  const source = text.slice(
    base + value.start + CONTENT_START,
    base + Math.min(value.contentEnd, value.start + 63),
  );
  if (value.kind === 'tensor') return `tensor ${source.split(':', 2).join(' ')}`;
  return source.split(/[\r\n]/, 1)[0] ?? '';
}
