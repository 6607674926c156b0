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
import { isSameValue } from '../message/same-value.ts';
import { readParts, type Part } from '../content/part.ts';
import { dictOf } from '../message/dicts.ts';
import { Members } from '../message/members.ts';
import type { TextNumbers } from '../message/shape.ts';
import { compactJson } from '../../language/values/json-printer.ts';
import { readJsonValue } from '../../language/values/json-reader.ts';

/**
 * The items of a conversation as neutral values: messages with a role and parts, function calls, their
 * outputs, reasoning, and any others, by `type`. Members without information are left out; those that only
 * one protocol has are in `rest`.
 */

/** The parts of a message item with this role and no other members; undefined for any other item. */
export function spokenBy(item: Value | undefined, role: 'user' | 'assistant'): readonly Part[] | undefined {
  const members = new Members(item);
  if (!members.takeWord('type', 'message') || !members.takeWord('role', role)) return undefined;
  const content = members.takeKind('content', 'list');
  return members.size === 0 ? readParts(content) : undefined;
}

/** A function call with parsed arguments. */
export interface Call {
  readonly id: Value | undefined;
  readonly tool: Value | undefined;
  readonly arguments: Value | undefined;
  /** The source text of the arguments, if serializing them gives another text. */
  readonly source?: Value | undefined;
}

/** Reads an item that is a function call without other members; undefined for any other. */
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

/** Writes a function call; `source` is used as the arguments if it has the same value. */
export function callItem(call: Call, numbers: TextNumbers = 'digits'): DictValue {
  const { id, tool, source } = call;
  const given = call.arguments ?? dictValue([]);
  const stated = source && readArguments(source);
  const isSame = stated !== undefined && isSameValue(stated, given);
  return dictOf({
    type: textValue('function_call'),
    call_id: id && writeCallId(id),
    name: tool,
    arguments: isSame ? source : given.kind === 'dict' ? textValue(compactJson(given, numbers)) : given,
  });
}

/** Parses arguments that are a JSON object; any other text is returned unchanged. */
function readArguments(text: Value | undefined): Value | undefined {
  const source = textIn(text);
  if (source === undefined || !/^\s*\{/.test(source)) return text;
  return readJsonValue(source) ?? text;
}

const CALL_ID = /^call_(0|[1-9]\d{0,14})$/;

/** The number of a call id that `writeCallId` made, else the id itself. */
function readCallId(id: Value): Value {
  const number = CALL_ID.exec(textIn(id) ?? '')?.[1];
  return number === undefined ? id : intValue(Number(number));
}

function writeCallId(id: Value): Value {
  return id.kind === 'int' ? textValue(`call_${id.int}`) : id;
}

/** Removes the id and the status that `withOwnMembers` adds to an item of a reply. */
export function withoutOwnMembers(item: Value, index: number): Value {
  if (item.kind !== 'dict') return item;
  return mapEntries(item, ({ key, value }) => {
    if (key === 'id' && textIn(value) === ownId(item, index)) return undefined;
    return key === 'status' && textIn(value) === 'completed' ? undefined : value;
  });
}

/** Adds the id and the status that its protocol requires to an item of a reply, if it lacks them. */
export function withOwnMembers(item: Value, index: number): Value {
  if (item.kind !== 'dict') return item;
  const own = [
    { key: 'id', value: textValue(ownId(item, index)) },
    { key: 'status', value: textValue('completed') },
  ];
  return dictValue([...own.filter(({ key }) => !findEntry(item, key)), ...item.entries]);
}

/** `msg_1`: the id of an item, made from its position, because ids must not be random here. */
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

/** Maps the values of a dictionary; undefined removes an entry. Returns the same object if nothing changes. */
function mapEntries(dict: DictValue, change: (entry: Entry) => Value | undefined): DictValue {
  const mapped = dict.entries.map(entry => ({ key: entry.key, value: change(entry) }));
  return mapped.every((entry, index) => entry.value === dict.entries[index]?.value)
    ? dict
    : dictValue(mapped);
}
