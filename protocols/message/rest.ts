import type { ConversionName } from '../../core/catalog/conversions.ts';
import type { MessageField, MessageKind } from '../../core/catalog/message-kinds.ts';
import { message, type Message } from '../../core/message/message.ts';
import { dictValue, findEntry, textIn, type DictValue, type Value } from '../../core/values/value.ts';
import { Members } from './members.ts';

/**
 * What only one protocol knows of a message travels with it under the protocol's name, and is put back where the message is
 * written in that protocol. A member whose name begins with `$` says in which form the message came.
 */

/** The mark of the method by which a message came, where writing it would choose another one. */
export const METHOD = '$method';

/** What a reader found of a message in its own shape. */
export interface Found {
  readonly kind: MessageKind;
  readonly fields: Readonly<Partial<Record<MessageField, Value | undefined>>>;
  /** The members that the reader did not take, as a dictionary of this protocol's own form. */
  readonly rest: DictValue | undefined;
}

/** The message that a reader found. */
export function foundMessage({ kind, fields, rest }: Found, protocol: ConversionName): Message {
  return message(kind, fields, rest && dictValue([{ key: protocol, value: rest }]));
}

/** What only this protocol knows of a message: take what decides on the form, and put all else back. */
export function restOf({ fields }: Message, protocol: ConversionName): Members {
  return new Members(findEntry(fields.rest, protocol));
}

/** The method of its own by which a message came in this protocol; undefined for any other. */
export function ownMethod({ fields }: Pick<Message, 'fields'>, protocol: ConversionName): string | undefined {
  return textIn(findEntry(findEntry(fields.rest, protocol), METHOD));
}

/** A value with the members that only its protocol knows, but for the marks of the form in which it came. */
export function putBack(value: Value, rest: Members): Value {
  const left = rest.entries().filter(({ key }) => !key.startsWith('$'));
  return left.length === 0 ? value : joinDicts(value, dictValue(left));
}

/** Two dictionaries as one, dictionaries in both of them as well; of other members that both have the later one counts. */
export function joinDicts(one: Value, other: Value): Value {
  if (one.kind !== 'dict' || other.kind !== 'dict') return other;
  const joined = new Map(one.entries.map(({ key, value }) => [key, value]));
  for (const { key, value } of other.entries) {
    const before = joined.get(key);
    joined.set(key, before ? joinDicts(before, value) : value);
  }
  return dictValue([...joined].map(([key, value]) => ({ key, value })));
}
