import {
  dictValue,
  findEntry,
  intValue,
  textIn,
  textValue,
  type DictValue,
  type Entry,
  type Value,
} from '../../core/values/value.ts';
import { isSameValue } from '../../language/values/same-value.ts';
import { readParts, type Part } from '../content/part.ts';
import { dictOf } from '../message/dicts.ts';
import { Members } from '../message/members.ts';
import type { TextNumbers } from '../message/shape.ts';
import { compactJson } from '../../language/values/json-printer.ts';
import { readJsonValue } from '../../language/values/json-reader.ts';

/**
 * The items of a conversation as neutral values: messages with a role and parts, function calls, their outputs, reasoning,
 * and whatever else there is, by `type`. Members that say nothing are left out, and what only one protocol knows stands in
 * `rest`.
 */

/** What a message of this role says that says nothing else; undefined for any other item. */
export function spokenBy(item: Value | undefined, role: 'user' | 'assistant'): readonly Part[] | undefined {
  const members = new Members(item);
  if (!members.takeWord('type', 'message') || !members.takeWord('role', role)) return undefined;
  const content = members.takeKind('content', 'list');
  return members.size === 0 ? readParts(content) : undefined;
}

/** A function call with its arguments read. */
export interface Call {
  readonly id: Value | undefined;
  readonly tool: Value | undefined;
  readonly arguments: Value | undefined;
  /** The text of the arguments where printing them gives another one. */
  readonly source?: Value | undefined;
}

/** An item that is a function call and nothing more, as a call; undefined for any other. */
export function readCall(item: Value | undefined, numbers: TextNumbers = 'digits'): Call | undefined {
  const members = new Members(item);
  if (!members.takeWord('type', 'function_call')) return undefined;
  const call = { id: members.take('call_id'), tool: members.take('name'), text: members.take('arguments') };
  if (members.size > 0) return undefined;
  const read = readArguments(call.text);
  const isOther = read !== call.text && read && compactJson(read, numbers) !== textIn(call.text);
  return {
    id: call.id && readCallId(call.id),
    tool: call.tool,
    arguments: read,
    source: isOther ? call.text : undefined,
  };
}

/** A function call, which has an id and arguments; `source` counts if it says the same as the arguments. */
export function callItem(call: Call, numbers: TextNumbers = 'digits'): DictValue {
  const { id, tool, source } = call;
  const given = call.arguments ?? dictValue([]);
  const said = source && readArguments(source);
  const isSame = said !== undefined && isSameValue(said, given);
  return dictOf({
    type: textValue('function_call'),
    call_id: id && writeCallId(id),
    name: tool,
    arguments: isSame ? source : given.kind === 'dict' ? textValue(compactJson(given, numbers)) : given,
  });
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
function ownId(item: Value, index: number): string {
  const type = textIn(findEntry(item, 'type'));
  return `${SHORT.get(type ?? '') ?? 'item'}_${index + 1}`;
}

const SHORT: ReadonlyMap<string, string> = new Map([
  ['message', 'msg'],
  ['function_call', 'fc'],
  ['function_call_output', 'fco'],
  ['reasoning', 'rs'],
  ['image_generation_call', 'ig'],
]);

/** A dictionary with other values; entries without one are left out. The same object where nothing changes. */
function mapEntries(dict: DictValue, change: (entry: Entry) => Value | undefined): DictValue {
  const mapped = dict.entries.map(entry => ({ key: entry.key, value: change(entry) }));
  return mapped.every((entry, index) => entry.value === dict.entries[index]?.value)
    ? dict
    : dictValue(mapped);
}
