import { findMessageKind, type MessageField, type MessageKind } from '../../core/catalog/message-kinds.ts';
import type { Message } from '../../core/message/message.ts';
import {
  dictValue,
  findEntry,
  intValue,
  listValue,
  textIn,
  type Entry,
  type Value,
} from '../../core/values/value.ts';
import { nameArguments } from '../tools/arguments.ts';
import { packEnvelope, type Found, type Leftovers } from '../message/envelope.ts';
import { callItem, onlyCall, onlyText, textItem, type OnlyCall } from './items.ts';
import { Members } from '../message/members.ts';
import type { Reading, Writing } from '../message/shape.ts';
import { NO_ARGUMENTS_MARK, readShown, takeNoArguments, takeShown } from './shown.ts';
import { joinEntries } from './verified.ts';

/**
 * What a conversation of neutral items means, for both protocols that have conversations. One text of a user is a task, one
 * function call is a call, one text of the assistant is a result; all others keep their items.
 */

/** Items with what stood beside each. */
export interface ItemList {
  readonly items: readonly Value[];
  readonly lefts: readonly (Value | undefined)[];
}

export interface Meaning {
  readonly kind: MessageKind;
  readonly fields: Found['fields'];
  readonly lefts: readonly (Value | undefined)[];
  /** The text of a call's arguments where printing them gives another one. */
  readonly source?: Value | undefined;
  /** The envelope without the mark that says what a text stands for. */
  readonly envelope: Value | undefined;
}

/** What a request says by its items. */
export function readRequestItems(
  given: ItemList,
  envelope: Value | undefined,
  { numbers }: Pick<Reading, 'numbers'>,
): Meaning {
  const { items, lefts } = plainer(given, only => onlyText(only, 'user') ?? onlyCall(only)?.tool);
  const call = onlyCall(items, numbers);
  if (call) return readCall(call, lefts, envelope);
  const text = onlyText(items, 'user');
  const shown = readMarked(text, envelope);
  if (shown) return { kind: 'task', ...shown, lefts };
  const isQuery = textIn(findEntry(envelope, 'kind')) === 'query';
  if (text) return { kind: 'task', fields: isQuery ? { query: text } : { task: text }, lefts, envelope };
  return { kind: 'task', fields: items.length === 0 ? {} : { items: listValue(items) }, lefts, envelope };
}

function readCall(call: OnlyCall, lefts: ItemList['lefts'], envelope: Value | undefined): Meaning {
  const marks = new Members(envelope);
  const isBare = isEmptyDict(call.arguments) && takeNoArguments(marks);
  const isNotified = findEntry(envelope, 'id')?.kind === 'null' && isZero(call.id);
  return {
    kind: 'call',
    fields: {
      id: isNotified ? undefined : call.id,
      tool: call.tool,
      arguments: isBare ? undefined : call.arguments,
    },
    lefts,
    source: call.source,
    envelope: isBare ? marks.left() : envelope,
  };
}

function isEmptyDict(value: Value | undefined): boolean {
  return value?.kind === 'dict' && value.entries.length === 0;
}

function isZero(value: Value | undefined): boolean {
  return value?.kind === 'int' && value.int === 0;
}

/** The fields that a text stands for by a mark in the envelope, and the envelope without it. */
function readMarked(
  text: Value | undefined,
  envelope: Value | undefined,
): Pick<Meaning, 'fields' | 'envelope'> | undefined {
  if (!text || envelope?.kind !== 'dict') return undefined;
  const marks = new Members(envelope);
  const fields = readShown(text, marks);
  return fields && { fields, envelope: marks.left() };
}

/** What a reply says by its items. */
export function readReplyItems(given: ItemList, envelope: Value | undefined): Meaning {
  const { items, lefts } = plainer(given, only => onlyText(only, 'assistant'));
  const text = onlyText(items, 'assistant');
  const shown = readMarked(text, envelope);
  if (shown) return { kind: 'result', ...shown, lefts };
  if (text) return { kind: 'result', fields: { data: text }, lefts, envelope };
  return { kind: 'result', fields: items.length === 0 ? {} : { items: listValue(items) }, lefts, envelope };
}

/** Sets the id and the status of a lone item aside where the rest of it is plain. */
function plainer(given: ItemList, isPlain: (items: readonly Value[]) => unknown): ItemList {
  const [item] = given.items;
  if (given.items.length !== 1 || item?.kind !== 'dict') return given;
  const members = new Members(item);
  const aside = ['id', 'status'].flatMap(key => {
    const value = members.take(key);
    return value ? [{ key, value }] : [];
  });
  const left = members.left();
  if (aside.length === 0 || !left || isPlain([left]) === undefined) return given;
  const [before] = given.lefts;
  const joined = joinEntries(aside, before?.kind === 'dict' ? before.entries : []);
  return { items: [left], lefts: [dictValue(joined)] };
}

/** Items of a conversation, and what the envelope has to say of them. */
export interface WrittenItems {
  readonly items: readonly Value[];
  readonly mark: Entry | undefined;
}

const NO_ITEMS: WrittenItems = { items: [], mark: undefined };

/** The items of a request, taken from its fields. */
export function writeRequestItems(
  { kind }: Message,
  { fields }: Leftovers,
  writing: Writing,
  source: Value | undefined,
): WrittenItems {
  if (kind === 'call') return writeCall(fields, writing, source);
  const items = kind === 'task' ? fields.takeKind('items', 'list') : undefined;
  if (items) return { items: items.items, mark: undefined };
  const text = kind === 'task' || kind === 'query' ? fields.takeKind(kind, 'text') : undefined;
  if (text) return { items: [textItem('user', text)], mark: undefined };
  return writeShown('user', kind, fields);
}

/** A call has an id and arguments whatever the message says, because OpenAI refuses one without. */
function writeCall(fields: Leftovers['fields'], writing: Writing, source: Value | undefined): WrittenItems {
  // Nobody answers a notification. No request has the number 0 but by its own choice.
  const isNotified = fields.peek('id')?.kind === 'null';
  const id = isNotified ? intValue(0) : (fields.take('id') ?? intValue(writing.id));
  const given = fields.take('arguments');
  const call = { id, tool: fields.take('tool'), arguments: given ?? dictValue([]), source };
  const item = callItem(call, writing.numbers);
  return { items: [item], mark: given ? undefined : NO_ARGUMENTS_MARK };
}

function writeShown(
  role: 'user' | 'assistant',
  kind: MessageKind,
  fields: Leftovers['fields'],
): WrittenItems {
  const shown = takeShown(kind, fields);
  return shown ? { items: [textItem(role, shown.text)], mark: shown.mark } : NO_ITEMS;
}

/** The items of a reply, taken from its fields. */
export function writeReplyItems({ kind }: Message, { fields }: Leftovers): WrittenItems {
  const items = fields.takeKind('items', 'list');
  if (items) return { items: items.items, mark: undefined };
  const data = fields.takeKind('data', 'text');
  if (data) return { items: [textItem('assistant', data)], mark: undefined };
  return writeShown('assistant', kind, fields);
}

/** The envelope of a message whose frame and fields say that it is of the kind `natural`. */
export function envelopeOf(
  { kind }: Message,
  open: Leftovers,
  natural: MessageKind,
  mark?: Entry,
): ReturnType<typeof packEnvelope> {
  const packed = packEnvelope(open, kind === natural ? undefined : kind);
  return mark ? dictValue([...(packed?.entries ?? []), mark]) : packed;
}

/** The envelope that holds a whole message, but for a field that its frame has. */
export function wholeEnvelope(
  given: Message,
  natural: MessageKind,
  except?: MessageField,
): ReturnType<typeof packEnvelope> {
  const entries = Object.entries(given.fields)
    .filter(([key]) => key !== except)
    .map(([key, value]) => ({ key, value }));
  const fields = new Members<MessageField>(dictValue(entries));
  return envelopeOf(given, { fields, rest: new Members(undefined) }, natural);
}

/** The message with its arguments by name, which is how these protocols have them, and with the mark that says so. */
export function withNamedArguments(given: Message, writing: Writing): Message {
  const list = given.fields.arguments;
  if (given.kind !== 'call' || list?.kind !== 'list' || list.items.length === 0) return given;
  const entries = Object.entries(given.fields).map(([key, value]) => ({ key, value }));
  const fields = new Members<MessageField>(dictValue(entries));
  const named = nameArguments(fields, writing);
  // A message of `message` would take the mark off again.
  const mark = fields.peek('byPlace');
  return {
    kind: given.kind,
    fields: { ...given.fields, ...(named && { arguments: named }), ...(mark && { byPlace: mark }) },
  };
}

/** True for a message that is a request. */
export function isRequest({ kind }: Message): boolean {
  return findMessageKind(kind)?.role === 'request';
}

/** Says what a person should know of a request that the protocol has no message for. */
export function noteKind({ kind }: Message, title: string, writing: Writing): void {
  if (kind === 'list' || kind === 'describe' || kind === 'negotiate')
    writing.report.note(
      `${title} has no message of the kind ${kind}: it is written as a message that says so, and agents answer in their own words`,
    );
}
