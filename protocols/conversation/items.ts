import {
  dictValue,
  findEntry,
  intValue,
  listValue,
  NULL,
  textIn,
  textValue,
  type DictValue,
  type Entry,
  type ListValue,
  type Value,
} from '../../core/values/value.ts';
import { isSameValue } from '../../language/values/same-value.ts';
import { compactJson } from '../../language/values/json-printer.ts';
import { readJsonValue } from '../../language/values/json-reader.ts';
import { Members } from '../message/members.ts';
import type { TextNumbers } from '../message/shape.ts';
import { dictOf } from './verified.ts';

/**
 * The items of a conversation as neutral values, in the form that OpenAI's Responses has for them: messages with a role and
 * parts, function calls, their outputs, reasoning, and whatever else there is, by `type`. Members that say nothing are
 * left out: empty annotations, and the id and status that an item of a reply is written with anyhow.
 */

/** The only text of a conversation that is one message of this role with one text and nothing more. */
export function onlyText(items: readonly Value[], role: 'user' | 'assistant'): Value | undefined {
  const [item, ...others] = items;
  if (!item || others.length > 0) return undefined;
  const members = new Members(item);
  if (!members.takeWord('type', 'message') || !members.takeWord('role', role)) return undefined;
  const content = members.takeKind('content', 'list');
  const [part] = content?.items ?? [];
  if (members.size > 0 || content?.items.length !== 1) return undefined;
  const inner = new Members(part);
  const text = inner.takeWord('type', textType(role)) ? inner.takeKind('text', 'text') : undefined;
  return inner.size === 0 ? text : undefined;
}

/** A message with one text. */
export function textItem(role: 'user' | 'assistant', text: Value): Value {
  const part = dictOf({ type: textValue(textType(role)), text });
  return dictOf({ type: textValue('message'), role: textValue(role), content: listValue([part]) });
}

/** What a text is called in a message of this role. */
export function textType(role: string | undefined): string {
  return role === 'assistant' ? 'output_text' : 'input_text';
}

/** The only function call of a conversation that is nothing else, with its arguments read. */
export interface OnlyCall {
  readonly id: Value | undefined;
  readonly tool: Value | undefined;
  readonly arguments: Value | undefined;
  /** The text of the arguments where printing them gives another one. */
  readonly source: Value | undefined;
}

/** A conversation that is one function call and nothing more, as a call; undefined for any other. */
export function onlyCall(items: readonly Value[], numbers: TextNumbers = 'digits'): OnlyCall | undefined {
  const [item, ...others] = items;
  if (!item || others.length > 0) return undefined;
  const members = new Members(item);
  if (!members.takeWord('type', 'function_call')) return undefined;
  const call = { id: members.take('call_id'), tool: members.take('name'), text: members.take('arguments') };
  if (members.size > 0) return undefined;
  const read = readArguments(call.text);
  const source = call.text && read && read !== call.text && compactJson(read, numbers) !== textIn(call.text);
  return {
    id: call.id && readCallId(call.id),
    tool: call.tool,
    arguments: read,
    source: source ? call.text : undefined,
  };
}

/** A function call; `source` counts if it says the same as the arguments. */
export function callItem(
  { id, tool, arguments: given, source }: OnlyCall,
  numbers: TextNumbers = 'digits',
): Value {
  const isSame = source !== undefined && given !== undefined && isSameAs(readArguments(source), given);
  return dictOf({
    type: textValue('function_call'),
    call_id: id && writeCallId(id),
    name: tool,
    arguments: isSame ? source : given?.kind === 'dict' ? textValue(compactJson(given, numbers)) : given,
  });
}

function isSameAs(one: Value | undefined, other: Value): boolean {
  return one !== undefined && isSameValue(one, other);
}

/** Arguments that are the JSON of an object as a dictionary; any other text as it is. */
function readArguments(text: Value | undefined): Value | undefined {
  const source = textIn(text);
  if (source === undefined || !/^\s*\{/.test(source)) return text;
  return readJsonValue(source) ?? text;
}

const CALL_ID = /^call_(0|[1-9]\d{0,14})$/;

/** The number of a call id of ours, else the id itself. */
function readCallId(id: Value): Value {
  const number = CALL_ID.exec(textIn(id) ?? '')?.[1];
  return number === undefined ? id : intValue(Number(number));
}

function writeCallId(id: Value): Value {
  return id.kind === 'int' ? textValue(`call_${id.int}`) : id;
}

/** A value as JSON on one line. */
export function showValue(value: Value | undefined): string {
  if (!value) return '';
  return compactJson(value);
}

/** What a text says of a value that stays in the envelope, so that people and agents can read it. */
export function shownText(value: Value): Value {
  return value.kind === 'text' ? value : textValue(showValue(value));
}

/** Takes the id and the status off that `withOwnMembers` gives to an item of a reply. */
export function withoutOwnMembers(item: Value, index: number): Value {
  if (item.kind !== 'dict') return item;
  return mapEntries(item, ({ key, value }) => {
    if (key === 'id' && textIn(value) === ownId(item, index)) return undefined;
    return key === 'status' && textIn(value) === 'completed' ? undefined : value;
  });
}

/** An item of a reply with the id and the status that its protocol wants, where it names none. */
export function withOwnMembers(item: Value, index: number): Value {
  if (item.kind !== 'dict') return item;
  const own = [
    { key: 'id', value: textValue(ownId(item, index)) },
    { key: 'status', value: textValue('completed') },
  ];
  return dictValue([...own.filter(({ key }) => !findEntry(item, key)), ...item.entries]);
}

/** `msg_1`: what an item is called by its place, because nothing here is made up by chance. */
export function ownId(item: Value, index: number): string {
  const type = textIn(findEntry(item, 'type'));
  const short = new Map([
    ['message', 'msg'],
    ['function_call', 'fc'],
    ['function_call_output', 'fco'],
    ['reasoning', 'rs'],
  ]);
  return `${short.get(type ?? '') ?? 'item'}_${index + 1}`;
}

/** A dictionary with other values; entries without one are left out. The same object where nothing changes. */
export function mapEntries(dict: DictValue, change: (entry: Entry) => Value | undefined): DictValue {
  const mapped = dict.entries.map(entry => ({ key: entry.key, value: change(entry) }));
  return mapped.every((entry, index) => entry.value === dict.entries[index]?.value)
    ? dict
    : dictValue(mapped);
}

/** What was left of each item, where anything was. */
export function leftoverList(lefts: readonly (Value | undefined)[]): ListValue | undefined {
  return lefts.some(left => left !== undefined) ? listValue(lefts.map(left => left ?? NULL)) : undefined;
}
