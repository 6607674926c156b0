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
const FIRST: ReadonlySet<string> = new Set(['id', 'session', 'trace', 'agent']);

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
  const entries: Entry[] = [{ key: 'kind', value: textValue(written.kind) }];
  const names = fieldNames(written);
  for (const isFirst of [true, false])
    for (const key of names) {
      const value = written.fields[key];
      if (value && key !== 'rest' && FIRST.has(key) === isFirst) entries.push({ key, value });
    }
  for (const entry of more.slice(from)) entries.push(entry);
  const all = [...others, ...carried];
  if (all.length > 0) entries.push({ key: 'rest', value: dictValue(all) });
  return dictValue(entries);
}

function isField({ key }: Entry): boolean {
  return key === 'kind' || findMessageField(key) !== undefined;
}
