import { AICL_PROTOCOL, type MessageTypeName } from '../../core/catalog/aicl.ts';
import type { MessageField } from '../../core/catalog/message-kinds.ts';
import { fieldNames, message, type Message } from '../../core/message/message.ts';
import {
  boolValue,
  dictValue,
  findEntry,
  textIn,
  textValue,
  type BoolValue,
  type DictValue,
  type Entry,
  type Value,
} from '../../core/values/value.ts';
import { isSameValue } from '../message/same-value.ts';
import { splitTask } from '../content/canonical.ts';
import { readError, writeError } from '../errors/errors.ts';
import { Members } from '../message/members.ts';
import { Report } from '../../core/message/report.ts';
import { foundMessage, restOf } from '../message/rest.ts';
import type { ProtocolShape, Reading, Writing } from '../message/shape.ts';
import { named } from '../tools/arguments.ts';
import {
  COMMON_ROWS,
  FILLERS,
  findType,
  fitsRow,
  KIND_OF_TYPE,
  memberRows,
  readPlace,
  TYPE_OF_KIND,
  writePlace,
  type MemberRow,
} from './members.ts';
import { chunkStream } from './stream.ts';

/**
 * LightAICL messages (reading of LightAICL 3.3). Fields that the protocol lacks are written as extra pairs,
 * which it allows. If a message lacks a required field, a filler is written.
 */
export const aiclShape: ProtocolShape = {
  recognises,
  read,
  nearest,
  write,
  stream: chunkStream({ read, nearest, write }),
};

/** The session of a message that names none, because the protocol requires one. */
const NO_SESSION = 'session';
const DEFAULT_HEADER = { protocol: textValue(AICL_PROTOCOL), session_id: textValue(NO_SESSION) };
const SIGNED = 'The message is signed; the signature does not fit the converted message, so sign it again';
/** Fields that any message may have, and that are written as pairs which the protocol does not define. */
const PAIRS = ['id', 'trace', 'agent', 'items', 'event'] as const;

function recognises(value: Value): boolean {
  if (value.kind !== 'dict') return false;
  if (findType(findEntry(value, 'msg_type'))) return true;
  return textIn(findEntry(value, 'protocol'))?.startsWith(AICL_PROTOCOL) === true;
}

function read(value: Value, reading: Reading): Message | undefined {
  const type = findType(findEntry(value, 'msg_type'));
  if (type) return reading.number(readTyped(new Members(value), type, reading));
  // A message of an unknown type is a value, so that all of it is carried.
  return recognises(value) ? reading.number(message('value', { data: value })) : undefined;
}

function readTyped(members: Members, type: MessageTypeName, reading: Reading): Message {
  const session = readHeader(members);
  const fields = takeFields(members, type, reading);
  const isChunk = type === 'result' && fields.index !== undefined;
  for (const name of PAIRS) {
    const value = fields[name] ? undefined : members.take(name);
    if (value) fields[name] = value;
  }
  dropFillers(type, fields);
  if (session) fields.session = session;
  return foundMessage({ kind: isChunk ? 'chunk' : KIND_OF_TYPE[type], fields, rest: members.left() }, 'aicl');
}

/** Takes the header and returns the session. Header fields with unexpected values are left. */
function readHeader(members: Members): Value | undefined {
  members.take('msg_type');
  members.takeWord('protocol', AICL_PROTOCOL);
  if (members.takeWord('session_id', NO_SESSION)) return undefined;
  return textIn(members.peek('session_id')) === '' ? undefined : members.takeKind('session_id', 'text');
}

type FoundFields = Partial<Record<MessageField, Value | undefined>>;

/** Drops a filler, if the field that it was written for is there in another form. */
function dropFillers(type: MessageTypeName, fields: FoundFields): void {
  const { items, data, task } = fields;
  if (!items) return;
  for (const { key, value } of FILLERS[type] ?? []) {
    if (key === 'data' && data && isSameValue(data, value)) fields.data = undefined;
    if (key === 'task' && task && isSameValue(task, value)) fields.task = undefined;
  }
}

/** Takes the fields of a type and the common ones, each only if the protocol allows the type of its value. */
function takeFields(members: Members, type: MessageTypeName, reading: Reading): FoundFields {
  const fields: FoundFields = type === 'error' ? takeError(members, reading) : {};
  if (type !== 'error') takeRows(members, memberRows(type), fields);
  takeRows(members, COMMON_ROWS, fields);
  if (fields.signature) reading.report.note(SIGNED);
  const place = readPlace(members.peek('stream_id'));
  if (place) members.take('stream_id');
  const final = members.takeKind('is_final', 'bool');
  if (place) Object.assign(fields, place);
  if (final && statesFinal(final, place)) fields.final = final;
  return fields;
}

function takeRows(members: Members, rows: readonly MemberRow[], fields: FoundFields): void {
  for (const row of rows) {
    const value = members.peek(row.key);
    if (value && fitsRow(row, value)) fields[row.field] = members.take(row.key);
  }
}

function takeError(members: Members, reading: Reading): FoundFields {
  return {
    ...readError(
      'aicl',
      { code: members.take('code'), text: members.take('reason'), data: members.take('detail') },
      reading,
    ),
  };
}

type StreamPlace = ReturnType<typeof readPlace>;

/** False for a `final` that the position already implies. */
function statesFinal(final: BoolValue, place: StreamPlace): boolean {
  return final.bool || !place || isSameValue(place.index, place.total);
}

function nearest(given: Message, writing: Writing): Message {
  const { fields } = given;
  const { report } = writing;
  switch (given.kind) {
    case 'call':
      return named(given, 'aicl', writing);
    case 'list':
      report.lose('moved', '', `${HAS_NO} requests the list of tools; it is written as a query for them`);
      return message('query', { ...fields, query: textValue('tools') });
    case 'describe': {
      report.lose('moved', '', `${HAS_NO} requests one tool; it is written as a query for it`);
      const query = textValue(`tool ${textIn(fields.tool) ?? ''}`.trimEnd());
      return message('query', { ...fields, tool: undefined, query });
    }
    case 'end':
      report.lose('moved', '', `${HAS_NO} ends a stream; it is written as an empty result that is final`);
      return message('result', { ...fields, data: textValue(''), final: boolValue(true) });
    case 'task':
      return asTaskRequest(given);
    case 'result':
      return asData(given, report);
    case 'chunk':
      return withoutAside(given, report);
    default:
      return given;
  }
}

/** Empties a chunk that is no text of the answer: a reader that joins the chunks would mix it in. */
function withoutAside(given: Message, report: Report): Message {
  const { event, data } = given.fields;
  const aside = ASIDE.get(textIn(event) ?? '');
  if (aside === undefined) return given;
  report.lose('dropped', 'data', `The chunks of LightAICL are an answer, so ${aside} is left out`, data);
  return message('chunk', { ...given.fields, data: textValue(''), content: undefined });
}

const ASIDE: ReadonlyMap<string, string> = new Map([
  ['reasoning', 'a part of the reasoning'],
  ['arguments', "a part of a call's arguments"],
]);

const HAS_NO = 'LightAICL has no message that';

/** Splits a task with parts into its text and its inputs. */
function asTaskRequest(given: Message): Message {
  const { task, content, constraints } = given.fields;
  const split = content && !task && splitTask(content, constraints);
  return split ? message('task', { ...given.fields, content: undefined, ...split }) : given;
}

/** Moves tools to `data`, which is how an agent of LightAICL answers a query for them. */
function asData(given: Message, report: Report): Message {
  const listed = given.fields.tools ?? given.fields.declaration;
  if (!listed || given.fields.data || given.fields.content) return given;
  const { tools, declaration, ...others } = given.fields;
  report.lose(
    'moved',
    tools ? 'tools' : 'declaration',
    'LightAICL has no list of tools; it is written as the data of a result',
    listed,
  );
  return message('result', { ...others, data: listed, declaration: tools ? declaration : undefined });
}

function write(sent: Message, writing: Writing): Value {
  const { data } = sent.fields;
  const isBare = sent.kind === 'value' && data && fieldNames(sent).length === 1;
  // A value is written bare unless it would be read as a message.
  if (isBare && !findType(findEntry(data, 'msg_type'))) return data;
  return writeMessage(sent, writing);
}

function writeMessage(sent: Message, writing: Writing): DictValue {
  const { fields, kind } = sent;
  const type = TYPE_OF_KIND[kind];
  const rest = restOf(sent, 'aicl');
  if (fields.signature) writing.report.note(SIGNED);
  const members = new Members(undefined);
  writeHeader(members, rest, type, fields);
  if (kind === 'error') {
    const { code, text, data } = writeError(fields, 'aicl', writing);
    members.put('code', code);
    members.put('reason', textValue(text));
    members.put('detail', data);
  } else writeFields(members, type, fields);
  writeCommon(members, sent);
  for (const { key, value } of rest.entries())
    if (!members.peek(key) && !isTaken({ key, value }, type, writing)) members.put(key, value);
  return dictValue(members.entries());
}

function writeHeader(
  members: Members,
  rest: Members,
  type: MessageTypeName,
  { session }: Message['fields'],
): void {
  const own = textIn(session);
  const isName = own !== undefined && own !== '' && own !== NO_SESSION;
  members.add('protocol', rest.take('protocol') ?? DEFAULT_HEADER.protocol);
  members.add('session_id', isName ? session : (rest.take('session_id') ?? DEFAULT_HEADER.session_id));
  members.add('msg_type', textValue(type));
}

/** Writes the fields of the type that the message has, and fillers for required ones. */
function writeFields(members: Members, type: MessageTypeName, fields: Message['fields']): void {
  for (const row of memberRows(type))
    members.add(row.key, findFitting(row, fields) ?? findFiller(row.key, type, fields));
}

/** The value of a field, if the protocol allows its type. */
function findFitting(row: MemberRow, fields: Message['fields']): Value | undefined {
  const value = fields[row.field];
  return value && fitsRow(row, value) ? value : undefined;
}

/** The filler for a field that is not written; undefined if it is not required, or another one is in its place. */
function findFiller(key: string, type: MessageTypeName, fields: Message['fields']): Value | undefined {
  const filler = FILLERS[type]?.find(entry => entry.key === key);
  const isReplaced =
    filler && memberRows(type).some(row => isInPlaceOf(row.key, key) && findFitting(row, fields));
  return isReplaced ? undefined : filler?.value;
}

function writeCommon(members: Members, { fields }: Message): void {
  for (const row of COMMON_ROWS) members.put(row.key, findFitting(row, fields));
  const id = writePlace(fields);
  members.put('stream_id', id);
  const { final } = fields;
  if (final?.kind === 'bool' && !members.peek('is_final') && statesFinal(final, readPlace(id)))
    members.put('is_final', final);
  for (const name of PAIRS) members.put(name, fields[name]);
}

/** True if a field takes the place of a required one: `content` may replace `data`. */
function isInPlaceOf(key: string, wanted: string): boolean {
  return key === wanted || (key === 'content' && wanted === 'data');
}

/** True for a member that would be read as a known field. */
function isTaken({ key, value }: Entry, type: MessageTypeName, writing: Writing): boolean {
  if (key === 'msg_type') return true;
  const probe = dictValue([{ key, value }]);
  const reading = { ...writing, report: new Report(), number: (read: Message) => read };
  return readTyped(new Members(probe), type, reading).fields.rest === undefined;
}
