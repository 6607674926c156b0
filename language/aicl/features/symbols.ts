import type { OutlineSymbol } from '../../support.ts';
import type { Characters } from '../../../core/text/source-text.ts';
import { type Children, CONTENT_START, textOf, type PairNode } from '../ast.ts';
import type { AiclDocument } from '../document.ts';
import type { Unit } from '../unit.ts';
import { readUnit } from '../parse.ts';
import { pairsOf } from '../summary.ts';

/** Maximum depth of fields below a message; deeper ones are data. */
const MAX_DEPTH = 3;
/** Maximum number of outline entries, because editors draw them all. */
const MAX_SYMBOLS = 2000;
/**
 * In files with more messages, fields are not listed, because they would have to be read again after each key
 * press.
 */
const MAX_WITH_FIELDS = 1000;

/**
 * The outline: messages by their tool, query or task, else by type, with their fields. A long outline is cut and ends with the number of omitted
 * messages.
 */
export function symbols(doc: AiclDocument): readonly OutlineSymbol[] {
  const found: OutlineSymbol[] = [];
  const hasFields = doc.units.count <= MAX_WITH_FIELDS;
  let count = 0;
  for (let index = 0; index < doc.units.count; index++) {
    const kind = doc.units.contentAt(index)?.kind;
    const unit = kind === 'message' || kind === 'fragment' ? doc.units.at(index) : undefined;
    if (!unit) continue;
    if (++count > MAX_SYMBOLS) return [...found, countRest(doc, index)];
    found.push(toSymbol(unit));
  }
  return found;

  function toSymbol(unit: Unit): OutlineSymbol {
    const { messageType, title, session } = unit.summary;
    const typeName = messageType || (unit.kind === 'fragment' ? 'fragment' : 'message');
    return {
      name: title || typeName,
      detail: [title && typeName, session].filter(part => part !== '').join(' · '),
      kind: unit.kind === 'fragment' ? 'field' : kindOf(messageType),
      span: { start: unit.start, end: unit.end },
      nameSpan: { start: unit.start, end: Math.min(unit.end, unit.start + CONTENT_START) },
      children: hasFields ? fields(unit, pairsOf(readUnit(doc, unit)), 1) : [],
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

function kindOf(messageType: string): OutlineSymbol['kind'] {
  switch (messageType) {
    case 'error':
      return 'error';
    case 'result':
      return 'reply';
    case 'tool_call':
      return 'call';
    default:
      return 'message';
  }
}

/** The last entry of a cut outline: the number of messages from the unit at index `from` on. */
function countRest(doc: AiclDocument, from: number): OutlineSymbol {
  let count = 0;
  for (let index = from; index < doc.units.count; index++) {
    const kind = doc.units.contentAt(index)?.kind;
    if (kind === 'message' || kind === 'fragment') count++;
  }
  const start = doc.units.at(from)?.start ?? 0;
  const span = { start, end: doc.text.length };
  const name = `${count} more ${count === 1 ? 'message is' : 'messages are'} not listed`;
  return { name, detail: '', kind: 'message', span, nameSpan: { start, end: start }, children: [] };
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
