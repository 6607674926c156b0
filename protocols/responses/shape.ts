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
} from '../conversation/meaning.ts';
import { errorOf, hasFailed, noteIncomplete } from '../conversation/ended.ts';
import { readMessage, unpack, ENVELOPE } from '../message/envelope.ts';
import { readError, writeError } from '../errors/errors.ts';
import { onlyText, withOwnMembers, withoutOwnMembers } from '../conversation/items.ts';
import { Members } from '../message/members.ts';
import {
  readItem,
  responseFrame,
  takeMetadata,
  takeResponseDefaults,
  writeItem,
  writeMetadata,
} from './frame.ts';
import { looksLikeResponses } from '../event-stream/marks.ts';
import type { ProtocolShape, Reading, Writing } from '../message/shape.ts';
import { responsesStream } from './stream.ts';
import { takeReplyName, takeReplyNumber } from '../conversation/shown.ts';
import { dictOf, joinEntries, writeVerified } from '../conversation/verified.ts';

const stream = responsesStream(read);

/**
 * OpenAI's Responses: a request is a task or a call, a response a result or an error. What a response has beside its output
 * is kept as it is and put back; the envelope is a text of JSON in the metadata, whose values are texts.
 */
export const responsesShape: ProtocolShape = {
  recognises,
  read,
  write: writeResponses,
  stream,
};

/** What replies are called, with a number. */
const REPLY = 'resp';

function recognises(value: Value): boolean {
  return isWhole(value) || stream.recognises(value);
}

/** True for a request or response by itself. */
function isWhole(value: Value): boolean {
  if (stream.recognises(value)) return false;
  return (isFrame(value) && looksLikeResponses(value)) || isRefusal(value);
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

/** An input that is a text is not enough to know a request by: many things have one. */
function looksLikeRequest(value: Value): boolean {
  return !findEntry(value, 'type') && !findEntry(value, 'method') && !findEntry(value, 'trace_id');
}

/** The error of the API itself: `{"error":{"message":…,"type":…}}`, without a response. */
function isRefusal(value: Value): boolean {
  const error = findEntry(value, 'error');
  return (
    value.kind === 'dict' &&
    value.entries.length === 1 &&
    findEntry(error, 'type') !== undefined &&
    findEntry(error, 'message') !== undefined
  );
}

interface Frame {
  readonly members: Members;
  readonly envelope: Value | undefined;
}

function readFrame(value: Value, reading: Reading): Message {
  const members = new Members(value);
  const frame = { members, envelope: takeMetadata(members) };
  if (isResponsesRequest(value)) return readRequest(frame, reading);
  if (hasFailed(value)) return readFailure(frame, reading, errorOf(value));
  noteIncomplete(value, reading.report);
  return readResponse(frame, reading);
}

function readRequest({ members, envelope }: Frame, reading: Reading): Message {
  const input = members.take('input');
  const items =
    input?.kind === 'text'
      ? [readItem(dictOf({ role: textValue('user'), content: input }))]
      : input?.kind === 'list'
        ? input.items.map(readItem)
        : [];
  const meaning = readRequestItems({ items, lefts: [] }, envelope, reading);
  const [left] = meaning.lefts;
  if (left) members.put('input', left);
  members.put(ENVELOPE_OF_REST, meaning.source);
  const { kind, fields } = meaning;
  const rest = members.left();
  return readMessage({ kind, fields, rest, envelope: meaning.envelope }, 'responses', reading.report);
}

/** Where the rest keeps the text of a call's arguments: `metadata` holds the envelope, so no member is in its way. */
const ENVELOPE_OF_REST = `${ENVELOPE}.arguments`;

function readResponse({ members, envelope }: Frame, reading: Reading): Message {
  const { report } = reading;
  const output = members.takeKind('output', 'list');
  const items = (output?.items ?? []).map((item, index) => withoutOwnMembers(readItem(item), index));
  const meaning = readReplyItems({ items, lefts: [] }, envelope);
  const text = onlyText(items, 'assistant');
  if (text) members.takeWord('output_text', textIn(text) ?? '');
  const id = takeReplyNumber(REPLY, { members, envelope }, reading);
  takeResponseDefaults(members, 'completed');
  const [left] = meaning.lefts;
  if (left) members.put('output', left);
  const fields = { ...meaning.fields, id };
  const rest = members.left();
  return readMessage({ kind: meaning.kind, fields, rest, envelope: meaning.envelope }, 'responses', report);
}

function readFailure({ members, envelope }: Frame, reading: Reading, said: Value): Message {
  const { report } = reading;
  const error = members.take('error') ?? NULL;
  const inner = new Members(said);
  const found = {
    code: inner.takeKind('code', 'text') ?? inner.takeKind('code', 'int'),
    text: inner.take('message'),
    data: inner.take('data'),
  };
  const id = takeReplyNumber(REPLY, { members, envelope }, reading);
  takeResponseDefaults(members, 'failed');
  members.put('error', error.kind === 'dict' ? inner.left() : error);
  const fields = { ...readError('responses', found, report), id };
  return readMessage({ kind: 'error', fields, rest: members.left(), envelope }, 'responses', report);
}

function writeResponses(given: Message, writing: Writing): Value {
  const named = withNamedArguments(given, writing);
  noteKind(named, 'Responses', writing);
  const natural = isRequest(named) ? writeRequest : named.kind === 'error' ? writeFailure : writeResponse;
  const ways = { natural: () => natural(named, writing), carrier: () => writeCarrier(named, writing) };
  return writeVerified(named, ways, { recognises: isWhole, read }, writing);
}

function writeRequest(given: Message, writing: Writing): Value {
  const open = unpack(given, 'responses');
  if (!open.rest.peek('model'))
    writing.report.note('The request names no model; OpenAI wants `model` before it is sent');
  if (given.kind === 'call')
    writing.report.note(
      'OpenAI takes a function_call in the input only together with its function_call_output',
    );
  const left = open.rest.takeKind('input', 'dict');
  const source = open.rest.take(ENVELOPE_OF_REST);
  const { items: plain, mark } = writeRequestItems(given, open, writing, source);
  const items = plain.map(item => writeItem(withLeft(item, left)));
  const text = left || given.fields.items ? undefined : onlyText(items, 'user');
  const envelope = envelopeOf(given, open, given.kind === 'call' ? 'call' : 'task', mark);
  const frame = dictOf({
    model: open.rest.take('model'),
    input: text ?? listValue(items),
    metadata: writeMetadata(open.rest.take('metadata'), envelope, writing),
  });
  return join(frame, open.rest);
}

function withLeft(item: Value, left: DictValue | undefined): Value {
  return left && item.kind === 'dict' ? dictValue(joinEntries(left.entries, item.entries)) : item;
}

function join(frame: Value, rest: Members): Value {
  return dictValue(joinEntries(frame.kind === 'dict' ? frame.entries : [], rest.entries()));
}

function writeResponse(given: Message, writing: Writing): Value {
  const open = unpack(given, 'responses');
  const left = open.rest.takeKind('output', 'dict');
  const { items: plain, mark } = writeReplyItems(given, open);
  const id = takeReplyName(REPLY, open.fields, open.rest, writing.id);
  const items = plain.map((item, index) => writeItem(withOwnMembers(withLeft(item, left), index)));
  const envelope = envelopeOf(given, open, 'result', mark);
  const frame = responseFrame({
    id,
    output: listValue(items),
    metadata: writeMetadata(open.rest.take('metadata'), envelope, writing),
  });
  return join(frame, open.rest);
}

function writeFailure(given: Message, writing: Writing): Value {
  const open = unpack(given, 'responses');
  const { code, text, data } = writeError(open.fields, 'responses', writing.report);
  const left = open.rest.takeKind('error', 'dict')?.entries ?? [];
  const error = dictOf({ code: code ?? NULL, message: textValue(text), data });
  const joined = joinEntries(error.kind === 'dict' ? error.entries : [], left);
  const id = takeReplyName(REPLY, open.fields, open.rest, writing.id);
  const envelope = envelopeOf(given, open, 'error');
  const frame = responseFrame({
    id,
    status: textValue('failed'),
    error: dictValue(code ? joined : joined.filter(({ key, value }) => key !== 'code' || value !== NULL)),
    metadata: writeMetadata(open.rest.take('metadata'), envelope, writing),
  });
  return join(frame, open.rest);
}

function writeCarrier(given: Message, writing: Writing): Value {
  if (!isRequest(given))
    return responseFrame({
      id: textValue(`${REPLY}_${writing.id}`),
      output: listValue([]),
      metadata: writeMetadata(undefined, wholeEnvelope(given, 'result'), writing),
    });
  // An envelope that says nothing still says that this is a request.
  const kind = dictOf({ kind: textValue(given.kind) });
  const metadata = writeMetadata(undefined, wholeEnvelope(given, 'task') ?? kind, writing);
  return dictOf({ input: listValue([]), metadata });
}
