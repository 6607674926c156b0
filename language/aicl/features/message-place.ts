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
} from '../ast.ts';
import { firstFrom, type Children } from '../children.ts';
import { CLOSE, COLON, COMMA, OPEN, isBlank } from '../characters.ts';
import { findCursor, type Cursor } from '../cursor.ts';
import type { AiclDocument } from '../document.ts';
import { pairsOf } from '../summary.ts';
import type { Span } from '../../../core/text/span.ts';
import { findMessageType } from './topics.ts';

/**
 * A place between the values of a unit, where something new can be written: a pair in a dictionary, the value of a
 * pair, or a value in a list. What was typed of it is replaced.
 */
export interface Gap {
  readonly role: 'key' | 'value' | 'item';
  readonly cursor: Cursor;
  /** In the document: what was typed, with the bracket that an editor closed by itself. */
  readonly span: Span;
  /** Where a comma is missing before what is written; undefined where none is. */
  readonly commaAt: number | undefined;
  /** True where a value follows, so that a comma must stand behind what is written. */
  readonly isBeforeValue: boolean;
  /** The dictionary or list that the gap is in; undefined at the top of a run of pairs. */
  readonly container: DictNode | ListNode | undefined;
  /** The pair whose value is missing, for a value. */
  readonly pair: PairNode | undefined;
}

/** White space is skipped so far: nobody writes on behind more of it. */
const LONGEST_BLANKS = 10_000;
const LONGEST_TYPED = 40;
const TYPED = /(?:\[[a-z]?:?|(?<![a-z_])[a-z_]+)$/;

/** The gap at an offset that a cursor was found for, and that lies in no atom; undefined where nothing can be added. */
export function findGap(doc: AiclDocument, cursor: Cursor): Gap | undefined {
  const at = cursor.unit.start + cursor.offset;
  const container = containerAt(doc, cursor);
  const first = cursor.unit.start + (container ? container.start + CONTENT_START : 0);
  const typed = TYPED.exec(doc.text.slice(Math.max(first, at - LONGEST_TYPED), at))?.[0] ?? '';
  const start = at - typed.length;
  const isClosed = typed.startsWith('[') && doc.text.charCodeAt(at) === CLOSE;
  const end = isClosed ? at + 1 : at;
  // Before the rest of something else nothing whole can be written.
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
  // Behind a key only a colon can stand.
  if (!isInList && (!pair?.value || cursor.unit.start + pair.end > before)) return undefined;
  return { ...gap, role: isInList ? 'item' : 'key', commaAt: before };
}

/** Behind `[d:` a key, behind `[l:` a value, behind any other colon the value of the key before it. */
function findAfterColon(doc: AiclDocument, gap: Omit<Gap, 'role'>, colonEnd: number): Gap | undefined {
  const opener = doc.text.slice(Math.max(0, colonEnd - CONTENT_START), colonEnd);
  if (opener === '[d:') return { ...gap, role: 'key' };
  if (opener === '[l:') return { ...gap, role: 'item' };
  const pair = lastPairBefore(gap.cursor, gap.container, gap.span.start);
  return pair && isValueMissing(doc, gap, pair) ? { ...gap, role: 'value', pair } : undefined;
}

/** True for a pair without a value, and for one that took what stands on the next line for its own. */
function isValueMissing(doc: AiclDocument, gap: Omit<Gap, 'role'>, { value }: PairNode): boolean {
  if (!value) return true;
  if (gap.cursor.unit.isAccepted) return false;
  const valueStart = gap.cursor.unit.start + value.start;
  return valueStart > gap.span.end && doc.text.lineAt(valueStart) > doc.text.lineAt(gap.span.end);
}

/** The last pair of a dictionary, or of a run of pairs, that begins before an offset of the document. */
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

/** The innermost dictionary or list that a cursor is in, not only at the edge of. */
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

/** A bracket follows that begins no new message: a `[d:` at the start of a line does, unless a whole one holds it. */
function isValueNext(doc: AiclDocument, { unit }: Cursor, from: number): boolean {
  let at = from;
  while (at - from < LONGEST_BLANKS && isBlank(doc.text.charCodeAt(at))) at++;
  if (doc.text.charCodeAt(at) !== OPEN) return false;
  const isLineStart = at > from && doc.text.lineStart(doc.text.lineAt(at)) === at;
  if (!isLineStart || doc.text.slice(at, at + CONTENT_START) !== '[d:') return true;
  return unit.isAccepted && at < unit.end;
}

/**
 * Where what is written at a cursor in an atom ends. A text whose bracket is missing runs on to the next one, over lines
 * that are none of it: it is taken to end with its line where the next one begins with a value.
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

/** An offset of the document, and whether a closing bracket is missing there. */
interface ContentEnd {
  readonly at: number;
  readonly isCut: boolean;
}

/** The cursor behind a message that is not closed, with only white space between. */
export function findOpenCursor(doc: AiclDocument, offset: number): Cursor | undefined {
  const unit = doc.units.at(doc.units.indexFrom(offset) - 1);
  if (!unit || unit.isAccepted || unit.kind === 'container' || unit.kind === 'foreign') return undefined;
  if (skipBack(doc, offset) > unit.end) return undefined;
  const cursor = findCursor(doc, unit.end);
  const path = cursor?.path.filter(node => isOpenAt(doc, unit.start, node)) ?? [];
  if (!cursor || path.length === 0) return undefined;
  return { ...cursor, offset: offset - unit.start, path, pair: undefined, atom: undefined };
}

/** True for a dictionary or a list that has no closing bracket of its own. */
function isOpenAt(doc: AiclDocument, base: number, node: AiclNode): boolean {
  if (node.kind !== 'dict' && node.kind !== 'list') return false;
  const last: Span | undefined = node.kind === 'dict' ? node.pairs.at(-1) : node.items.at(-1);
  const lastEnd = last?.end ?? node.start + CONTENT_START;
  return node.end <= lastEnd || doc.text.charCodeAt(base + node.end - 1) !== CLOSE;
}

/** The type of the message that a cursor is in. */
export function typeAt(cursor: Cursor): MessageTypeRow | undefined {
  return findMessageType(cursor.unit.summary.messageType);
}

/** True for a dictionary that is a message, and at the top of a run of pairs. */
export function isTop(cursor: Cursor, container: AiclNode | undefined): boolean {
  const { tree } = cursor.reading;
  return tree?.kind === 'message'
    ? container === tree.root
    : tree?.kind === 'pairs' && container === undefined;
}

/** The key of the field of the message that an atom is the value of, or a value in the list of; undefined elsewhere. */
export function fieldKeyAt(doc: AiclDocument, cursor: Cursor): string | undefined {
  const { pair, path } = cursor;
  if (!pair) return undefined;
  const outside = path.filter(node => node !== pair.value && node !== cursor.atom);
  if (!isTop(cursor, outside.at(-1)) || outside.length > 1) return undefined;
  return textOf(doc.text, cursor.unit.start, pair.key);
}

/** The fields of every message around those of a type, as a message lists them. */
export function fieldsOf(type: MessageTypeRow | undefined): readonly FieldRow[] {
  return [...HEADER_FIELDS, ...(type?.fields ?? []), ...COMMON_FIELDS];
}
