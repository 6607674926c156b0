import type { ConversionName } from '../../core/catalog/conversions.ts';
import {
  findMessageField,
  findMessageKind,
  type MessageField,
  type MessageKind,
} from '../../core/catalog/message-kinds.ts';
import { fieldNames, message, type Message } from '../../core/message/message.ts';
import {
  dictValue,
  textIn,
  textValue,
  type DictValue,
  type Entry,
  type Value,
} from '../../core/values/value.ts';
import { Members } from './members.ts';
import type { Report } from '../../core/message/report.ts';

/**
 * The member of a message that holds what its protocol has no own place for: fields of the message by name, and its
 * kind where the protocol has no such message. Who does not know it leaves it alone; we read it back.
 */
export const ENVELOPE = 'parley';

/** A message that is being written: whatever of its fields nobody takes goes into the envelope. */
export interface Leftovers {
  readonly fields: Members<MessageField>;
  /** What only this protocol knows: the members that its reader left. Put all of them back. */
  readonly rest: Members;
}

/** Opens a message to be written in a protocol's own shape. */
export function unpack(open: Message, protocol: ConversionName): Leftovers {
  const { rest } = open.fields;
  const entries: Entry[] = [];
  for (const key of fieldNames(open)) {
    const value = open.fields[key];
    if (value && key !== 'rest') entries.push({ key, value });
  }
  const fields = new Members<MessageField>({ kind: 'dict', entries });
  if (!rest) return { fields, rest: new Members(undefined) };
  const rests = new Members(rest);
  const own = rests.takeKind(protocol, 'dict');
  fields.add('rest', rests.left());
  return { fields, rest: new Members(own) };
}

/** The envelope: what is left of the fields, with the kind where the shape does not tell it; undefined for nothing. */
export function packEnvelope({ fields }: Leftovers, kind?: MessageKind): DictValue | undefined {
  if (kind === undefined) return fields.left();
  return dictValue([{ key: 'kind', value: textValue(kind) }, ...fields.entries()]);
}

/** What a reader found of a message in its own shape. */
export interface Found {
  readonly kind: MessageKind;
  readonly fields: Readonly<Partial<Record<MessageField, Value | undefined>>>;
  /** The members that the reader did not take, as a dictionary of this protocol's own form. */
  readonly rest: DictValue | undefined;
  /** The value of the envelope's member, whatever it is. */
  readonly envelope: Value | undefined;
}

/**
 * The message from what a reader found and its envelope. What the shape says counts more than the envelope; a member of
 * the envelope that is no field is kept under `rest.parley`.
 */
export function readMessage(found: Found, protocol: ConversionName, report: Report): Message {
  if (!found.envelope) {
    return message(found.kind, found.fields, found.rest && dictValue([{ key: protocol, value: found.rest }]));
  }
  const envelope = new Members(found.envelope);
  const kind = takeKind(envelope) ?? found.kind;
  const fields: Partial<Record<MessageField, Value | undefined>> = { ...found.fields, rest: undefined };
  for (const { key, value } of [...envelope.entries()]) {
    const name = findMessageField(key);
    if (!name) continue;
    envelope.take(name);
    if (!fields[name]) fields[name] = value;
    else {
      const told = `The message says ${name} twice; the one in ${ENVELOPE} is dropped`;
      report.lose('dropped', `${ENVELOPE}.${name}`, told);
    }
  }
  const strange = found.envelope.kind === 'dict' ? envelope.left() : found.envelope;
  const rest = joinRests(fields.rest, [
    { key: protocol, value: found.rest },
    { key: ENVELOPE, value: strange },
  ]);
  return message(kind, fields, rest);
}

function takeKind(envelope: Members): MessageKind | undefined {
  const kind = findMessageKind(textIn(envelope.peek('kind')))?.name;
  if (kind) envelope.take('kind');
  return kind;
}

/** What several protocols left; what a carried `rest` says of one of them stands before what was found now. */
function joinRests(
  carried: Value | undefined,
  found: readonly { readonly key: string; readonly value: Value | undefined }[],
): Value | undefined {
  const rests = new Members(carried?.kind === 'dict' ? carried : undefined);
  if (carried?.kind !== 'dict') rests.put(ENVELOPE, carried);
  for (const { key, value } of found) {
    if (!value) continue;
    const before = rests.peek(key);
    rests.put(key, before ? joinDicts(before, value) : value);
  }
  return rests.left();
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
