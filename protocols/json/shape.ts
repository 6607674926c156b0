import { findMessageField, findMessageKind, type MessageField } from '../../core/catalog/message-kinds.ts';
import { fieldNames, message, type Message } from '../../core/message/message.ts';
import { dictValue, findEntry, textIn, textValue, type Entry, type Value } from '../../core/values/value.ts';
import { joinDicts, readMessage, unpack } from '../message/envelope.ts';
import type { ProtocolShape, Reading } from '../message/shape.ts';

/** Plain typed JSON: the neutral message itself, its kind first. It holds all that a message says. */
export const jsonShape: ProtocolShape = { recognises, read, write };

function recognises(value: Value): boolean {
  return value.kind === 'dict' && findMessageKind(textIn(findEntry(value, 'kind'))) !== undefined;
}

function read(value: Value, reading: Reading): Message | undefined {
  const kind = findMessageKind(textIn(findEntry(value, 'kind')))?.name;
  if (!kind || value.kind !== 'dict') return undefined;
  const fields: Partial<Record<MessageField, Value>> = {};
  const left: Entry[] = [];
  for (const entry of value.entries) {
    const name = findMessageField(entry.key);
    if (name) fields[name] = entry.value;
    else if (entry.key !== 'kind') left.push(entry);
  }
  if (left.length === 0) return reading.number(message(kind, fields));
  // The message is its own envelope.
  const envelope = dictValue(Object.entries(fields).map(([key, value]) => ({ key, value })));
  const found = { kind, fields: {}, rest: dictValue(left), envelope };
  return reading.number(readMessage(found, 'json', reading.report));
}

/** Whose message it is and what it answers stand before what it says. */
const FIRST: readonly MessageField[] = ['id', 'session', 'trace', 'agent'];

function write(written: Message): Value {
  const { data } = written.fields;
  const isBare = written.kind === 'value' && data && fieldNames(written).length === 1;
  // A value stands for itself where it is not read as a message.
  if (isBare && !recognises(data)) return data;
  const { fields, rest } = unpack(written, 'json');
  const entries: Entry[] = [{ key: 'kind', value: textValue(written.kind) }];
  for (const key of FIRST) {
    const value = fields.take(key);
    if (value) entries.push({ key, value });
  }
  const others = fields.take('rest');
  entries.push(...fields.entries());
  const more = rest.entries();
  // A member that would be read as a field stays in the rest, and what stands before it too, so that the order is kept.
  const from = more.findLastIndex(isField) + 1;
  for (const entry of more.slice(from)) entries.push(entry);
  const carried = dictValue([{ key: 'json', value: dictValue(more.slice(0, from)) }]);
  const all = from === 0 ? others : others ? joinDicts(others, carried) : carried;
  if (all) entries.push({ key: 'rest', value: all });
  return dictValue(entries);
}

function isField({ key }: Entry): boolean {
  return key === 'kind' || findMessageField(key) !== undefined;
}
