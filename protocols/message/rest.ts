import type { MessageField, MessageKind } from '../../core/catalog/message-kinds.ts';
import { message, type Message } from '../../core/message/message.ts';
import { dictValue, findEntry, textIn, type DictValue, type Value } from '../../core/values/value.ts';
import { Members } from './members.ts';

/**
 * Members of a message that only one protocol has are stored in `rest` under the protocol's name, and written back when
 * the message is written in that protocol. A member whose name begins with `$` marks the message's source form.
 */

/** Marks the method of the source message, where writing would choose another one. */
export const METHOD = '$method';

/** The message that a reader found, with `rest` in the protocol's own form. */
export interface Found {
  readonly kind: MessageKind;
  readonly fields: Readonly<Partial<Record<MessageField, Value | undefined>>>;
  /** The members that the reader did not take, as a dictionary of this protocol's own form. */
  readonly rest: DictValue | undefined;
}

/** Makes the message that a reader found. */
export function foundMessage({ kind, fields, rest }: Found, protocol: string): Message {
  return message(kind, fields, rest && dictValue([{ key: protocol, value: rest }]));
}

/** The members of a message that only this protocol has; the writer takes the marks and writes the others back. */
export function restOf({ fields }: Message, protocol: string): Members {
  return new Members(findEntry(fields.rest, protocol));
}

/** The method that this protocol used for a message, if it is no default one; else undefined. */
export function ownMethod({ fields }: Pick<Message, 'fields'>, protocol: string): string | undefined {
  return textIn(findEntry(findEntry(fields.rest, protocol), METHOD));
}

/** A value with the members that only its protocol has, without the marks. */
export function putBack(value: Value, rest: Members): Value {
  if (rest.size === 0) return value;
  const left = rest.entries().filter(({ key }) => !key.startsWith('$'));
  return left.length === 0 ? value : joinDicts(value, dictValue(left));
}

/** Merges two dictionaries recursively; for other members in both, the later one counts. */
export function joinDicts(one: Value, other: Value): Value {
  if (one.kind !== 'dict' || other.kind !== 'dict') return other;
  const joined = new Map(one.entries.map(({ key, value }) => [key, value]));
  for (const { key, value } of other.entries) {
    const before = joined.get(key);
    joined.set(key, before ? joinDicts(before, value) : value);
  }
  return dictValue([...joined].map(([key, value]) => ({ key, value })));
}
