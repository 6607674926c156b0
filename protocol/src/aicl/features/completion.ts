import {
  AICL_ERRORS,
  AICL_PROTOCOL,
  COMMON_FIELDS,
  DTYPES,
  HEADER_FIELDS,
  MESSAGE_TYPES,
  TYPE_TAGS,
  type AiclErrorRow,
  type FieldRow,
  type MessageTypeRow,
  type ValueKind,
} from '../../catalog/aicl.ts';
import type { Characters } from '../../text/source-text.ts';
import {
  describeAiclError,
  describeDtype,
  describeField,
  describeMessageType,
  kindTitle,
} from '../../catalog/describe.ts';
import type { Completion } from '../../language/support.ts';
import { shiftSpan, type Span } from '../../text/span.ts';
import { splitTensor } from '../../tensor/tensor-text.ts';
import { CONTENT_START, contentSpan, textOf, type AtomNode, type PairNode } from '../ast.ts';
import { findCursor, innermostDict, type Cursor } from '../cursor.ts';
import type { AiclDocument } from '../document.ts';
import { pairsOf } from '../summary.ts';
import { CLOSE, COLON, isLineEnd, skipBlanks } from '../characters.ts';
import { findMessageType } from './hover.ts';

/** Proposals at an offset: whole messages between units, names and values inside of one. */
export function complete(doc: AiclDocument, offset: number): readonly Completion[] {
  const cursor = findCursor(doc, offset);
  if (!cursor) return completeMessages(doc, offset);
  const { atom, pair } = cursor;
  if (!atom) return completeKeys(doc, cursor);
  if (cursor.offset < atom.start + CONTENT_START || cursor.offset > atom.contentEnd) {
    return cursor.offset === atom.start ? completeKeys(doc, cursor) : [];
  }
  if (pair?.key === atom) return completeKeys(doc, cursor, atom);
  return completeValue(doc, cursor, atom, pair);
}

/** Whole messages, where a line holds nothing but the beginning of one. */
function completeMessages(doc: AiclDocument, offset: number): readonly Completion[] {
  let start = offset;
  while (start > 0 && !isLineEnd(doc.text.charCodeAt(start - 1))) start--;
  const typed = doc.text.slice(start, offset);
  if (!/^\s*\[?[a-z_:]*$/.test(typed)) return [];
  return listMessages({
    start: start + (typed.length - typed.trimStart().length),
    end: typed.includes('[') ? afterClose(doc, offset) : offset,
  });
}

function listMessages(span: Span): readonly Completion[] {
  return MESSAGE_TYPES.map((row: MessageTypeRow, rank) => ({
    label: row.name,
    kind: 'message',
    detail: 'whole message',
    documentation: describeMessageType(row),
    span,
    newText: messageSnippet(row),
    isSnippet: true,
    rank,
  }));
}

/** An editor closes a bracket as it is opened: what replaces the one replaces the other. */
function afterClose(doc: AiclDocument, offset: number): number {
  return doc.text.charCodeAt(offset) === CLOSE ? offset + 1 : offset;
}

/** A message with its header and required fields; the first place to fill is the session. */
function messageSnippet(row: MessageTypeRow): string {
  const chosen = row.fields.filter(field => field.required || field.key === row.oneOf?.[0]);
  const fields = chosen.map(
    (field, index) => `  [s:${field.key}]:${valueSnippet(field.types[0] ?? 'text', index + 2)}`,
  );
  const header = [
    `  [s:protocol]:[s:${AICL_PROTOCOL}]`,
    '  [s:session_id]:[s:${1:session}]',
    `  [s:msg_type]:[s:${row.name}]`,
  ];
  return `[d:\n${[...header, ...fields].join(',\n')}\n]`;
}

function valueSnippet(kind: ValueKind, index: number): string {
  const tag = TYPE_TAGS.find(row => row.name === kind)?.tag ?? 's';
  return `[${tag}:$${index}]`;
}

/** Fields that the message does not have yet, required ones first; only at the top of a message. */
function completeKeys(doc: AiclDocument, cursor: Cursor, atom?: AtomNode): readonly Completion[] {
  const { reading, unit } = cursor;
  const dict = innermostDict(cursor);
  if (reading.tree?.kind === 'message' ? dict !== reading.tree.root : dict !== undefined) return [];
  const present = new Set(
    [...pairsOf(reading)]
      .filter(pair => pair.key !== atom)
      .map(pair => textOf(doc.text, unit.start, pair.key)),
  );
  const type = findMessageType(cursor);
  const own: readonly FieldRow[] = type?.fields ?? [];
  const rows = [...HEADER_FIELDS, ...own, ...COMMON_FIELDS].filter((row: FieldRow) => !present.has(row.key));
  const place = atom ? placeOfKey(doc, cursor, atom) : placeOfPair(doc, cursor);
  const fields = rows.map((row: FieldRow, index): Completion => {
    const pair = `${row.key}]:${valueSnippet(row.types[0] ?? 'text', 1)}`;
    return {
      label: row.key,
      kind: 'field',
      detail: `${row.types.length > 3 ? 'any value' : row.types.map(kindTitle).join(' or ')}${row.required ? ', required' : ''}`,
      documentation: describeField(row, own.includes(row) ? type : undefined),
      span: place.span,
      newText: place.writes === 'key' ? row.key : place.writes === 'rest' ? pair : `[s:${pair}`,
      isSnippet: place.writes !== 'key',
      rank: (row.required ? 0 : 100) + index,
    };
  });
  const isEmpty = reading.tree?.kind === 'message' && pairsOf(reading).length === 0;
  const isOneLine = doc.lines.lineAt(unit.start) === doc.lines.lineAt(unit.end);
  return isEmpty && isOneLine ? [...listMessages({ start: unit.start, end: unit.end }), ...fields] : fields;
}

interface KeyPlace {
  readonly span: Span;
  /** The key alone, the key with what follows it, or the whole pair. */
  readonly writes: 'key' | 'rest' | 'pair';
}

/** A key that has its colon is renamed; one without gets the rest of its pair. */
function placeOfKey(doc: AiclDocument, cursor: Cursor, atom: AtomNode): KeyPlace {
  const base = cursor.unit.start;
  const hasColon = doc.text.charCodeAt(skipBlanks(doc.text, base + atom.end)) === COLON;
  if (hasColon) return { span: shiftSpan(contentSpan(atom), base), writes: 'key' };
  return { span: { start: base + atom.start + CONTENT_START, end: base + atom.end }, writes: 'rest' };
}

/** Where no key is: at the cursor, with the beginning of one that was typed and the bracket that the editor closed. */
function placeOfPair(doc: AiclDocument, cursor: Cursor): KeyPlace {
  const at = cursor.unit.start + cursor.offset;
  const typed =
    /\[[a-z]?:?$/.exec(doc.text.slice(Math.max(cursor.unit.start + 1, at - CONTENT_START), at))?.[0] ?? '';
  const start = at - typed.length;
  return { span: { start, end: typed === '' ? at : afterClose(doc, at) }, writes: 'pair' };
}

function completeValue(
  doc: AiclDocument,
  cursor: Cursor,
  atom: AtomNode,
  pair: PairNode | undefined,
): readonly Completion[] {
  const span = shiftSpan(contentSpan(atom), cursor.unit.start);
  if (atom.kind === 'tensor') return completeDtype(doc, cursor, atom);
  if (atom.kind === 'bool')
    return ['true', 'false'].map((name, rank) => plain(name, 'value', 'boolean', span, rank));
  if (!pair || cursor.path.length > 2) return [];
  const key = textOf(doc.text, cursor.unit.start, pair.key);
  if (key === 'protocol') return [plain(AICL_PROTOCOL, 'value', 'protocol', span, 0)];
  if (key === 'msg_type') {
    return MESSAGE_TYPES.map((row: MessageTypeRow, rank) => ({
      ...plain(row.name, 'type', 'message type', span, rank),
      documentation: describeMessageType(row),
    }));
  }
  if (findMessageType(cursor)?.name !== 'error' || (key !== 'code' && key !== 'reason')) return [];
  return AICL_ERRORS.map((row: AiclErrorRow, rank) => ({
    ...plain(
      key === 'code' ? String(row.code) : row.name,
      'value',
      key === 'code' ? row.name : String(row.code),
      span,
      rank,
    ),
    documentation: describeAiclError(row),
  }));
}

function completeDtype(doc: AiclDocument, cursor: Cursor, atom: AtomNode): readonly Completion[] {
  const base = cursor.unit.start;
  const content = shiftSpan(contentSpan(atom), base);
  const dtype = splitTensor(doc.text, content.start, content.end)?.dtype ?? firstPart(doc.text, content);
  if (base + cursor.offset > dtype.end) return [];
  return DTYPES.map((row, rank) => ({
    ...plain(row.name, 'type', `${row.bytes} ${row.bytes === 1 ? 'byte' : 'bytes'}`, dtype, rank),
    documentation: describeDtype(row),
  }));
}

function firstPart(text: Characters, content: Span): Span {
  const colon = text.slice(content.start, content.end).indexOf(':');
  return colon < 0 ? content : { start: content.start, end: content.start + colon };
}

function plain(name: string, kind: Completion['kind'], detail: string, span: Span, rank: number): Completion {
  return { label: name, kind, detail, span, newText: name, isSnippet: false, rank };
}
