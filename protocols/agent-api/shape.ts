import type { Message } from '../../core/message/message.ts';
import {
  dictValue,
  findEntry,
  listValue,
  NULL,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../core/values/value.ts';
import {
  envelopeOf,
  isRequest,
  noteKind,
  readReplyItems,
  readRequestItems,
  wholeEnvelope,
  withNamedArguments,
  writeReplyItems,
  writeRequestItems,
  type ItemList,
} from '../conversation/meaning.ts';
import { errorOf, hasFailed, noteIncomplete } from '../conversation/ended.ts';
import { readAgentMessage, writeAgentMessage } from './items.ts';
import { RESPONSE_DEFAULTS, responseFrame } from './frame.ts';
import { ENVELOPE, readMessage, unpack } from '../message/envelope.ts';
import { readError, writeError } from '../errors/errors.ts';
import { leftoverList, withOwnMembers, withoutOwnMembers } from '../conversation/items.ts';
import { Members } from '../message/members.ts';
import { looksLikeResponses } from '../event-stream/marks.ts';
import type { ProtocolShape, Reading, Writing } from '../message/shape.ts';
import { agentApiStream, isLastEvent } from './stream.ts';
import { takeReplyName, takeReplyNumber } from '../conversation/shown.ts';
import { dictOf, joinEntries, takeDefaults, writeVerified } from '../conversation/verified.ts';

const stream = agentApiStream(read);

/**
 * The Agent API of AgentScope: an AgentRequest is a task or a call, an AgentResponse a result or an error. What a response
 * has beside its output (ids, times, usage) is kept as it is and put back.
 */
export const agentApiShape: ProtocolShape = {
  recognises,
  read,
  write: writeAgentApi,
  stream,
};

/** What replies are called, with a number. */
const REPLY = 'response';

function recognises(value: Value): boolean {
  return isWhole(value) || stream.recognises(value);
}

/** True for a request or response by itself, and for the last event of a stream, which is read as one where it is alone. */
function isWhole(value: Value): boolean {
  if (!isFrame(value) || looksLikeResponses(value)) return false;
  return !stream.recognises(value) || isLastEvent(value);
}

function read(value: Value, reading: Reading): Message | undefined {
  return isFrame(value) ? reading.number(readFrame(value, reading)) : undefined;
}

function isFrame(value: Value): boolean {
  if (value.kind !== 'dict' || findEntry(value, 'jsonrpc')) return false;
  if (textIn(findEntry(value, 'object')) === 'response') return true;
  return isAgentRequest(value) || isTransportError(value);
}

function isAgentRequest(value: Value): boolean {
  return (
    findEntry(value, 'input')?.kind === 'list' && !findEntry(value, 'object') && !findEntry(value, 'kind')
  );
}

/** A failure before there was a response: `{"error":"…"}`, with HTTP 200. */
function isTransportError(value: DictValue): boolean {
  return value.entries.length === 1 && findEntry(value, 'error')?.kind === 'text';
}

function readFrame(value: Value, reading: Reading): Message {
  const members = new Members(value);
  const envelope = members.take(ENVELOPE);
  const frame = { members, envelope };
  if (isAgentRequest(value)) return readRequest(frame, reading);
  if (hasFailed(value)) return readFailure(frame, reading, errorOf(value));
  noteIncomplete(value, reading.report);
  return readResponse(frame, reading);
}

interface Frame {
  readonly members: Members;
  readonly envelope: Value | undefined;
}

function readRequest({ members, envelope }: Frame, reading: Reading): Message {
  const input = members.takeKind('input', 'list');
  const meaning = readRequestItems(readAll(input?.items ?? []), envelope, reading);
  const session = members.takeKind('session_id', 'text');
  members.put('input', leftoverList(meaning.lefts));
  members.put(ENVELOPE, meaning.source);
  const fields = { ...meaning.fields, session };
  return readMessage(
    { kind: meaning.kind, fields, rest: members.left(), envelope: meaning.envelope },
    'agent-api',
    reading.report,
  );
}

function readAll(messages: readonly Value[]): ItemList {
  const found = messages.map(readAgentMessage);
  return { items: found.map(({ item }) => item), lefts: found.map(({ left }) => left) };
}

function readResponse({ members, envelope }: Frame, reading: Reading): Message {
  const output = members.takeKind('output', 'list');
  const { items, lefts } = readAll(output?.items ?? []);
  const meaning = readReplyItems({ items: items.map(withoutOwnMembers), lefts }, envelope);
  const id = takeReplyNumber(REPLY, { members, envelope }, reading);
  const session = members.takeKind('session_id', 'text');
  takeDefaults(members, [...RESPONSE_DEFAULTS, { key: 'status', value: textValue('completed') }]);
  members.put('output', leftoverList(meaning.lefts));
  const fields = { ...meaning.fields, id, session };
  return readMessage(
    { kind: meaning.kind, fields, rest: members.left(), envelope: meaning.envelope },
    'agent-api',
    reading.report,
  );
}

function readFailure({ members, envelope }: Frame, reading: Reading, said: Value): Message {
  const error = members.take('error') ?? NULL;
  const inner = new Members(said);
  const found = { code: inner.take('code'), text: inner.take('message'), data: inner.take('data') };
  const id = takeReplyNumber(REPLY, { members, envelope }, reading);
  const session = members.takeKind('session_id', 'text');
  takeDefaults(members, [...RESPONSE_DEFAULTS, { key: 'status', value: textValue('failed') }]);
  members.put('error', error.kind === 'dict' ? inner.left() : oddError(error));
  const fields = { ...readError('agent-api', found, reading.report), id, session };
  return readMessage({ kind: 'error', fields, rest: members.left(), envelope }, 'agent-api', reading.report);
}

/** An error that is no dictionary; a text alone is written as one. */
function oddError(error: Value): Value | undefined {
  return error.kind === 'text' ? undefined : error;
}

function writeAgentApi(given: Message, writing: Writing): Value {
  const named = withNamedArguments(given, writing);
  noteKind(named, 'The Agent API', writing);
  const natural = isRequest(named) ? writeRequest : named.kind === 'error' ? writeFailure : writeResponse;
  const ways = { natural: () => natural(named, writing), carrier: () => writeCarrier(named, writing) };
  return writeVerified(named, ways, { recognises: isWhole, read }, writing);
}

function writeRequest(given: Message, writing: Writing): Value {
  const open = unpack(given, 'agent-api');
  const lefts = open.rest.takeKind('input', 'list')?.items ?? [];
  const { items, mark } = writeRequestItems(given, open, writing, open.rest.take(ENVELOPE));
  const input = listValue(items.map((item, index) => writeAgentMessage(item, lefts[index])));
  const session = open.fields.takeKind('session', 'text');
  const natural = given.kind === 'call' ? 'call' : 'task';
  const frame = dictOf({ input, session_id: session, [ENVELOPE]: envelopeOf(given, open, natural, mark) });
  return join(frame, open.rest);
}

function join(frame: Value, rest: Members): Value {
  return dictValue(joinEntries(frame.kind === 'dict' ? frame.entries : [], rest.entries()));
}

function writeResponse(given: Message, writing: Writing): Value {
  const open = unpack(given, 'agent-api');
  const lefts = open.rest.takeKind('output', 'list')?.items ?? [];
  const { items, mark } = writeReplyItems(given, open);
  const id = takeReplyName(REPLY, open.fields, open.rest, writing.id);
  const output = listValue(
    items.map((item, index) => writeAgentMessage(withOwnMembers(item, index), lefts[index])),
  );
  const session = open.fields.takeKind('session', 'text');
  const frame = responseFrame('completed', {
    id,
    output,
    session_id: session,
    [ENVELOPE]: envelopeOf(given, open, 'result', mark),
  });
  return join(frame, open.rest);
}

function writeFailure(given: Message, writing: Writing): Value {
  const open = unpack(given, 'agent-api');
  const session = open.fields.takeKind('session', 'text');
  const { code, text, data } = writeError(open.fields, 'agent-api', writing.report);
  const left = open.rest.takeKind('error', 'dict')?.entries ?? [];
  const error = joinEntries(
    dictValue([
      { key: 'code', value: code },
      { key: 'message', value: textValue(text) },
      { key: 'data', value: data },
    ]).entries,
    left,
  );
  const frame = responseFrame('failed', {
    id: takeReplyName(REPLY, open.fields, open.rest, writing.id),
    error: dictValue(error),
    session_id: session,
    [ENVELOPE]: envelopeOf(given, open, 'error'),
  });
  return join(frame, open.rest);
}

function writeCarrier(given: Message, { id }: Writing): Value {
  if (isRequest(given)) return dictOf({ input: listValue([]), [ENVELOPE]: wholeEnvelope(given, 'task') });
  return responseFrame('completed', {
    id: textValue(`${REPLY}_${id}`),
    output: listValue([]),
    [ENVELOPE]: wholeEnvelope(given, 'result'),
  });
}
