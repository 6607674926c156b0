import {
  dictValue,
  intValue,
  listValue,
  NULL,
  textIn,
  textValue,
  type DictValue,
  type Entry,
  type Value,
} from '../../core/values/value.ts';
import { isSameValue } from '../../language/values/same-value.ts';
import { ENVELOPE } from '../message/envelope.ts';
import { textType } from '../conversation/items.ts';
import { Members } from '../message/members.ts';
import { dictOf, joinEntries, nullEntries, takeDefaults } from '../conversation/verified.ts';

/**
 * A message of the Agent API as a neutral item, and back. A message that is no item, and an item that is no message, stand
 * whole in one of the type `parley`; what a message has beside its item is kept apart and put back.
 */

/** An item, and the members that it has no place for. */
export interface ReadItem {
  readonly item: Value;
  readonly left: DictValue | undefined;
}

const STRANGE = textValue(ENVELOPE);

/** The item of a message. */
export function readAgentMessage(value: Value): ReadItem {
  if (value.kind !== 'dict') return { item: carry(value), left: undefined };
  const members = new Members(value);
  const type = textIn(members.peek('type') ?? textValue('message'));
  const only = members.peek(ENVELOPE);
  if (type === ENVELOPE && only) return { item: only, left: undefined };
  takeDefaults(members, MESSAGE_DEFAULTS);
  const head = value.entries.flatMap(({ key }): readonly Entry[] => {
    const found = HEAD.has(key) ? members.takeKind(key, 'text') : undefined;
    return found ? [{ key, value: found }] : [];
  });
  const id = textIn(head.find(({ key }) => key === 'id')?.value);
  const body = type === undefined ? undefined : readBody(type, members, id);
  if (!body) return { item: carry(value), left: undefined };
  if (!head.some(({ key }) => key === 'type')) head.push({ key: 'type', value: textValue(type ?? '') });
  return { item: dictValue([...head, ...body]), left: members.left() };
}

/** What stands before the body of an item and of its message, in the order that either has. */
const HEAD: ReadonlySet<string> = new Set(['id', 'status', 'type']);

function carry(value: Value): Value {
  return dictOf({ type: STRANGE, message: value });
}

/** Members that say nothing in a message. */
const MESSAGE_DEFAULTS: readonly Entry[] = [
  { key: 'object', value: textValue('message') },
  ...nullEntries('sequence_number', 'error', 'code', 'message', 'usage', 'metadata', 'status', 'id'),
];

/** Members that say nothing in a content. */
const CONTENT_DEFAULTS: readonly Entry[] = [
  { key: 'object', value: textValue('content') },
  { key: 'delta', value: { kind: 'bool', bool: false } },
  { key: 'status', value: textValue('completed') },
  ...nullEntries('sequence_number', 'error', 'index', 'delta', 'msg_id', 'status'),
];

type MessageId = string | undefined;

function readBody(type: string, members: Members, id: MessageId): readonly Entry[] | undefined {
  if (type === 'message') return readSpoken(members, id);
  if (type === 'reasoning') return readReasoning(members, id);
  return isCall(type) ? readCall(type, members, id) : undefined;
}

const CALL_TYPE = /_(?:call|call_output)$/;

/** True for the types whose one content is the data of a call or of its output. */
export function isCall(type: string): boolean {
  return CALL_TYPE.test(type);
}

/** Who speaks in a message of this type where nobody is named. */
export function defaultRole(type: string): string {
  return type.endsWith('_output') ? 'tool' : 'assistant';
}

function readSpoken(members: Members, id: MessageId): readonly Entry[] | undefined {
  const order = members.entries();
  const role = members.takeKind('role', 'text');
  const content = members.takeKind('content', 'list');
  if (!content) return undefined;
  const parts = content.items.map((part, index) => readPart(part, role?.text, openContent(part, index, id)));
  return spokenEntries(order, role, listValue(parts));
}

/** The role and the content in their order: OpenAI names the role of a message after its content, the Agent API before it. */
function spokenEntries(order: readonly Entry[], role: Value | undefined, content: Value): readonly Entry[] {
  const keys = order.map(({ key }) => key);
  const { entries } = dictValue([
    { key: 'role', value: role },
    { key: 'content', value: content },
  ]);
  return keys.indexOf('content') < keys.indexOf('role') ? entries.toReversed() : entries;
}

/** The members of a content that say something: not its place and its message again. */
function openContent(part: Value | undefined, index: number, id: MessageId): Members {
  const members = new Members(part);
  takeDefaults(members, CONTENT_DEFAULTS);
  takeDefaults(members, [{ key: 'index', value: intValue(index) }]);
  if (id !== undefined) members.takeWord('msg_id', id);
  return members;
}

function readPart(part: Value, role: string | undefined, members: Members): Value {
  const type = textIn(members.peek('type'));
  if (type === 'text' && members.takeWord('type', 'text'))
    return dictValue([{ key: 'type', value: textValue(textType(role)) }, ...members.entries()]);
  if (type === 'image' && members.takeWord('type', 'image'))
    return dictValue([{ key: 'type', value: textValue('input_image') }, ...members.entries()]);
  return part;
}

function readReasoning(members: Members, id: MessageId): readonly Entry[] | undefined {
  const role = members.takeWord('role', 'assistant');
  const content = members.takeKind('content', 'list');
  const texts = content?.items.map((part, index) => readText(openContent(part, index, id))) ?? [];
  if (!role || !content || texts.includes(undefined)) return undefined;
  const summary = texts.map(text => dictOf({ type: textValue('summary_text'), text }));
  return [{ key: 'summary', value: listValue(summary) }];
}

function readText(members: Members): Value | undefined {
  const text = members.takeWord('type', 'text') ? members.takeKind('text', 'text') : undefined;
  return members.size === 0 ? text : undefined;
}

function readCall(type: string, members: Members, id: MessageId): readonly Entry[] | undefined {
  const role = members.peek('role');
  if (!members.takeWord('role', defaultRole(type)) && role) return undefined;
  const data = lastData(members.take('content'), id);
  if (!data || data.entries.some(({ key }) => OWN_KEYS.has(key))) return undefined;
  return data.entries;
}

const OWN_KEYS = new Set(['id', 'type', 'status', 'role', 'content', 'summary']);

/** The data of a call: of several contents that name one call the last one, if the others say nothing else. */
function lastData(content: Value | undefined, id: MessageId): DictValue | undefined {
  if (content?.kind !== 'list') return undefined;
  const all = content.items.map((part, index) => dataOf(openContent(part, index, id)));
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

function dataOf(members: Members): DictValue | undefined {
  const data = members.takeWord('type', 'data') ? members.takeKind('data', 'dict') : undefined;
  return members.size === 0 ? data : undefined;
}

/** The message of an item, with the members that were left of it. */
export function writeAgentMessage(item: Value, left?: Value): Value {
  const natural = writeNatural(item);
  const back = natural && readAgentMessage(natural);
  if (!natural || !back || back.left || !isSameValue(back.item, item)) return writeStrange(item);
  return left?.kind === 'dict' ? dictValue(joinEntries(natural.entries, left.entries)) : natural;
}

function writeStrange(item: Value): Value {
  const members = new Members(item);
  const carried = members.takeWord('type', ENVELOPE) ? members.take('message') : undefined;
  if (carried && members.size === 0 && isSameValue(readAgentMessage(carried).item, item)) return carried;
  return dictOf({ object: textValue('message'), type: STRANGE, role: textValue('user'), [ENVELOPE]: item });
}

function writeNatural(item: Value): DictValue | undefined {
  const members = new Members(item);
  const type = members.peek('type');
  if (type?.kind !== 'text') return undefined;
  const head = item.kind === 'dict' ? item.entries.filter(({ key }) => HEAD.has(key)) : [];
  for (const { key } of head) members.take(key);
  const body = writeBody(type.text, members);
  if (!body || members.size > 0) return undefined;
  return dictValue([{ key: 'object', value: textValue('message') }, ...head, ...body]);
}

function writeBody(type: string, members: Members): readonly Entry[] | undefined {
  if (type === 'message') {
    const order = members.entries();
    const role = members.take('role');
    const content = members.takeKind('content', 'list');
    if (!content) return undefined;
    return spokenEntries(order, role, listValue(content.items.map(part => writePart(part, textIn(role)))));
  }
  const role = { key: 'role', value: textValue(defaultRole(type)) };
  if (type === 'reasoning') {
    const summary = members.takeKind('summary', 'list');
    if (!summary) return undefined;
    const parts = summary.items.map(part =>
      dictOf({ type: textValue('text'), text: new Members(part).take('text') ?? NULL }),
    );
    return [role, { key: 'content', value: listValue(parts) }];
  }
  if (!isCall(type)) return undefined;
  const data = dictValue(members.entries());
  for (const { key } of data.entries) members.take(key);
  return [role, { key: 'content', value: listValue([dictOf({ type: textValue('data'), data })]) }];
}

function writePart(part: Value, role: string | undefined): Value {
  const members = new Members(part);
  if (members.takeWord('type', textType(role)))
    return dictValue([{ key: 'type', value: textValue('text') }, ...members.entries()]);
  if (members.takeWord('type', 'input_image'))
    return dictValue([{ key: 'type', value: textValue('image') }, ...members.entries()]);
  return part;
}
