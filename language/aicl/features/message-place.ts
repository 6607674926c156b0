import {
  COMMON_FIELDS,
  HEADER_FIELDS,
  type FieldRow,
  type MessageTypeRow,
} from '../../../core/catalog/aicl.ts';
import {
  CONTENT_START,
  textOf,
  type AiclNode,
  type AtomNode,
  type DictNode,
  type ListNode,
  type PairNode,
  firstFrom,
  type Children,
} from '../ast.ts';
import { CLOSE, COLON, COMMA, OPEN, isBlank } from '../characters.ts';
import { findCursor, type Cursor } from '../cursor.ts';
import type { AiclDocument } from '../document.ts';
import { pairsOf } from '../summary.ts';
import type { Span } from '../../../core/text/span.ts';
import { findMessageType } from './topics.ts';

/**
 * A place between the values of a unit where something can be inserted: a pair in a dictionary, the value of
 * a pair, or a value in a list. Text already typed for it is replaced.
 */
export interface Gap {
  readonly role: 'key' | 'value' | 'item';
  readonly cursor: Cursor;
  /** The span to replace in the document: the typed text, with a bracket that the editor closed automatically. */
  readonly span: Span;
  /** Where a comma is missing before the new text; undefined if none is. */
  readonly commaAt: number | undefined;
  /** True if a value follows, so that a comma is needed after the new text. */
  readonly isBeforeValue: boolean;
  /** The dictionary or list of the gap; undefined at the top of a run of pairs. */
  readonly container: DictNode | ListNode | undefined;
  /** For a missing value, its pair. */
  readonly pair: PairNode | undefined;
}

/** Maximum number of white space characters that are skipped. */
const LONGEST_BLANKS = 10_000;
const LONGEST_TYPED = 40;
const TYPED = /(?:\[[a-z]?:?|(?<![a-z_])[a-z_]+)$/;

/** The gap at a cursor outside atoms; undefined if nothing can be inserted there. */
export function findGap(doc: AiclDocument, cursor: Cursor): Gap | undefined {
  const at = cursor.unit.start + cursor.offset;
  const container = containerAt(doc, cursor);
  const first = cursor.unit.start + (container ? container.start + CONTENT_START : 0);
  const typed = TYPED.exec(doc.text.slice(Math.max(first, at - LONGEST_TYPED), at))?.[0] ?? '';
  const start = at - typed.length;
  const isClosed = typed.startsWith('[') && doc.text.charCodeAt(at) === CLOSE;
  const end = isClosed ? at + 1 : at;
  // Nothing can be inserted directly before other text.
  if (!/^[\s\],[]?$/.test(doc.text.slice(end, end + 1))) return undefined;
  const before = skipBack(doc, start);
  const previous = doc.text.charCodeAt(before - 1);
  const isInList = container?.kind === 'list';
  const gap = {
    cursor,
    span: { start, end },
    commaAt: undefined,
    isBeforeValue: isValueNext(doc, cursor, end),
    container,
    pair: undefined,
  };
  if (previous === COMMA) return { ...gap, role: isInList ? 'item' : 'key' };
  if (previous === COLON) return findAfterColon(doc, gap, before);
  if (previous !== CLOSE) return undefined;
  const pair = isInList ? undefined : lastPairBefore(cursor, gap.container, start);
  // After a key only a colon is valid.
  if (!isInList && (!pair?.value || cursor.unit.start + pair.end > before)) return undefined;
  return { ...gap, role: isInList ? 'item' : 'key', commaAt: before };
}

/** After `[d:` a key is expected, after `[l:` a value, after any other colon the value of the preceding key. */
function findAfterColon(doc: AiclDocument, gap: Omit<Gap, 'role'>, colonEnd: number): Gap | undefined {
  const opener = doc.text.slice(Math.max(0, colonEnd - CONTENT_START), colonEnd);
  if (opener === '[d:') return { ...gap, role: 'key' };
  if (opener === '[l:') return { ...gap, role: 'item' };
  const pair = lastPairBefore(gap.cursor, gap.container, gap.span.start);
  return pair && isValueMissing(doc, gap, pair) ? { ...gap, role: 'value', pair } : undefined;
}

/** True for a pair without a value, or whose value is on a later line and was probably meant to be separate. */
function isValueMissing(doc: AiclDocument, gap: Omit<Gap, 'role'>, { value }: PairNode): boolean {
  if (!value) return true;
  if (gap.cursor.unit.isAccepted) return false;
  const valueStart = gap.cursor.unit.start + value.start;
  return valueStart > gap.span.end && doc.text.lineAt(valueStart) > doc.text.lineAt(gap.span.end);
}

/** The last pair of a dictionary, or of a run of pairs, that starts before an offset of the document. */
function lastPairBefore(
  cursor: Cursor,
  container: DictNode | ListNode | undefined,
  offset: number,
): PairNode | undefined {
  const pairs: Children<PairNode> = container?.kind === 'dict' ? container.pairs : pairsOf(cursor.reading);
  const at = offset - cursor.unit.start;
  const index = firstFrom(pairs, at);
  const touched = pairs.at(index);
  if (touched && touched.start < at) return touched;
  return index > 0 ? pairs.at(index - 1) : undefined;
}

/** The innermost dictionary or list that contains a cursor; touching its edge is not enough. */
function containerAt(doc: AiclDocument, cursor: Cursor): DictNode | ListNode | undefined {
  const { offset, unit } = cursor;
  for (const node of cursor.path.toReversed()) {
    if (node.kind !== 'dict' && node.kind !== 'list') continue;
    if (node.start < offset && (offset < node.end || isOpenAt(doc, unit.start, node))) return node;
  }
  return undefined;
}

function skipBack(doc: AiclDocument, from: number): number {
  let at = from;
  while (at > 0 && from - at < LONGEST_BLANKS && isBlank(doc.text.charCodeAt(at - 1))) at--;
  return at;
}

/**
 * True if a bracket follows that does not start a new message. A `[d:` at the start of a line does, except
 * inside a complete message.
 */
function isValueNext(doc: AiclDocument, { unit }: Cursor, from: number): boolean {
  let at = from;
  while (at - from < LONGEST_BLANKS && isBlank(doc.text.charCodeAt(at))) at++;
  if (doc.text.charCodeAt(at) !== OPEN) return false;
  const isLineStart = at > from && doc.text.lineStart(doc.text.lineAt(at)) === at;
  if (!isLineStart || doc.text.slice(at, at + CONTENT_START) !== '[d:') return true;
  return unit.isAccepted && at < unit.end;
}

/**
 * The end of the content at a cursor in an atom. A text without a closing bracket extends over later lines;
 * it is assumed to end with its line if the next line starts with a value.
 */
export function contentEndAt(doc: AiclDocument, cursor: Cursor, atom: AtomNode): ContentEnd {
  const base = cursor.unit.start;
  const lineEnd = doc.text.lineStart(doc.text.lineAt(base + cursor.offset) + 1);
  const whole = { at: base + atom.contentEnd, isCut: false };
  if (atom.kind !== 'text' || lineEnd >= whole.at || !isValueNext(doc, cursor, lineEnd)) return whole;
  let at = lineEnd;
  while (at > base + cursor.offset && isBlank(doc.text.charCodeAt(at - 1))) at--;
  return { at, isCut: true };
}

/** An offset in the document; `isCut` is true if a closing bracket is missing there. */
interface ContentEnd {
  readonly at: number;
  readonly isCut: boolean;
}

/** The cursor after an unclosed message, if only white space is between them. */
export function findOpenCursor(doc: AiclDocument, offset: number): Cursor | undefined {
  const unit = doc.units.at(doc.units.indexFrom(offset) - 1);
  if (!unit || unit.isAccepted || unit.kind === 'container' || unit.kind === 'foreign') return undefined;
  if (skipBack(doc, offset) > unit.end) return undefined;
  const cursor = findCursor(doc, unit.end);
  const path = cursor?.path.filter(node => isOpenAt(doc, unit.start, node)) ?? [];
  if (!cursor || path.length === 0) return undefined;
  return { ...cursor, offset: offset - unit.start, path, pair: undefined, atom: undefined };
}

/** True for a dictionary or list without a closing bracket. */
function isOpenAt(doc: AiclDocument, base: number, node: AiclNode): boolean {
  if (node.kind !== 'dict' && node.kind !== 'list') return false;
  const last: Span | undefined = node.kind === 'dict' ? node.pairs.at(-1) : node.items.at(-1);
  const lastEnd = last?.end ?? node.start + CONTENT_START;
  return node.end <= lastEnd || doc.text.charCodeAt(base + node.end - 1) !== CLOSE;
}

/** The type of the message at a cursor. */
export function typeAt(cursor: Cursor): MessageTypeRow | undefined {
  return findMessageType(cursor.unit.summary.messageType);
}

/** True for the root dictionary of a message, and at the top of a run of pairs. */
export function isTop(cursor: Cursor, container: AiclNode | undefined): boolean {
  const { tree } = cursor.reading;
  return tree?.kind === 'message'
    ? container === tree.root
    : tree?.kind === 'pairs' && container === undefined;
}

/** The key of the message field whose value, or list item, an atom is; undefined elsewhere. */
export function fieldKeyAt(doc: AiclDocument, cursor: Cursor): string | undefined {
  const { pair, path } = cursor;
  if (!pair) return undefined;
  const outside = path.filter(node => node !== pair.value && node !== cursor.atom);
  if (!isTop(cursor, outside.at(-1)) || outside.length > 1) return undefined;
  return textOf(doc.text, cursor.unit.start, pair.key);
}

/** The fields of a message of a type, in the usual order: header, fields of the type, common fields. */
export function fieldsOf(type: MessageTypeRow | undefined): readonly FieldRow[] {
  return [...HEADER_FIELDS, ...(type?.fields ?? []), ...COMMON_FIELDS];
}
