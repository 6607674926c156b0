import {
  AICL_ERRORS,
  AICL_PROTOCOL,
  MESSAGE_TYPES,
  TYPE_TAGS,
  type AiclErrorRow,
  type TypeTagRow,
  type ValueKind,
} from '../../../core/catalog/aicl.ts';
import { DTYPES } from '../../../core/catalog/dtypes.ts';
import { MAX_COMPLETIONS, type Completion, type CompletionKind } from '../../support.ts';
import { splitTensor } from '../../../tensor/tensor-text.ts';
import { escapeSnippet } from '../../../core/text/markup.ts';
import { shiftSpan } from '../../../core/text/span.ts';
import { CONTENT_START, contentSpan, textOf, type AtomNode } from '../ast.ts';
import { toolsAt } from '../call-tools.ts';
import type { Cursor } from '../cursor.ts';
import type { AiclDocument } from '../document.ts';
import { escapeText } from '../escapes.ts';
import { addCommas, findReason } from './complete-fields.ts';
import { detailOf, findArgument } from './declared-calls.ts';
import { sessionsInUse, streamsInUse, toolsInUse } from './in-use.ts';
import { contentEndAt, fieldKeyAt, isTop, typeAt, type Gap } from './message-place.ts';
import { toolTopic } from './tool-topics.ts';
import { findField } from './topics.ts';

/** A value that is proposed for a place; `content` is in the notation of an atom. */
interface KnownValue {
  readonly kind: 'text' | 'int' | 'bool' | 'float';
  readonly content: string;
  readonly shownAs: CompletionKind;
  readonly detail: string;
  readonly topic?: string;
  /** True if only the proposed values are valid. */
  readonly isClosed?: boolean;
}

const BOOLS: readonly KnownValue[] = ['true', 'false'].map(content => known('bool', content, 'boolean'));
const FLOATS: readonly KnownValue[] = ['inf', '-inf', 'nan'].map(content => known('float', content, 'float'));

/** Completions for an atom that is being typed. */
export function completeAtom(doc: AiclDocument, cursor: Cursor, atom: AtomNode): readonly Completion[] {
  if (atom.kind === 'tensor') return completeDtype(doc, cursor, atom);
  const { at, isCut } = contentEndAt(doc, cursor, atom);
  const span = { start: cursor.unit.start + atom.start + CONTENT_START, end: at };
  const key = fieldKeyAt(doc, cursor);
  const values = [
    ...(key === undefined ? argumentValues(doc, cursor) : knownValues(doc, cursor, key)),
    ...literalsOf(atom.kind),
  ];
  return values
    .filter((value, index) => value.kind === atom.kind && isFirst(values, index))
    .map((value, rank) => ({
      label: value.content,
      kind: value.shownAs,
      detail: value.detail,
      ...(value.topic === undefined ? {} : { topic: value.topic }),
      span,
      newText: isCut ? `${value.content}],` : value.content,
      isSnippet: false,
      ...(value.isClosed && !isCut ? { commit: ']' } : {}),
      rank,
    }));
}

function isFirst(values: readonly KnownValue[], index: number): boolean {
  return values.findIndex(value => value.content === values[index]?.content) === index;
}

function literalsOf(kind: AtomNode['kind']): readonly KnownValue[] {
  return kind === 'bool' ? BOOLS : kind === 'float' ? FLOATS : [];
}

/** Completions for a missing value: known values first, then each type that fits. */
export function completeNewValue(doc: AiclDocument, gap: Gap): readonly Completion[] {
  const { cursor, span } = gap;
  const key = keyOfGap(doc, gap);
  const field = key === undefined ? undefined : findField(typeAt(cursor), key)?.row;
  const types = gap.role === 'value' ? field?.types : field?.items && [field.items];
  const values = key === undefined ? [] : knownValues(doc, cursor, key);
  const fitting = values.filter(value => types?.includes(value.kind) ?? true);
  const wholes = fitting.map((value, rank): Completion => {
    const text = `[${tagOf(value.kind).tag}:${value.content}]`;
    const { detail, shownAs: kind, topic } = value;
    const shown = { label: text, kind, detail, ...(topic === undefined ? {} : { topic }) };
    return { ...shown, span, newText: escapeSnippet(text), isSnippet: true, rank };
  });
  const tags = TYPE_TAGS.filter(row => types?.includes(row.name) ?? true).map((row, index): Completion => ({
    label: `[${row.tag}:]`,
    kind: 'type',
    detail: row.title,
    topic: `tag ${row.name}`,
    span,
    newText: `[${row.tag}:${emptyContent(row)}]`,
    isSnippet: true,
    rank: wholes.length + index,
  }));
  return [...wholes, ...tags].map(item => addCommas(gap, item));
}

/** The key of the message field whose value, or list item, is missing at a gap. */
function keyOfGap(doc: AiclDocument, gap: Gap): string | undefined {
  const { cursor, container } = gap;
  if (gap.role === 'item')
    return container && cursor.pair?.value === container ? fieldKeyAt(doc, cursor) : undefined;
  return gap.pair && isTop(cursor, container) ? textOf(doc.text, cursor.unit.start, gap.pair.key) : undefined;
}

function emptyContent(row: TypeTagRow): string {
  if (row.name === 'bool') return '${1|true,false|}';
  return row.name === 'tensor' ? `\${1|${DTYPES.map(dtype => dtype.name).join(',')}|}:\${2:2,2}:$3` : '$1';
}

function tagOf(kind: ValueKind): TypeTagRow {
  return TYPE_TAGS.find(row => row.name === kind) ?? TYPE_TAGS[0];
}

function known(
  kind: KnownValue['kind'],
  content: string,
  detail: string,
  more: { readonly shownAs?: CompletionKind; readonly topic?: string; readonly isClosed?: boolean } = {},
): KnownValue {
  return { kind, content, detail, shownAs: 'value', isClosed: kind === 'bool', ...more };
}

/** Known values for a field, most likely first. */
function knownValues(doc: AiclDocument, cursor: Cursor, key: string): readonly KnownValue[] {
  const offset = cursor.unit.start + cursor.offset;
  const type = typeAt(cursor)?.name;
  switch (key) {
    case 'protocol':
      return [known('text', AICL_PROTOCOL, 'protocol', { isClosed: true })];
    case 'supported':
    case 'selected':
      return type === 'protocol_negotiate' ? [known('text', AICL_PROTOCOL, 'protocol')] : [];
    case 'msg_type':
      return MESSAGE_TYPES.map(row =>
        known('text', row.name, 'message type', {
          shownAs: 'type',
          topic: `message ${row.name}`,
          isClosed: true,
        }),
      );
    case 'session_id':
      return sessionsInUse(doc, offset).map(name => known('text', escapeText(name), 'session in this file'));
    case 'stream_id':
      return listStreams(doc, cursor, offset);
    case 'is_final':
      return BOOLS;
    case 'tool':
      return type === 'tool_call' ? listTools(doc, offset) : [];
    case 'data_format':
      return type === 'data_query'
        ? TYPE_TAGS.map(row => known('text', row.title, `a ${row.title} as the data`))
        : [];
    case 'code':
    case 'reason':
      return type === 'error' ? listErrors(doc, cursor, key) : [];
    default:
      return [];
  }
}

/** The tools listed for the agent, then others that the file calls. */
function listTools(doc: AiclDocument, offset: number): readonly KnownValue[] {
  const table = toolsAt(doc, offset);
  const listed = [...(table?.tools ?? [])].slice(0, MAX_COMPLETIONS).map(([name, tool]) => ({
    ...known('text', escapeText(name), table ? detailOf({ table, tool }) : '', { shownAs: 'tool' }),
    ...(table && tool ? { topic: toolTopic(doc, table, name) } : {}),
  }));
  const inUse = toolsInUse(doc, offset).filter(name => !table?.tools.has(name));
  return [
    ...listed,
    ...inUse.map(name => known('text', escapeText(name), 'tool called in this file', { shownAs: 'tool' })),
  ];
}

/** The allowed values of an argument, if its declaration lists them. */
function argumentValues(doc: AiclDocument, cursor: Cursor): readonly KnownValue[] {
  if (cursor.pair?.value !== cursor.atom) return [];
  const argument = findArgument(doc, cursor);
  return (argument?.values ?? []).map(value =>
    known('text', escapeText(value), argument?.name ?? '', { isClosed: true }),
  );
}

/** The error codes or reasons; the reason that matches the message's code comes first. */
function listErrors(doc: AiclDocument, cursor: Cursor, key: 'code' | 'reason'): readonly KnownValue[] {
  const rows: readonly AiclErrorRow[] = AICL_ERRORS;
  const values = rows.map(row => {
    const topic = `error ${row.name}`;
    return key === 'code'
      ? known('int', String(row.code), row.name, { topic })
      : known('text', row.name, String(row.code), { topic });
  });
  const meant = key === 'reason' ? findReason(doc, cursor) : undefined;
  return [
    ...values.filter(({ content }) => content === meant),
    ...values.filter(({ content }) => content !== meant),
  ];
}

/** The next chunk of each stream of the session, and the first chunk of a new stream. */
function listStreams(doc: AiclDocument, cursor: Cursor, offset: number): readonly KnownValue[] {
  const open = streamsInUse(doc, offset, cursor.unit.summary.session).filter(chunk => chunk.k < chunk.n);
  const next = open.map(({ stream, k, n }) =>
    known('text', escapeText(`${stream}_${k + 1}/${n}`), `next chunk of ${stream}`),
  );
  return [...next, known('text', 'stream_1/2', 'first chunk of a new stream')];
}

/** Data types for the head of a tensor; without a shape, tab stops for shape and data follow. */
function completeDtype(doc: AiclDocument, cursor: Cursor, atom: AtomNode): readonly Completion[] {
  const content = shiftSpan(contentSpan(atom), cursor.unit.start);
  const colon = doc.text
    .slice(content.start, Math.min(content.end, content.start + LONGEST_DTYPE))
    .indexOf(':');
  const dtype =
    splitTensor(doc.text, content.start, content.end)?.dtype ??
    (colon < 0 ? content : { start: content.start, end: content.start + colon });
  if (cursor.unit.start + cursor.offset > dtype.end) return [];
  const isAlone = dtype.end === content.end;
  return DTYPES.map((row, rank) => ({
    label: row.name,
    kind: 'type',
    detail: `${row.bytes} ${row.bytes === 1 ? 'byte' : 'bytes'}`,
    topic: `dtype ${row.name}`,
    span: dtype,
    newText: isAlone ? `${row.name}:\${1:2,2}:$2` : row.name,
    isSnippet: isAlone,
    ...(isAlone ? {} : { commit: ':' }),
    rank,
  }));
}

const LONGEST_DTYPE = 200;
