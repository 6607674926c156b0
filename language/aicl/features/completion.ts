import {
  AICL_PROTOCOL,
  MESSAGE_TYPES,
  TYPE_TAGS,
  type MessageTypeRow,
  type ValueKind,
} from '../../../core/catalog/aicl.ts';
import { completeDirective } from '../../directive-help.ts';
import type { Completion, CompletionContext } from '../../support.ts';
import { snippetStop } from '../../../core/text/markup.ts';
import type { Span } from '../../../core/text/span.ts';
import { CONTENT_START } from '../ast.ts';
import { CLOSE, isLineEnd } from '../characters.ts';
import { findCursor, type Cursor } from '../cursor.ts';
import type { AiclDocument } from '../document.ts';
import { findUnit } from '../parse.ts';
import { pairsOf } from '../summary.ts';
import { completeFields, completeKey } from './complete-fields.ts';
import { completeAtom, completeNewValue } from './complete-values.ts';
import { toolsAt } from '../call-tools.ts';
import { callSnippet } from './call-snippet.ts';
import { detailOf } from './declared-calls.ts';
import { toolTopic } from './tool-topics.ts';
import { directivesInUse, sessionsInUse } from './in-use.ts';
import { findGap, findOpenCursor } from './message-place.ts';

/**
 * Completions at an offset: whole messages between messages, keys and values inside one, directives in
 * container lines. None where any text is allowed.
 */
export function complete(
  doc: AiclDocument,
  offset: number,
  context: CompletionContext = {},
): readonly Completion[] {
  // Editors silently drop completions whose span covers several lines.
  return completeAt(doc, offset, context).filter(
    ({ span }) => doc.text.lineAt(span.start) === doc.text.lineAt(span.end),
  );
}

function completeAt(doc: AiclDocument, offset: number, context: CompletionContext): readonly Completion[] {
  const unit = findUnit(doc, offset);
  if (unit?.kind === 'container') {
    const line = { start: unit.start, text: doc.text.slice(unit.start, unit.end) };
    return completeDirective(line, offset, context, name => directivesInUse(doc, offset, name));
  }
  // A typed blank triggers completion only after a directive.
  if (context.typed === ' ') return [];
  const cursor = findCursor(doc, offset);
  if (cursor) return completeInside(doc, cursor);
  const open = findOpenCursor(doc, offset);
  if (!open) return completeMessages(doc, offset);
  const inside = completeInside(doc, open);
  // A new message may start at the start of a line; the open message continues there only after a comma or a
  // colon, so the more likely kind comes first.
  if (doc.text.toPosition(offset).character > 0) return inside;
  const messages = completeMessages(doc, offset);
  const needsMore = /[,:]\s*$/.test(doc.text.slice(Math.max(0, offset - LONGEST_HEAD), offset));
  return needsMore ? [...inside, ...putLast(messages)] : [...messages, ...putLast(inside)];
}

function putLast(list: readonly Completion[]): readonly Completion[] {
  return list.map(item => ({ ...item, rank: item.rank + LAST_RANKS }));
}

/** Higher than the rank of any completion. */
const LAST_RANKS = 1_000;

function completeInside(doc: AiclDocument, cursor: Cursor): readonly Completion[] {
  const { atom, pair, offset } = cursor;
  const isInAtom = atom && offset > atom.start && !(offset === atom.end && atom.contentEnd < atom.end);
  if (isInAtom) {
    if (offset < atom.start + CONTENT_START) return [];
    return pair?.key === atom ? completeKey(doc, cursor, atom) : completeAtom(doc, cursor, atom);
  }
  const gap = findGap(doc, cursor);
  if (!gap) return [];
  if (gap.role !== 'key') return completeNewValue(doc, gap);
  const { tree } = cursor.reading;
  const isEmpty =
    tree?.kind === 'message' && gap.container === tree.root && pairsOf(cursor.reading).length === 0;
  const { start, end } = cursor.unit;
  const whole = { start, end: Math.max(end, start + offset) };
  return [...(isEmpty ? listMessages(doc, whole) : []), ...completeFields(doc, gap)];
}

/** Whole messages, if the line before the cursor contains at most the start of one. */
function completeMessages(doc: AiclDocument, offset: number): readonly Completion[] {
  let start = offset;
  while (start > 0 && offset - start < LONGEST_HEAD && !isLineEnd(doc.text.charCodeAt(start - 1))) start--;
  const typed = doc.text.slice(start, offset);
  if (!/^\s*(?:\[(?:d:?)?)?[a-z_]*$/.test(typed)) return [];
  // Editors insert the closing bracket automatically, so it is replaced too.
  const isClosed = typed.includes('[') && doc.text.charCodeAt(offset) === CLOSE;
  const span = {
    start: start + (typed.length - typed.trimStart().length),
    end: isClosed ? offset + 1 : offset,
  };
  return [...listMessages(doc, span), ...listCalls(doc, span)];
}

/** Maximum number of whole calls proposed, where nothing typed narrows the list. */
const MAX_CALLS = 100;

/** Whole calls of the tools that the agent of a new message declares. */
function listCalls(doc: AiclDocument, span: Span): readonly Completion[] {
  const table = toolsAt(doc, span.start);
  if (!table) return [];
  const [session = 'session'] = sessionsInUse(doc, span.start);
  const declared = [...table.tools].flatMap(([name, tool]) => (tool ? [{ name, tool }] : []));
  return declared.slice(0, MAX_CALLS).map(({ name, tool }, index) => ({
    label: `tool_call ${name}`,
    kind: 'tool',
    detail: detailOf({ table, tool }),
    topic: toolTopic(doc, table, name),
    span,
    newText: callSnippet(name, tool, session),
    isSnippet: true,
    rank: MESSAGE_TYPES.length + index,
  }));
}

const LONGEST_HEAD = 200;

function listMessages(doc: AiclDocument, span: Span): readonly Completion[] {
  const [session = 'session'] = sessionsInUse(doc, span.start);
  return MESSAGE_TYPES.map((row: MessageTypeRow, rank) => ({
    label: row.name,
    kind: 'message',
    detail: 'whole message',
    topic: `message ${row.name}`,
    span,
    newText: messageSnippet(row, session),
    isSnippet: true,
    rank,
  }));
}

/** A message with its header and required fields; the first tab stop is the session. */
function messageSnippet(row: MessageTypeRow, session: string): string {
  const chosen = row.fields.filter(field => field.required || field.key === row.oneOf?.[0]);
  const fields = chosen.map(
    (field, index) => `  [s:${field.key}]:${emptyValue(field.types[0] ?? 'text', index + 2)}`,
  );
  const header = [
    `  [s:protocol]:[s:${AICL_PROTOCOL}]`,
    `  [s:session_id]:[s:${snippetStop(1, session.includes(']') ? '' : session)}]`,
    `  [s:msg_type]:[s:${row.name}]`,
  ];
  return `[d:\n${[...header, ...fields].join(',\n')}\n]`;
}

function emptyValue(kind: ValueKind, index: number): string {
  const tag = TYPE_TAGS.find(row => row.name === kind)?.tag ?? 's';
  return `[${tag}:$${index}]`;
}
