import { parseStreamId } from '../../language/aicl/unit.ts';
import {
  COMMON_FIELDS,
  MESSAGE_TYPES,
  type FieldRow,
  type MessageTypeName,
} from '../../core/catalog/aicl.ts';
import type { MessageField, MessageKind } from '../../core/catalog/message-kinds.ts';
import type { Message } from '../../core/message/message.ts';
import {
  dictValue,
  intValue,
  listValue,
  textIn,
  textValue,
  type Entry,
  type Value,
} from '../../core/values/value.ts';
import { writtenKind } from '../../language/values/aicl-printer.ts';

/** The type that a message of each kind is written as: its own, or the nearest one. */
export const TYPE_OF_KIND: Readonly<Record<MessageKind, MessageTypeName>> = {
  call: 'tool_call',
  list: 'data_query',
  describe: 'data_query',
  task: 'task_request',
  query: 'data_query',
  negotiate: 'protocol_negotiate',
  result: 'result',
  error: 'error',
  chunk: 'result',
  end: 'result',
  value: 'result',
};

/** The kind that a message of each type is read as by default. */
export const KIND_OF_TYPE: Readonly<Record<MessageTypeName, MessageKind>> = {
  task_request: 'task',
  data_query: 'query',
  tool_call: 'call',
  result: 'result',
  error: 'error',
  protocol_negotiate: 'negotiate',
};

/** A field of the protocol and the field of the message that it carries. */
export interface MemberRow {
  readonly key: string;
  readonly field: MessageField;
  /** The field's description in the protocol. */
  readonly row: FieldRow;
}

/** Fields that have another name in the protocol. */
const RENAMED: ReadonlyMap<string, MessageField> = new Map([
  ['params', 'arguments'],
  ['data_format', 'format'],
]);

const SAME_NAME = ['task', 'constraints', 'deadline', 'query', 'tool', 'timeout'] as const;
const REPLY_NAME = ['data', 'content', 'metadata', 'supported', 'selected', 'signature'] as const;
const NAMES: readonly MessageField[] = [...SAME_NAME, ...REPLY_NAME];

function toMember(row: FieldRow): MemberRow[] {
  const field = RENAMED.get(row.key) ?? NAMES.find(name => name === row.key);
  return field ? [{ key: row.key, field, row }] : [];
}

const ROWS: ReadonlyMap<MessageTypeName, readonly MemberRow[]> = new Map(
  MESSAGE_TYPES.map(({ name, fields }) => [name, fields.flatMap(toMember)] as const),
);

/** The fields of a type in the order of the protocol; those of errors are not included (errors.ts). */
export function memberRows(type: MessageTypeName): readonly MemberRow[] {
  return ROWS.get(type) ?? [];
}

/** Fields that any message may have, except the position in a stream, which spans several fields (`readPlace`). */
export const COMMON_ROWS: readonly MemberRow[] = COMMON_FIELDS.flatMap(toMember);

/** The type that a text names; undefined for any other value. */
export function findType(value: Value | undefined): MessageTypeName | undefined {
  return TYPES.get(textIn(value));
}

const TYPES: ReadonlyMap<string | undefined, MessageTypeName> = new Map(
  MESSAGE_TYPES.map(({ name }) => [name, name]),
);

/** True for a value whose type the field allows. */
export function fitsRow({ row }: MemberRow, value: Value): boolean {
  if (!row.types.includes(writtenKind(value))) return false;
  return value.kind !== 'list' || !row.items || value.items.every(item => writtenKind(item) === row.items);
}

const EMPTY_DICT = dictValue([]);

/** Values for fields that a type requires and the message lacks. */
export const FILLERS: Readonly<Partial<Record<MessageTypeName, readonly Entry[]>>> = {
  task_request: [
    { key: 'task', value: textValue('') },
    { key: 'constraints', value: EMPTY_DICT },
  ],
  data_query: [{ key: 'query', value: textValue('') }],
  tool_call: [{ key: 'params', value: EMPTY_DICT }],
  protocol_negotiate: [{ key: 'supported', value: listValue([]) }],
  result: [{ key: 'data', value: EMPTY_DICT }],
};

/** The name of a stream without a name. */
const STREAM = 'stream';

/** A message's position in a stream. */
interface Place {
  readonly stream: Value | undefined;
  readonly index: Value;
  readonly total: Value;
}

/** The position in a stream id; undefined unless writing it gives the same text. */
export function readPlace(id: Value | undefined): Place | undefined {
  const source = textIn(id);
  const found = source === undefined ? undefined : parseStreamId(source);
  if (!found || `${found.stream}_${found.k}/${found.n}` !== source) return undefined;
  const stream = found.stream === STREAM ? undefined : textValue(found.stream);
  return { stream, index: intValue(found.k), total: intValue(found.n) };
}

/** The stream id of a message's position; undefined without a position, or for one that no id can express. */
export function writePlace({ stream, index, total }: Message['fields']): Value | undefined {
  if (index?.kind !== 'int' || total?.kind !== 'int') return undefined;
  const name = stream === undefined ? STREAM : textIn(stream);
  if (name === undefined || (stream && name === STREAM)) return undefined;
  const id = textValue(`${name}_${index.int}/${total.int}`);
  const place = readPlace(id);
  const isSame = place && textIn(place.stream) === textIn(stream) && isInt(place.index, index.int);
  return isSame && isInt(place.total, total.int) ? id : undefined;
}

function isInt(value: Value, int: number | bigint): boolean {
  return value.kind === 'int' && value.int === int;
}
