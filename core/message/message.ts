import { findMessageField, type MessageField, type MessageKind } from '../catalog/message-kinds.ts';
import { findConversion } from '../catalog/conversions.ts';
import { dictValue, type Entry, type Value } from '../values/value.ts';

/**
 * A message, whatever its protocol. Fields are those of its kind and the common ones; a value need not have the type
 * that one expects, because what an agent wrote is kept as it is.
 */
export interface Message {
  readonly kind: MessageKind;
  readonly fields: Fields;
}

/** Fields by name: of each at most one, in no order that counts. */
export type Fields = Readonly<Partial<Record<MessageField, Value>>>;

/** A message; fields without a value are left out. `rest` is what several protocols left, in whatever form. */
export function message(
  kind: MessageKind,
  fields: Readonly<Partial<Record<MessageField, Value | undefined>>>,
  rest: Value | undefined = fields.rest,
): Message {
  const kept: Partial<Record<MessageField, Value>> = {};
  for (const key of Object.keys(fields)) {
    const name = findMessageField(key);
    const value = name && fields[name];
    if (value && name !== 'rest') kept[name] = value;
  }
  const ordered = rest && orderRests(rest);
  if (ordered) kept.rest = ordered;
  return { kind, fields: kept };
}

/** A message without one of its fields. */
export function withoutField({ kind, fields }: Message, field: MessageField): Message {
  const kept: Partial<Record<MessageField, Value>> = {};
  for (const key of Object.keys(fields)) {
    const name = findMessageField(key);
    const value = name && fields[name];
    if (value && name !== field) kept[name] = value;
  }
  return { kind, fields: kept };
}

/**
 * `rest` in its one form: a dictionary of non-empty dictionaries by the names of protocols, in the order of the names. What
 * is none of them is a member that only plain typed JSON knows.
 */
function orderRests(rest: Value): Value | undefined {
  const entries = rest.kind === 'dict' ? rest.entries : [];
  const isOwn = ({ key, value }: Entry): boolean =>
    findConversion(key) !== undefined && value.kind === 'dict';
  const own = entries.filter(entry => isOwn(entry) && !isEmptyDict(entry.value));
  const strange = entries.filter(entry => !isOwn(entry));
  const unknown = rest.kind === 'dict' ? strange.length > 0 && dictValue(strange) : rest;
  if (unknown) return orderRests(withUnknown(own, unknown));
  return own.length === 0 ? undefined : dictValue(own.toSorted((a, b) => (a.key < b.key ? -1 : 1)));
}

function withUnknown(own: readonly Entry[], unknown: Value): Value {
  const json = own.find(({ key }) => key === 'json')?.value;
  const before = json?.kind === 'dict' ? json.entries.filter(({ key }) => key !== 'rest') : [];
  return dictValue([
    ...own.filter(({ key }) => key !== 'json'),
    { key: 'json', value: dictValue([...before, { key: 'rest', value: unknown }]) },
  ]);
}

function isEmptyDict(value: Value): boolean {
  return value.kind === 'dict' && value.entries.length === 0;
}

/** The names of the fields that a message has, in the order of the object. */
export function fieldNames({ fields }: Message): readonly MessageField[] {
  const names: MessageField[] = [];
  for (const key of Object.keys(fields)) {
    const name = findMessageField(key);
    if (name && fields[name]) names.push(name);
  }
  return names;
}
