import {
  AICL_ERRORS,
  findAiclError,
  COMMON_FIELDS,
  DTYPES,
  HEADER_FIELDS,
  MESSAGE_TYPES,
  TYPE_TAGS,
  type AiclErrorRow,
  type FieldRow,
  type MessageTypeRow,
} from '../../catalog/aicl.ts';
import {
  describeAiclError,
  describeDtype,
  describeField,
  describeMessageType,
  describeTag,
} from '../../catalog/describe.ts';
import type { Hover } from '../../language/support.ts';
import type { Span } from '../../text/span.ts';
import { shiftSpan } from '../../text/span.ts';
import { splitTensor } from '../../tensor/tensor-text.ts';
import { CONTENT_START, textOf, type AtomNode } from '../ast.ts';
import { findCursor, type Cursor } from '../cursor.ts';
import type { AiclDocument } from '../document.ts';

/** What the catalog knows of the name under the cursor: message types, fields, data types, error codes, value types. */
export function hover(doc: AiclDocument, offset: number): Hover | undefined {
  const cursor = findCursor(doc, offset);
  if (!cursor) return undefined;
  const found = hoverTag(cursor) ?? (cursor.atom && hoverAtom(doc, cursor, cursor.atom));
  return found && { markdown: found.markdown, span: shiftSpan(found.span, cursor.unit.start) };
}

interface Found {
  readonly span: Span;
  readonly markdown: string;
}

/** The bracket with its type letter and colon. */
function hoverTag(cursor: Cursor): Found | undefined {
  const node = cursor.path.at(-1);
  if (!node || cursor.offset >= node.start + CONTENT_START || cursor.offset < node.start) return undefined;
  const row = TYPE_TAGS.find(candidate => candidate.name === node.kind);
  return row && { span: { start: node.start, end: node.start + CONTENT_START }, markdown: describeTag(row) };
}

function hoverAtom(doc: AiclDocument, cursor: Cursor, atom: AtomNode): Found | undefined {
  const isKey = cursor.pair?.key === atom;
  const type = findMessageType(cursor);
  const isTopLevel = cursor.path.length <= 2;
  if (isKey && isTopLevel) {
    const field = findField(type, textOf(doc.text, cursor.unit.start, atom));
    return field && { span: atom, markdown: describeField(field.row, field.owner) };
  }
  if (atom.kind === 'tensor') return hoverDtype(doc, cursor, atom);
  if (!isTopLevel || !cursor.pair || isKey) return undefined;
  const key = textOf(doc.text, cursor.unit.start, cursor.pair.key);
  const value = textOf(doc.text, cursor.unit.start, atom);
  if (key === 'msg_type') {
    const row: MessageTypeRow | undefined = MESSAGE_TYPES.find(candidate => candidate.name === value);
    return row && { span: atom, markdown: describeMessageType(row) };
  }
  if (type?.name === 'error' && (key === 'code' || key === 'reason')) {
    const errors: readonly AiclErrorRow[] = AICL_ERRORS;
    const byName = errors.find(({ name, alias }) => name === value || alias === value);
    const row = key === 'code' ? findAiclError(Number(value)) : byName;
    return row && { span: atom, markdown: describeAiclError(row) };
  }
  return undefined;
}

function hoverDtype(doc: AiclDocument, cursor: Cursor, atom: AtomNode): Found | undefined {
  const base = cursor.unit.start;
  const parts = splitTensor(doc.text, base + atom.start + CONTENT_START, base + atom.contentEnd);
  const row =
    parts && DTYPES.find(candidate => candidate.name === doc.text.slice(parts.dtype.start, parts.dtype.end));
  if (!parts || !row || cursor.offset > parts.dtype.end - base) return undefined;
  return { span: shiftSpan(parts.dtype, -base), markdown: describeDtype(row) };
}

/** The type of the message that a cursor is in. */
export function findMessageType(cursor: Cursor): MessageTypeRow | undefined {
  return MESSAGE_TYPES.find(row => row.name === cursor.unit.summary.messageType);
}

function findField(
  type: MessageTypeRow | undefined,
  key: string,
): { row: FieldRow; owner: MessageTypeRow | undefined } | undefined {
  const common: readonly FieldRow[] = [...HEADER_FIELDS, ...COMMON_FIELDS];
  const row = common.find(candidate => candidate.key === key);
  if (row) return { row, owner: undefined };
  const own = type?.fields.find(candidate => candidate.key === key);
  return own && { row: own, owner: type };
}
