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
import { errorOf, hasFailed, noteIncomplete } from '../conversation/ended.ts';
import { withoutOwnMembers, withOwnMembers } from '../conversation/items.ts';
import {
  asConversation,
  isRequest,
  itemsOfMessage,
  pathOfItem,
  readReplyItems,
  readRequestItems,
  replyName,
  takeReplyNumber,
  withRest,
} from '../conversation/meaning.ts';
import { takeParameters, writeParameters } from '../conversation/parameters.ts';
import { dictOf, joinEntries, takeDefaults } from '../message/dicts.ts';
import { readError, writeError } from '../errors/errors.ts';
import { Members } from '../message/members.ts';
import { looksLikeResponses } from '../event-stream/marks.ts';
import { foundMessage, restOf } from '../message/rest.ts';
import type { ProtocolShape, Reading, Writing } from '../message/shape.ts';
import { RESPONSE_DEFAULTS, responseFrame } from './frame.ts';
import { readAgentMessage, writeAgentMessage } from './items.ts';
import { AGENT_API_PARAMETERS } from './parameters.ts';
import { checkRequest } from './request-check.ts';
import { agentApiStream } from './stream.ts';

const stream = agentApiStream(read);

/**
 * AgentScope's Agent API: an AgentRequest is a task or a call, an AgentResponse a result or an error. Members
 * of a response besides its output (ids, times, usage) are stored unchanged and written back.
 */
export const agentApiShape: ProtocolShape = {
  recognises,
  read,
  nearest: (given, writing) =>
    asConversation(given, 'The Agent API', 'agent-api', AGENT_API_PARAMETERS, writing),
  write,
  stream,
};

/** The prefix of reply ids; a number follows. */
const REPLY = 'response';
/** Marks the text of a call's arguments, where serializing them gives another text. */
const ARGUMENTS = '$arguments';

function recognises(value: Value): boolean {
  return (isFrame(value) && !looksLikeResponses(value)) || stream.recognises(value);
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
  if (isAgentRequest(value)) {
    for (const fault of checkRequest(value)) reading.report.note(fault);
    return readRequest(members, reading);
  }
  if (hasFailed(value)) return readFailure(members, reading, errorOf(value));
  noteIncomplete(value, reading.report);
  return readResponse(members, reading);
}

function readRequest(members: Members, reading: Reading): Message {
  const input = members.takeKind('input', 'list');
  const meaning = readRequestItems((input?.items ?? []).map(readAgentMessage), 'agent-api', reading);
  const session = members.takeKind('session_id', 'text');
  // A call has no constraints, so its parameters stay members that only the Agent API has.
  const constraints = meaning.kind === 'task' ? takeParameters(members, AGENT_API_PARAMETERS) : undefined;
  members.put('input', meaning.left);
  members.put(ARGUMENTS, meaning.source);
  const fields = { ...meaning.fields, constraints, session };
  return foundMessage({ kind: meaning.kind, fields, rest: members.left() }, 'agent-api');
}

function readResponse(members: Members, reading: Reading): Message {
  const output = members.takeKind('output', 'list');
  const items = (output?.items ?? []).map((item, index) => withoutOwnMembers(readAgentMessage(item), index));
  const meaning = readReplyItems(items, 'agent-api');
  const id = takeReplyNumber(REPLY, members, reading);
  const session = members.takeKind('session_id', 'text');
  takeDefaults(members, [...RESPONSE_DEFAULTS, { key: 'status', value: textValue('completed') }]);
  members.put('output', meaning.left);
  const fields = { ...meaning.fields, id, session };
  return foundMessage({ kind: meaning.kind, fields, rest: members.left() }, 'agent-api');
}

function readFailure(members: Members, reading: Reading, failure: Value): Message {
  const error = members.take('error') ?? NULL;
  const inner = new Members(failure);
  const found = { code: inner.take('code'), text: inner.take('message'), data: inner.take('data') };
  const id = takeReplyNumber(REPLY, members, reading);
  const session = members.takeKind('session_id', 'text');
  takeDefaults(members, [...RESPONSE_DEFAULTS, { key: 'status', value: textValue('failed') }]);
  members.put('error', error.kind === 'dict' ? inner.left() : unexpectedError(error));
  const fields = { ...readError('agent-api', found, reading), id, session };
  return foundMessage({ kind: 'error', fields, rest: members.left() }, 'agent-api');
}

/** What to store of an error that is no dictionary; a text needs nothing, because it is written back as one. */
function unexpectedError(error: Value): Value | undefined {
  return error.kind === 'text' ? undefined : error;
}

function write(sent: Message, writing: Writing): Value {
  const rest = restOf(sent, 'agent-api');
  const frame = isRequest(sent)
    ? writeRequest(sent, rest, writing)
    : sent.kind === 'error'
      ? writeFailure(sent, rest, writing)
      : writeResponse(sent, rest, writing);
  const value = withRest(frame, rest);
  if (isRequest(sent)) for (const fault of checkRequest(value)) writing.report.note(fault);
  return value;
}

function writeRequest(sent: Message, rest: Members, writing: Writing): DictValue {
  const items = itemsOfMessage(sent, 'agent-api', writing, {
    left: rest.takeKind('input', 'dict'),
    source: rest.take(ARGUMENTS),
  });
  return dictOf({
    input: writeAll(sent, items, writing),
    session_id: sessionOf(sent),
    ...writeParameters(sent.fields.constraints, AGENT_API_PARAMETERS),
  });
}

function sessionOf({ fields: { session } }: Message): Value | undefined {
  return session?.kind === 'text' ? session : undefined;
}

function writeAll(sent: Message, items: readonly Value[], { report }: Writing): Value {
  return listValue(
    items.map((item, index) => {
      const pathOf = pathOfItem(sent, index);
      return writeAgentMessage(item, (part, kind, reported) => report.lose(kind, pathOf(part), reported));
    }),
  );
}

function writeResponse(sent: Message, rest: Members, writing: Writing): DictValue {
  const left = rest.takeKind('output', 'dict');
  const items = itemsOfMessage(sent, 'agent-api', writing, { left }).map(withOwnMembers);
  return responseFrame('completed', {
    id: replyName(REPLY, sent, writing.id),
    output: writeAll(sent, items, writing),
    session_id: sessionOf(sent),
  });
}

function writeFailure(sent: Message, rest: Members, writing: Writing): DictValue {
  const { code, text, data } = writeError(sent.fields, 'agent-api', writing);
  const left = rest.takeKind('error', 'dict')?.entries ?? [];
  const error = joinEntries(dictOf({ code, message: textValue(text), data }).entries, left);
  return responseFrame('failed', {
    id: replyName(REPLY, sent, writing.id),
    error: dictValue(error),
    session_id: sessionOf(sent),
  });
}
