import { findMessageField, type MessageField, type MessageKind } from '../catalog/message-kinds.ts';
import { findConversion } from '../catalog/conversions.ts';
import { dictValue, listValue, type Entry, type Value } from '../values/value.ts';

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
  if (kept.byPlace) placeArguments(kept);
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

/** Arguments that got names only because a protocol wants some stand by place again: `byPlace` is the mark of that. */
function placeArguments(fields: Partial<Record<MessageField, Value>>): void {
  const { byPlace, arguments: named } = fields;
  if (byPlace?.kind !== 'bool' || !byPlace.bool || named?.kind !== 'dict') return;
  fields.arguments = listValue(named.entries.map(entry => entry.value));
  delete fields.byPlace;
}

/**
 * `rest` in its one form: a dictionary of non-empty dictionaries by the names of protocols, in the order of the names. What
 * is none of them stands under `parley`, so that a strange `rest` comes through as well.
 */
function orderRests(rest: Value): Value | undefined {
  const entries = rest.kind === 'dict' ? rest.entries : [{ key: STRANGE, value: rest }];
  const isOwn = ({ key, value }: Entry): boolean =>
    findConversion(key) !== undefined && value.kind === 'dict';
  const own = entries.filter(entry => isOwn(entry) && !isEmptyDict(entry.value));
  const strange = entries.filter(entry => !isOwn(entry));
  const [only] = strange;
  const joined =
    strange.length === 1 && only?.key === STRANGE
      ? only.value
      : strange.length > 0
        ? dictValue(strange)
        : undefined;
  const all = joined ? [...own, { key: STRANGE, value: joined }] : own;
  return all.length === 0 ? undefined : dictValue(all.toSorted((a, b) => (a.key < b.key ? -1 : 1)));
}

const STRANGE = 'parley';

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
