import { findMessageField, findMessageKind, type MessageField } from '../../core/catalog/message-kinds.ts';
import { fieldNames, message, type Message } from '../../core/message/message.ts';
import { dictValue, findEntry, textIn, textValue, type Entry, type Value } from '../../core/values/value.ts';
import { joinDicts } from '../message/rest.ts';
import type { ProtocolShape, Reading } from '../message/shape.ts';

/** Plain typed JSON: the neutral message itself, its kind first. It has every field of a message. */
export const jsonShape: ProtocolShape = { recognises, read, write, hasPart: () => true };

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
  const own = dictValue([{ key: 'json', value: dictValue(left) }]);
  return reading.number(message(kind, fields, fields.rest ? joinDicts(fields.rest, own) : own));
}

/** Fields that are written first: those that identify the message. */
const FIRST: readonly string[] = ['id', 'session', 'trace', 'agent'];

function write(written: Message): Value {
  const { data, rest } = written.fields;
  const isBare = written.kind === 'value' && data && fieldNames(written).length === 1;
  // A value is written bare unless it would be read as a message.
  if (isBare && !recognises(data)) return data;
  const own = findEntry(rest, 'json');
  const more = own?.kind === 'dict' ? own.entries : [];
  const others = rest?.kind === 'dict' ? rest.entries.filter(({ key }) => key !== 'json') : [];
  // A member that would be read as a field stays in `rest`, with all members before it, so that their order
  // is unchanged.
  const from = more.findLastIndex(isField) + 1;
  const carried = from === 0 ? [] : [{ key: 'json', value: dictValue(more.slice(0, from)) }];
  const names = fieldNames(written).filter(name => name !== 'rest');
  const ordered = [
    ...names.filter(name => FIRST.includes(name)),
    ...names.filter(name => !FIRST.includes(name)),
  ];
  const all = [...others, ...carried];
  return dictValue([
    { key: 'kind', value: textValue(written.kind) },
    ...ordered.map(key => ({ key, value: written.fields[key] })),
    ...more.slice(from),
    { key: 'rest', value: all.length > 0 ? dictValue(all) : undefined },
  ]);
}

function isField({ key }: Entry): boolean {
  return key === 'kind' || findMessageField(key) !== undefined;
}
