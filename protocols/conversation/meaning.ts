import { findMessageKind, type MessageKind } from '../../core/catalog/message-kinds.ts';
import { message, type Message } from '../../core/message/message.ts';
import {
  dictValue,
  findEntry,
  intValue,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type IntValue,
  type TextValue,
  type Value,
} from '../../core/values/value.ts';
import { canonical, contentOf } from '../content/canonical.ts';
import { messageItem } from '../content/flatten.ts';
import { writeParts } from '../content/part.ts';
import { dictOf, joinEntries } from '../message/dicts.ts';
import { Members } from '../message/members.ts';
import { asResult, asTask, constraintsAsData, toolsAsData } from '../message/nearest.ts';
import type { Found } from '../message/rest.ts';
import type { Reading, Writing } from '../message/shape.ts';
import { named } from '../tools/arguments.ts';
import type { Parameter } from './parameters.ts';
import { callItem, readCall, spokenBy } from './items.ts';

/**
 * The neutral message of a conversation, for the Agent API and Responses. One message of a user is a task,
 * one function call a call, one message of the assistant a result; all others keep their items.
 */

export interface Meaning {
  readonly kind: MessageKind;
  readonly fields: Found['fields'];
  /** The id, status and protocol-specific members of the only item. */
  readonly left: DictValue | undefined;
  /** The source text of a call's arguments, if serializing them gives another text. */
  readonly source?: Value | undefined;
}

/** Reads the items of a request. */
export function readRequestItems(
  items: readonly Value[],
  protocol: string,
  { numbers }: Pick<Reading, 'numbers'>,
): Meaning {
  const { item, left } = onlyItem(items, protocol);
  const call = readCall(item, numbers);
  if (call?.tool) {
    const { id, tool, source } = call;
    return { kind: 'call', fields: { id, tool, arguments: call.arguments }, left, source };
  }
  const parts = spokenBy(item, 'user');
  if (!parts) return { kind: 'task', fields: itemsOf(items), left: undefined };
  const { task, content } = canonical(message('task', { content: writeParts(parts) })).fields;
  return { kind: 'task', fields: { task, content }, left };
}

/** Reads the items of a reply. */
export function readReplyItems(items: readonly Value[], protocol: string): Meaning {
  const { item, left } = onlyItem(items, protocol);
  const parts = spokenBy(item, 'assistant');
  if (!parts) return { kind: 'result', fields: itemsOf(items), left: undefined };
  const { data, content } = canonical(message('result', { content: writeParts(parts) })).fields;
  return { kind: 'result', fields: { data, content }, left };
}

function itemsOf(items: readonly Value[]): Found['fields'] {
  return items.length === 0 ? {} : { items: listValue(items) };
}

/** The only item of a conversation, without its id, status and protocol-specific members, which are `left`. */
function onlyItem(
  items: readonly Value[],
  protocol: string,
): { readonly item?: Value | undefined; readonly left: DictValue | undefined } {
  const [only] = items;
  if (!only || items.length > 1) return { left: undefined };
  const members = new Members(only);
  const [id, status] = [members.take('id'), members.take('status')];
  const rest = findEntry(members.take('rest'), protocol);
  const more = rest?.kind === 'dict' ? rest.entries : [];
  const left = dictValue([...dictOf({ id, status }).entries, ...more]);
  return { item: members.left(), left: left.entries.length > 0 ? left : undefined };
}

/** Puts the members of `left` back into the only item. */
function withLeft(item: DictValue, left: Value | undefined, protocol: string): DictValue {
  if (left?.kind !== 'dict') return item;
  const isHead = (key: string): boolean => key === 'id' || key === 'status';
  const more = left.entries.filter(({ key }) => !isHead(key));
  return dictValue([
    ...left.entries.filter(({ key }) => isHead(key)),
    ...item.entries,
    ...(more.length > 0 ? [{ key: 'rest', value: dictOf({ [protocol]: dictValue(more) }) }] : []),
  ]);
}

/** The items of a message; `left` and `source` come from `Meaning`. */
export function itemsOfMessage(
  sent: Message,
  protocol: string,
  writing: Writing,
  { left, source }: { readonly left?: Value | undefined; readonly source?: Value | undefined },
): readonly Value[] {
  const { items, tool, id } = sent.fields;
  if (items?.kind === 'list') return items.items;
  if (sent.kind === 'call') {
    // A notification has no reply. Request numbers are counted from 1, so 0 is free.
    const number = id?.kind === 'null' ? intValue(0) : (id ?? intValue(writing.id));
    const call = { id: number, tool, arguments: sent.fields.arguments, source };
    return [withLeft(callItem(call, writing.numbers), left, protocol)];
  }
  const parts = writeParts(contentOf(sent).parts);
  const role = isRequest(sent) ? 'user' : 'assistant';
  return parts ? [withLeft(messageItem(role, parts), left, protocol)] : [];
}

/** The nearest message that is a conversation. */
export function asConversation(
  given: Message,
  title: string,
  protocol: string,
  parameters: readonly Parameter[],
  writing: Writing,
): Message {
  const { report, fixedParameters = [] } = writing;
  const known = parameters.map(each => ({ ...each, isFixed: fixedParameters.includes(each.constraint) }));
  if (given.kind === 'call') return named(given, protocol, writing);
  if (given.kind === 'error') return given;
  const task = constraintsAsData(asTask(given, title, report), title, report, known);
  return canonical(toolsAsData(asResult(task, title, report), title, report));
}

export function isRequest({ kind }: Message): boolean {
  return findMessageKind(kind)?.role === 'request';
}

/** The path of an item, or of the parts of a content, for reports. */
export function pathOfItem(sent: Message, index: number): (part: number) => string {
  return sent.fields.items ? () => `items[${index}]` : contentOf(sent).pathOf;
}

/**
 * The id of a reply, `resp_2`: a prefix and the number of its request, because ids must not be random here.
 * An id that is no such number is not written.
 */
export function replyName(prefix: string, { fields: { id } }: Message, own: number): TextValue {
  const number = id?.kind === 'int' && NUMBER.test(String(id.int)) ? id.int : own;
  return textValue(`${prefix}_${number}`);
}

const NUMBER = /^(?:0|[1-9]\d{0,14})$/;

/** Takes the number out of such an id; undefined for an id of another form. */
export function takeReplyNumber(
  prefix: string,
  members: Members,
  { hasForeignNames = false }: Pick<Reading, 'hasForeignNames'>,
): IntValue | undefined {
  if (hasForeignNames) return undefined;
  const name = textIn(members.peek('id'));
  const number = name?.startsWith(`${prefix}_`) ? name.slice(prefix.length + 1) : '';
  if (!NUMBER.test(number)) return undefined;
  members.take('id');
  return intValue(Number(number));
}

/** A frame with the members that only its protocol has. */
export function withRest(frame: DictValue, rest: Members): Value {
  return dictValue(
    joinEntries(
      frame.entries,
      rest.entries().filter(({ key }) => !key.startsWith('$')),
    ),
  );
}
