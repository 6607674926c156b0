import { message, withoutField, type Message } from '../../core/message/message.ts';
import { isSameMessage } from '../message/same-message.ts';
import { dictValue, NULL, type Entry, type Value } from '../../core/values/value.ts';
import { isSameValue } from '../../language/values/same-value.ts';
import type { Members } from '../message/members.ts';
import { Report } from '../../core/message/report.ts';
import type { ProtocolShape, Reading, Writing } from '../message/shape.ts';

/** The ways to write a message: as its protocol says it, and as a frame of it that holds the message as it is. */
export interface Ways {
  readonly natural: () => Value;
  /** Must come back whatever the message is. */
  readonly carrier: () => Value;
}

/**
 * Writes a message in its natural form if reading that gives the same message, else in the form that carries it: what an
 * agent wrote can look like what this project writes, and is then kept apart.
 */
export function writeVerified(
  written: Message,
  { natural, carrier }: Ways,
  { recognises, read }: Pick<ProtocolShape, 'recognises' | 'read'>,
  writing: Writing,
): Value {
  const value = natural();
  const back = recognises(value) ? read(value, silentReading(writing)) : undefined;
  const wanted = message(written.kind, written.fields);
  return back && isSameMessage(back, withoutId(wanted, writing.id)) ? value : carrier();
}

/** A reading that tells nobody and takes off the id that the message has anyhow. */
export function silentReading({ tools, id, numbers }: Writing): Reading {
  return { report: new Report(), tools, numbers, number: read => withoutId(read, id) };
}

function withoutId(read: Message, id: number): Message {
  const own = read.fields.id;
  return own?.kind === 'int' && own.int === id ? withoutField(read, 'id') : read;
}

/** Takes the members that have the value which they are written with anyhow. */
export function takeDefaults(members: Members, defaults: readonly Entry[]): void {
  for (const { key, value } of defaults) {
    const found = members.peek(key);
    if (found && isSameValue(found, value)) members.take(key);
  }
}

/** Entries under one key each, in the order of their first mention; a later value counts. */
export function joinEntries(...lists: readonly (readonly Entry[])[]): readonly Entry[] {
  const joined = new Map<string, Value>();
  for (const { key, value } of lists.flat()) joined.set(key, value);
  return [...joined].map(([key, value]) => ({ key, value }));
}

/** A dictionary of plain entries; undefined values are left out. */
export function dictOf(entries: Readonly<Record<string, Value | undefined>>): Value {
  return dictValue(Object.entries(entries).map(([key, value]) => ({ key, value })));
}

/** Entries that are null. */
export function nullEntries(...keys: readonly string[]): readonly Entry[] {
  return keys.map(key => ({ key, value: NULL }));
}
