import type { ConversionName } from '../../core/catalog/conversions.ts';
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

/** How a protocol has the parts of a content. */
export interface PartCodec {
  readonly protocol: ConversionName;
  /** The part that an own one is; takes the members that it knows. Undefined for one of another form. */
  readonly read: (own: Members) => Part | undefined;
  /** The own part, or the nearest one. What it says otherwise is told. */
  readonly write: (part: Part, lose: Lose) => Value;
}

/** Tells what becomes of a part: a sentence without a full stop. */
export type Lose = (kind: LossKind, message: string) => void;

/** The parts of a list of own ones; undefined for a value that is no list of dictionaries. */
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
 * The part of an own one, which keeps the members that only its protocol knows. One of a form that is not known is data to
 * all other protocols, and itself to its own.
 */
export function decodePart(own: DictValue, { protocol, read }: PartCodec): Part {
  const members = new Members(own);
  const part = read(members);
  if (!part) return { ...dataPart(own), rest: dictValue([{ key: protocol, value: AS_IT_IS }]) };
  const left = members.left();
  return left ? { ...part, rest: dictValue([{ key: protocol, value: left }]) } : part;
}

/** Marks data that is a part of its own protocol as it stands. */
const AS_IT_IS = dictValue([{ key: '$form', value: textValue('own') }]);

/** Tells what becomes of the part at a place. */
export type LoseAt = (index: number, kind: LossKind, message: string) => void;

/** Parts as own ones. */
export function encodeParts(parts: readonly Part[], codec: PartCodec, lose: LoseAt): ListValue {
  return listValue(
    parts.map((part, index) => encodePart(part, codec, (kind, told) => lose(index, kind, told))),
  );
}

/** One part as an own one, with the members that only its protocol knows. */
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
