import { A2A_RESULTS, type A2aResultName } from './names.ts';
import { findMessageKind, type MessageField, type MessageKind } from '../../core/catalog/message-kinds.ts';
import type { Message } from '../../core/message/message.ts';
import { dictValue, findEntry, intValue, textIn, textValue, type Value } from '../../core/values/value.ts';
import { decodeParts, encodeParts } from '../content/codec.ts';
import { inputParts, joinMarks, onlyInput } from '../content/items.ts';
import { codecOf, readParts, writeParts, type A2aVersion, type PartMeaning } from './parts.ts';
import {
  ANEW,
  CONTENT,
  FRAME,
  MARKS,
  MESSAGE_METHODS,
  ownId,
  PARTS,
  PROTOCOL,
  read,
  recognises,
  roleName,
} from './reader.ts';
import {
  envelopeOf,
  isRequest,
  noteKind,
  wholeEnvelope,
  withNamedArguments,
} from '../conversation/meaning.ts';
import { ENVELOPE, joinDicts, unpack, type Leftovers } from '../message/envelope.ts';
import { showEnvelope } from './shown.ts';
import { writeErrorObject } from '../rpc/frame.ts';
import type { ProtocolShape, Reading, Writing } from '../message/shape.ts';
import { artifactId, NOTHING_SEEN, type SeenArtifacts } from './artifacts.ts';
import { a2aStream } from './stream.ts';
import { dictOf, joinEntries, writeVerified } from '../conversation/verified.ts';

/**
 * Agent2Agent over JSON-RPC: `SendMessage` is a task, or a call where its one part is data `{tool, arguments}`; a message
 * or a task that answers is a result, an artifact's update a chunk, and the last status of a stream its end. A task that
 * failed is an error. Version 1.0 is written; 0.3, which names kinds, is written where a message came in it.
 */
export const a2aShape: ProtocolShape = {
  recognises,
  read: (value, reading) => read(value, reading),
  write: (given, writing) => writeA2a(given, writing, NOTHING_SEEN),
  stream: a2aStream(writeA2a),
};

function writeA2a(given: Message, writing: Writing, seen: SeenArtifacts): Value {
  // A method that is none of a message has its own form of arguments.
  const method = findEntry(findEntry(given.fields.rest, 'a2a'), 'method');
  const named = method ? given : withNamedArguments(given, writing);
  noteKind(named, 'A2A', writing);
  const ways = {
    natural: () => writeNatural(named, writing, seen),
    carrier: () => writeCarrier(named, writing),
  };
  const readAfter = (value: Value, reading: Reading): Message | undefined => read(value, reading, seen);
  return writeVerified(named, ways, { recognises, read: readAfter }, writing);
}

function writeNatural(given: Message, writing: Writing, seen: SeenArtifacts): Value {
  if (isRequest(given)) return writeSend(given, writing);
  const rest = findEntry(given.fields.rest, 'a2a');
  const isOfTask = findEntry(rest, 'task') ?? findEntry(rest, 'statusUpdate');
  return given.kind === 'error' && !isOfTask
    ? writeFailure(given, writing)
    : writeResult(given, writing, seen);
}

function writeSend(given: Message, writing: Writing): Value {
  const open = unpack(given, 'a2a');
  const method = textIn(open.rest.take('method')) ?? 'SendMessage';
  const frame = open.rest.take(FRAME);
  const version = MESSAGE_METHODS.get(method);
  const id = given.fields.id ?? intValue(writing.id);
  if (!version) {
    open.fields.take('tool');
    open.fields.take('id');
    return frameOf(id, { method: textValue(method), params: open.fields.take('arguments') }, frame);
  }
  const input = takeInput(given, open, version);
  const meaning = input ? undefined : requestMeaning(given, open);
  open.fields.take('id');
  const session = open.fields.takeKind('session', 'text');
  const envelope = envelopeOf(given, open, given.kind === 'call' ? 'call' : 'task');
  const left = open.rest.take('message');
  const { parts, envelope: shown } = showParts(
    input ?? writeParts(meaning, version),
    envelope,
    left,
    version,
  );
  const message = writeMessage({ parts, session, envelope: shown, left }, version, id, 'user');
  const more = open.rest.take('params');
  const params = dictValue(
    joinEntries([{ key: 'message', value: message }], more?.kind === 'dict' ? more.entries : []),
  );
  return frameOf(id, { method: textValue(method), params }, frame);
}

/** The parts of a task that is one message of a user, unless they would be read as a text or a call. */
function takeInput({ kind }: Message, { fields, rest }: Leftovers, version: A2aVersion): Value | undefined {
  const input = kind === 'task' && !fields.peek('task') ? onlyInput(fields.peek('items')) : undefined;
  const marks = input && rest.take(MARKS);
  const parts = input && encodeParts(decodeParts(joinMarks(input, marks), inputParts), codecOf(version));
  const meaning = parts && readParts(parts, version);
  if (!parts || (meaning && meaning.kind !== 'data')) return undefined;
  fields.take('items');
  return parts;
}

function requestMeaning({ kind }: Message, { fields }: Leftovers): PartMeaning | undefined {
  if (kind === 'call') {
    const tool = fields.takeKind('tool', 'text');
    const given = fields.takeKind('arguments', 'dict');
    return tool && { kind: 'call', tool, arguments: given };
  }
  const text = kind === 'task' || kind === 'query' ? fields.takeKind(kind, 'text') : undefined;
  return text && { kind: 'text', text };
}

interface MessageParts {
  readonly parts: Value;
  readonly session: Value | undefined;
  readonly envelope: Value | undefined;
  readonly left: Value | undefined;
}

function writeMessage(
  { parts, session, envelope, left }: MessageParts,
  version: A2aVersion,
  id: Value,
  role: 'user' | 'agent',
): Value {
  const message = dictOf({
    kind: version === '0.3' ? textValue('message') : undefined,
    messageId: ownId('msg', id),
    role: textValue(roleName(role, version)),
    parts,
    contextId: session,
    metadata: envelope && dictOf({ [ENVELOPE]: envelope }),
  });
  return left ? joinDicts(message, left) : message;
}

function writeFailure(given: Message, writing: Writing): Value {
  const open = unpack(given, 'a2a');
  const frame = open.rest.take(FRAME);
  const left = open.rest.take('error');
  const id = open.fields.take('id') ?? intValue(writing.id);
  const error = writeErrorObject(open.fields, 'a2a', writing);
  const body = left ? joinDicts(error, left) : error;
  const envelope = envelopeOf(given, open, 'error');
  const marks = dictOf({ [PROTOCOL]: textValue('error'), [ENVELOPE]: envelope });
  const more = frame ? joinDicts(marks, frame) : marks;
  return frameOf(id, { error: body }, more);
}

function writeResult(given: Message, writing: Writing, seen: SeenArtifacts): Value {
  const open = unpack(given, 'a2a');
  const frame = open.rest.take(FRAME);
  const version = textIn(open.rest.take('version')) === '0.3' ? '0.3' : '1.0';
  const id = open.fields.take('id') ?? intValue(writing.id);
  const inner = open.rest.takeWord('form', 'other')
    ? open.fields.take('data')
    : writeInner(given, open, { id, version, seen });
  return frameOf(id, { result: inner ?? dictValue([]) }, frame);
}

interface ReplyPlace {
  readonly id: Value;
  readonly version: A2aVersion;
  readonly seen: SeenArtifacts;
}

function writeInner(given: Message, open: Leftovers, place: ReplyPlace): Value {
  const { id, version } = place;
  const ofTask = writeOfTask(given, open, place);
  if (ofTask) return ofTask;
  const session = open.fields.takeKind('session', 'text');
  const content = takeContent(open, version);
  const parts = content?.parts ?? writeParts(dataMeaning(open), version);
  const marks = content?.mark;
  if (given.kind === 'chunk') return writeUpdate(given, open, place, { parts, session, marks });
  const left = open.rest.take('message');
  const envelope = withMark(envelopeOf(given, open, 'result'), marks);
  const shown = showParts(parts, envelope, left, version);
  return wrap('message', writeMessage({ ...shown, session, left }, version, id, 'agent'), version);
}

/** A message that is a task or a status of one, which say the same by their state; undefined for any other. */
function writeOfTask(given: Message, open: Leftovers, { id, version }: ReplyPlace): Value | undefined {
  const { kind } = given;
  const [task, status] = [open.rest.peek('task'), open.rest.peek('statusUpdate')];
  const isStatus = (task ?? status) && kind === 'chunk' && textIn(open.fields.peek('event')) === 'status';
  const isWhole = isStatus || kind === 'error' || (task && kind === 'result');
  if (!isWhole && kind !== 'end') return undefined;
  const name = kind !== 'end' && task ? 'task' : 'statusUpdate';
  open.rest.take(name);
  for (const field of OF_STATE[kind] ?? []) open.fields.take(field);
  const session = open.fields.takeKind('session', 'text');
  const left = (name === 'task' ? task : status) ?? dictValue([]);
  if (name === 'task') return wrap(name, joinDicts(writeTask(given, open, session, kind), left), version);
  const own = writeTask(given, open, session ?? ownId('context', id), kind);
  const state = textValue(version === '0.3' ? 'completed' : 'TASK_STATE_COMPLETED');
  const more = dictOf({
    taskId: ownId('task', id),
    status: kind === 'end' ? dictOf({ state }) : undefined,
    final: kind === 'end' && version === '0.3' ? { kind: 'bool', bool: true } : undefined,
  });
  return wrap(name, joinDicts(joinDicts(more, own), left), version);
}

/** What follows from the state of a task. */
const OF_STATE: Readonly<Partial<Record<MessageKind, readonly MessageField[]>>> = {
  result: ['data'],
  error: ['protocol', 'text'],
  chunk: ['event'],
};

interface UpdateParts {
  readonly parts: Value;
  readonly session: Value | undefined;
  readonly marks: Value | undefined;
}

/** A chunk as the update of an artifact. */
function writeUpdate(
  given: Message,
  open: Leftovers,
  { id, version, seen }: ReplyPlace,
  { parts, session, marks }: UpdateParts,
): Value {
  const left = open.rest.take('artifactUpdate');
  const isAnew = open.rest.take(ANEW) !== undefined;
  const own = dictOf({ artifactId: ownId('artifact', id), parts });
  const name = artifactId(findEntry(left, 'artifact')) ?? artifactId(own);
  // What is added to an artifact that a client has not seen yet is dropped there.
  const append: Value | undefined = seen.has(name) && !isAnew ? { kind: 'bool', bool: true } : undefined;
  const event = dictOf({ taskId: ownId('task', id), artifact: own, append });
  const update = joinDicts(event, writeTask(given, open, session ?? ownId('context', id), 'chunk', marks));
  return wrap('artifactUpdate', left ? joinDicts(update, left) : update, version);
}

function writeTask(
  given: Message,
  open: Leftovers,
  session: Value | undefined,
  natural: MessageKind,
  marks?: Value,
): Value {
  const envelope = withMark(envelopeOf(given, open, natural), marks);
  return dictOf({ contextId: session, metadata: envelope && dictOf({ [ENVELOPE]: envelope }) });
}

function withMark(envelope: Value | undefined, marks: Value | undefined): Value | undefined {
  return envelope && marks ? joinDicts(envelope, marks) : (envelope ?? marks);
}

/** Content that is a list of parts, with the mark that it needs where the parts look like data. */
function takeContent(
  { fields }: Leftovers,
  version: A2aVersion,
): { readonly parts: Value; readonly mark: Value | undefined } | undefined {
  const content = fields.peek('content');
  if (content?.kind !== 'list' || content.items.length === 0 || fields.peek('data')) return undefined;
  if (!content.items.every(item => textIn(findEntry(item, 'type')) ?? codecOf(version).accepts(item)))
    return undefined;
  fields.take('content');
  const parts = encodeParts(content, codecOf(version));
  return { parts, mark: readParts(parts, version) && dictOf({ [PARTS]: CONTENT }) };
}

/** Parts that are at least one, as A2A wants: where there is none, the text of what the envelope holds. */
function showParts(
  parts: Value,
  envelope: Value | undefined,
  left: Value | undefined,
  version: A2aVersion,
): Pick<MessageParts, 'parts' | 'envelope'> {
  if (parts.kind !== 'list' || parts.items.length > 0 || findEntry(left, 'parts')) return { parts, envelope };
  const shown = envelope ?? dictValue([]);
  return { parts: writeParts({ kind: 'text', text: showEnvelope(shown) }, version), envelope: shown };
}

/** The data of a reply as parts. */
function dataMeaning({ fields }: Leftovers): PartMeaning | undefined {
  const text = fields.takeKind('data', 'text');
  if (text) return { kind: 'text', text };
  const data = fields.take('data');
  return data && { kind: 'data', data };
}

function wrap(name: A2aResultName, inner: Value, version: A2aVersion): Value {
  if (version === '1.0') return dictOf({ [name]: inner });
  const row = A2A_RESULTS.find(each => each.name === name);
  return !row || name === 'message' ? inner : joinDicts(dictOf({ kind: textValue(row.kind) }), inner);
}

function writeCarrier(given: Message, writing: Writing): Value {
  const id = given.fields.id ?? intValue(writing.id);
  const role = findMessageKind(given.kind)?.role === 'request' ? 'user' : 'agent';
  const envelope = wholeEnvelope(given, role === 'user' ? 'task' : 'result', 'id');
  const shown = showParts(writeParts(undefined, '1.0'), envelope, undefined, '1.0');
  const parts = { ...shown, session: undefined, left: undefined };
  const message = dictOf({ message: writeMessage(parts, '1.0', id, role) });
  return role === 'user'
    ? frameOf(id, { method: textValue('SendMessage'), params: message }, undefined)
    : frameOf(id, { result: message }, undefined);
}

/** A message of JSON-RPC; a request with the id null is a notification, which has none. */
function frameOf(
  id: Value,
  body: Readonly<Record<string, Value | undefined>>,
  more: Value | undefined,
): Value {
  const isNotification = id.kind === 'null' && body['method'] !== undefined;
  const frame = dictOf({ jsonrpc: textValue('2.0'), id: isNotification ? undefined : id, ...body });
  return more ? joinDicts(frame, more) : frame;
}
