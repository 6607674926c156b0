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
import { withOwnMembers } from '../conversation/items.ts';
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
import { dictOf, joinEntries } from '../message/dicts.ts';
import { readError, writeError } from '../errors/errors.ts';
import { Members } from '../message/members.ts';
import { foundMessage, restOf } from '../message/rest.ts';
import type { ProtocolShape, Reading, Writing } from '../message/shape.ts';
import { readItems, readOutputItems, responseFrame, takeResponseDefaults, writeItem } from './frame.ts';
import { RESPONSES_PARAMETERS } from './parameters.ts';
import { looksLikeResponses } from '../event-stream/marks.ts';
import { responsesStream } from './stream.ts';

const stream = responsesStream(read);

/**
 * OpenAI's Responses: a request is a task or a call, a response a result or an error. Members of a response
 * besides its output are stored unchanged and written back.
 */
export const responsesShape: ProtocolShape = {
  recognises,
  read,
  nearest: (given, writing) => asConversation(given, 'Responses', 'responses', RESPONSES_PARAMETERS, writing),
  write,
  stream,
};

/** The prefix of reply ids; a number follows. */
const REPLY = 'resp';
/** Marks the text of a call's arguments, where serializing them gives another text. */
const ARGUMENTS = '$arguments';

function recognises(value: Value): boolean {
  return stream.recognises(value) || (isFrame(value) && looksLikeResponses(value)) || isRefusal(value);
}

function read(value: Value, reading: Reading): Message | undefined {
  return isFrame(value) || isRefusal(value) ? reading.number(readFrame(value, reading)) : undefined;
}

function isFrame(value: Value): boolean {
  if (value.kind !== 'dict' || findEntry(value, 'jsonrpc')) return false;
  return textIn(findEntry(value, 'object')) === 'response' || isResponsesRequest(value);
}

function isResponsesRequest(value: Value): boolean {
  const input = findEntry(value, 'input');
  if (findEntry(value, 'object') || findEntry(value, 'kind')) return false;
  return input?.kind === 'list' || (input?.kind === 'text' && looksLikeRequest(value));
}

/** Members of other formats whose objects may have a text `input`. */
const FOREIGN = ['type', 'method', 'trace_id'];

/** False for a text `input` with members of other formats. */
function looksLikeRequest(value: Value): boolean {
  return FOREIGN.every(name => !findEntry(value, name));
}

/** True for an error of the API itself: `{"error":{"message":…,"type":…}}`, without a response. */
function isRefusal(value: Value): boolean {
  const error = findEntry(value, 'error');
  return (
    value.kind === 'dict' &&
    value.entries.length === 1 &&
    findEntry(error, 'type') !== undefined &&
    findEntry(error, 'message') !== undefined
  );
}

function readFrame(value: Value, reading: Reading): Message {
  const members = new Members(value);
  if (isResponsesRequest(value)) return readRequest(members, reading);
  if (hasFailed(value)) return readFailure(members, reading, errorOf(value));
  noteIncomplete(value, reading.report);
  return readResponse(members, reading);
}

function readRequest(members: Members, reading: Reading): Message {
  const input = members.take('input');
  const items =
    input?.kind === 'text'
      ? [dictOf({ role: textValue('user'), content: input })]
      : input?.kind === 'list'
        ? input.items
        : [];
  const { kind, fields, left, source } = readRequestItems(readItems(items), 'responses', reading);
  // A call has no constraints, so its parameters stay members that only Responses has.
  const constraints = kind === 'task' ? takeParameters(members, RESPONSES_PARAMETERS) : undefined;
  members.put('input', left);
  members.put(ARGUMENTS, source);
  return foundMessage({ kind, fields: { ...fields, constraints }, rest: members.left() }, 'responses');
}

function readResponse(members: Members, reading: Reading): Message {
  const output = members.takeKind('output', 'list');
  const { kind, fields, left } = readReplyItems(readOutputItems(output?.items ?? []), 'responses');
  const text = textIn(fields.data);
  if (text !== undefined) members.takeWord('output_text', text);
  const id = takeReplyNumber(REPLY, members, reading);
  takeResponseDefaults(members, 'completed');
  members.put('output', left);
  return foundMessage({ kind, fields: { ...fields, id }, rest: members.left() }, 'responses');
}

function readFailure(members: Members, reading: Reading, failure: Value): Message {
  const error = members.take('error') ?? NULL;
  const inner = new Members(failure);
  const found = {
    code: inner.takeKind('code', 'text') ?? inner.takeKind('code', 'int'),
    text: inner.take('message'),
    data: inner.take('data'),
  };
  const id = takeReplyNumber(REPLY, members, reading);
  takeResponseDefaults(members, 'failed');
  members.put('error', error.kind === 'dict' ? inner.left() : error);
  const fields = { ...readError('responses', found, reading), id };
  return foundMessage({ kind: 'error', fields, rest: members.left() }, 'responses');
}

function write(sent: Message, writing: Writing): Value {
  const rest = restOf(sent, 'responses');
  const frame = isRequest(sent)
    ? writeRequest(sent, rest, writing)
    : sent.kind === 'error'
      ? writeFailure(sent, rest, writing)
      : writeResponse(sent, rest, writing);
  return withRest(frame, rest);
}

function writeRequest(sent: Message, rest: Members, writing: Writing): DictValue {
  const { model = rest.take('model'), ...parameters } = writeParameters(
    sent.fields.constraints,
    RESPONSES_PARAMETERS,
  );
  if (!model) writing.report.note('The request names no model; OpenAI requires `model`');
  if (sent.kind === 'call')
    writing.report.note(
      'OpenAI takes a function_call in the input only together with its function_call_output',
    );
  const left = rest.takeKind('input', 'dict');
  const items = itemsOfMessage(sent, 'responses', writing, { left, source: rest.take(ARGUMENTS) });
  const { task } = sent.fields;
  // A text beside a member of another format would not be read as a request again.
  const isText = !left && FOREIGN.every(name => !rest.peek(name));
  const input = task && isText ? task : listValue(writeAll(sent, items, writing));
  return dictOf({ model, input, ...parameters });
}

function writeAll(sent: Message, items: readonly Value[], { report }: Writing): readonly Value[] {
  return items.flatMap((item, index) => {
    const pathOf = pathOfItem(sent, index);
    return writeItem(item, (part, kind, reported) => report.lose(kind, pathOf(part), reported));
  });
}

function writeResponse(sent: Message, rest: Members, writing: Writing): DictValue {
  const left = rest.takeKind('output', 'dict');
  const items = itemsOfMessage(sent, 'responses', writing, { left });
  return responseFrame({
    id: replyName(REPLY, sent, writing.id),
    output: listValue(writeAll(sent, items, writing).map(withOwnMembers)),
  });
}

function writeFailure(sent: Message, rest: Members, writing: Writing): DictValue {
  const { code, text, data } = writeError(sent.fields, 'responses', writing);
  const left = rest.takeKind('error', 'dict')?.entries ?? [];
  const joined = joinEntries(dictOf({ code: code ?? NULL, message: textValue(text), data }).entries, left);
  return responseFrame({
    id: replyName(REPLY, sent, writing.id),
    status: textValue('failed'),
    error: dictValue(code ? joined : joined.filter(({ key, value }) => key !== 'code' || value !== NULL)),
  });
}
