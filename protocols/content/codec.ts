import {
  dictValue,
  findEntry,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type ListValue,
  type Value,
} from '../../core/values/value.ts';
import { Members } from '../message/members.ts';
import type { LossKind } from '../../core/message/report.ts';
import { dataPart, type Part } from './part.ts';

/** Converts between neutral parts and those of one protocol. */
export interface PartCodec {
  readonly protocol: string;
  /** Reads a part and takes the members that it understands; undefined for another form. */
  readonly read: (own: Members) => Part | undefined;
  /** Writes the part, or the nearest one; reports what is not written exactly. */
  readonly write: (part: Part, lose: Lose) => Value;
}

/** Reports the loss of a part; `message` is a sentence without a full stop. */
export type Lose = (kind: LossKind, message: string) => void;

/** Reads a list of a protocol's parts; undefined for a value that is no list of dictionaries. */
export function decodeParts(own: Value | undefined, codec: PartCodec): readonly Part[] | undefined {
  if (own?.kind !== 'list') return undefined;
  const parts: Part[] = [];
  for (const item of own.items) {
    if (item.kind !== 'dict') return undefined;
    parts.push(decodePart(item, codec));
  }
  return parts;
}

/**
 * Reads a protocol's part; members that only its protocol has go to `rest`. A part of unknown form becomes
 * data with a mark, so that its own protocol writes it back unchanged.
 */
export function decodePart(own: DictValue, { protocol, read }: PartCodec): Part {
  const members = new Members(own);
  const part = read(members);
  if (!part) return { ...dataPart(own), rest: dictValue([{ key: protocol, value: AS_IT_IS }]) };
  const left = members.left();
  return left ? { ...part, rest: dictValue([{ key: protocol, value: left }]) } : part;
}

/** Marks data that is a whole part of its own protocol. */
const AS_IT_IS = dictValue([{ key: '$form', value: textValue('own') }]);

/** Reports the loss of the part at an index. */
export type LoseAt = (index: number, kind: LossKind, message: string) => void;

/** Writes parts in a protocol's form. */
export function encodeParts(parts: readonly Part[], codec: PartCodec, lose: LoseAt): ListValue {
  return listValue(
    parts.map((part, index) => encodePart(part, codec, (kind, reported) => lose(index, kind, reported))),
  );
}

/** Writes one part in a protocol's form, with the members that only this protocol has. */
export function encodePart(part: Part, { protocol, write }: PartCodec, lose: Lose): Value {
  const own = findEntry(part.rest, protocol);
  if (isAsItIs(own)) return part.value;
  const written = write(part, lose);
  if (written.kind !== 'dict' || own?.kind !== 'dict') return written;
  const more = own.entries.filter(({ key }) => !key.startsWith('$') && !findEntry(written, key));
  return dictValue([...written.entries, ...more]);
}

function isAsItIs(own: Value | undefined): boolean {
  return textIn(findEntry(own, '$form')) === 'own';
}
