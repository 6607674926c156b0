import {
  dictValue,
  findEntry,
  intValue,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type Entry,
  type Value,
} from '../../core/values/value.ts';
import { isSameValue } from '../message/same-value.ts';
import { WHOLE_ITEM } from '../content/canonical.ts';
import { decodePart, encodeParts, type LoseAt } from '../content/codec.ts';
import { onlyPlain, readParts, writeParts } from '../content/part.ts';
import { dictOf, joinEntries, nullEntries, takeDefaults } from '../message/dicts.ts';
import { Members } from '../message/members.ts';
import { compactJson } from '../../language/values/json-printer.ts';
import { agentParts } from './parts.ts';

/**
 * Converts between a message of the Agent API and a neutral item. Members of the message that the item lacks
 * go to its `rest`; a message that is no item goes there whole.
 */

/** The type of messages in the specification's examples of streams; elsewhere it is `message`. */
const ASSISTANT = 'assistant';

/** Reads a message as an item. */
export function readAgentMessage(value: Value): Value {
  const members = new Members(value);
  const stated = textIn(members.peek('type') ?? textValue('message'));
  const type = stated === ASSISTANT ? 'message' : stated;
  takeDefaults(members, MESSAGE_DEFAULTS);
  members.take('type');
  const [id, status] = [members.takeKind('id', 'text'), members.takeKind('status', 'text')];
  const body = type === undefined || value.kind !== 'dict' ? undefined : readBody(type, members, id?.text);
  if (!body) return dictOf({ type: textValue(type ?? ''), rest: ofAgent(dictOf({ [WHOLE_ITEM]: value })) });
  // The id of an approval request is that of its data, as in Responses; the message has another one.
  if (body.id) members.put('id', id);
  const left = members.left();
  return dictOf({ id, status, type: textValue(type ?? ''), ...body, rest: left && ofAgent(left) });
}

function ofAgent(rest: DictValue): DictValue {
  return dictOf({ 'agent-api': rest });
}

/** Members of a message with these values are omitted from its item. */
const MESSAGE_DEFAULTS: readonly Entry[] = [
  { key: 'object', value: textValue('message') },
  ...nullEntries('sequence_number', 'error', 'code', 'message', 'usage', 'metadata', 'status', 'id'),
];

/** Members of a content with these values are omitted. */
const CONTENT_DEFAULTS: readonly Entry[] = [
  { key: 'object', value: textValue('content') },
  { key: 'delta', value: { kind: 'bool', bool: false } },
  { key: 'status', value: textValue('completed') },
  ...nullEntries('sequence_number', 'error', 'index', 'delta', 'msg_id', 'status'),
];

type MessageId = string | undefined;
type Body = Readonly<Record<string, Value | undefined>>;

function readBody(type: string, members: Members, id: MessageId): Body | undefined {
  const content = members.peek('content');
  if (content?.kind !== 'list' || !content.items.every(item => item.kind === 'dict')) return undefined;
  const opened = content.items.map((part, index) => openContent(part, index, id));
  return type === 'message'
    ? readSpoken(members, opened)
    : type === 'reasoning'
      ? readReasoning(members, opened)
      : readData(type, members, opened);
}

/** The members of a content without the defaults, and without its index and message id. */
function openContent(part: Value, index: number, id: MessageId): DictValue {
  const members = new Members(part);
  takeDefaults(members, CONTENT_DEFAULTS);
  takeDefaults(members, [{ key: 'index', value: intValue(index) }]);
  if (id !== undefined) members.takeWord('msg_id', id);
  return dictValue(members.entries());
}

/** The role of a message of this type that names none. */
export function defaultRole(type: string): string {
  if (type === 'mcp_approval_response') return 'user';
  return type.endsWith('_output') ? 'tool' : 'assistant';
}

function readSpoken(members: Members, contents: readonly DictValue[]): Body {
  members.take('content');
  const parts = contents.map(content => decodePart(content, agentParts));
  return { role: members.takeKind('role', 'text'), content: writeParts(parts) ?? listValue([]) };
}

function readReasoning(members: Members, contents: readonly DictValue[]): Body | undefined {
  const texts = contents.map(content => onlyPlain([decodePart(content, agentParts)], 'text'));
  if (textIn(members.peek('role')) !== 'assistant' || texts.includes(undefined)) return undefined;
  members.take('role');
  members.take('content');
  return { summary: listValue(texts.map(text => dictOf({ type: textValue('summary_text'), text }))) };
}

/** Reads a message of another type, such as a call or its output, as the data of its one content. */
function readData(type: string, members: Members, contents: readonly DictValue[]): Body | undefined {
  const role = members.peek('role');
  const data = lastData(contents);
  if (!data || (role && textIn(role) !== defaultRole(type))) return undefined;
  const isRequest = type === APPROVAL_REQUEST;
  if (data.entries.some(({ key }) => OWN_KEYS.has(key) && !(isRequest && key === 'id'))) return undefined;
  if (isRequest && findEntry(data, 'id')?.kind !== 'text') return undefined;
  members.take('role');
  members.take('content');
  return Object.fromEntries(data.entries.map(({ key, value }) => [key, value]));
}

const APPROVAL_REQUEST = 'mcp_approval_request';

const OWN_KEYS = new Set(['id', 'type', 'status', 'role', 'content', 'summary', 'rest']);

/** The data of the last content; undefined if an earlier content differs from it in more than empty arguments. */
function lastData(contents: readonly DictValue[]): DictValue | undefined {
  const all = contents.map(dataOf);
  const last = all.at(-1);
  if (!last) return undefined;
  const isBefore = (data: DictValue | undefined): boolean =>
    data !== undefined &&
    isSameValue(withoutArguments(data), withoutArguments(last)) &&
    data.entries.some(({ key, value }) => key === 'arguments' && textIn(value) === '');
  return all.slice(0, -1).every(isBefore) ? last : undefined;
}

function withoutArguments(data: DictValue): Value {
  return dictValue(data.entries.filter(({ key }) => key !== 'arguments'));
}

function dataOf(content: DictValue): DictValue | undefined {
  const data = onlyPlain([decodePart(content, agentParts)], 'data');
  return data?.kind === 'dict' ? data : undefined;
}

/** Writes an item as a message. */
export function writeAgentMessage(item: Value, lose: LoseAt): Value {
  const members = new Members(item);
  const own = findEntry(members.take('rest'), 'agent-api');
  const whole = findEntry(own, WHOLE_ITEM);
  if (whole) return whole;
  const type = textIn(members.take('type')) ?? 'message';
  // The id of an approval request is a member of its data.
  const id = type === APPROVAL_REQUEST ? undefined : members.take('id');
  const status = members.take('status');
  const head = { object: textValue('message'), id, status, type: textValue(type) };
  const written = dictOf({ ...head, ...writeBody(type, members, lose) });
  return own?.kind === 'dict' ? dictValue(joinEntries(written.entries, own.entries)) : written;
}

function writeBody(type: string, members: Members, lose: LoseAt): Body {
  const parts = readParts(members.peek('content'));
  if (type === 'message' && parts)
    return { role: members.take('role'), content: encodeParts(parts, agentParts, lose) };
  const role = textValue(defaultRole(type));
  const summary = members.peek('summary');
  if (type === 'reasoning' && summary?.kind === 'list') {
    const texts = summary.items.map(part => findEntry(part, 'text') ?? textValue(''));
    return { role, content: listValue(texts.map(text => dictOf({ type: textValue('text'), text }))) };
  }
  const data = dictValue(
    members
      .entries()
      .map(({ key, value }) => ({ key, value: key === 'output' ? outputOf(value, lose) : value })),
  );
  return { role, content: listValue([dictOf({ type: textValue('data'), data })]) };
}

/** The output of a call, which is a text in the Agent API. */
function outputOf(output: Value, lose: LoseAt): Value {
  if (!readParts(output)) return output;
  lose(0, 'moved', 'The output of a call in the Agent API is a text; its parts are JSON there');
  return textValue(compactJson(output, 'written'));
}
