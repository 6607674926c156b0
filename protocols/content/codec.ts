import { ANY_MEDIA, findPart, MEDIA_SIGNATURES } from '../../core/catalog/parts.ts';
import {
  dictValue,
  findEntry,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type Entry,
  type ListValue,
  type Value,
} from '../../core/values/value.ts';
import { isSameValue } from '../../language/values/same-value.ts';

/** A neutral part, opened: what it is, what it holds and the members after that. */
export interface Part {
  readonly type: string;
  readonly holds: 'text' | 'data' | 'url' | 'uri';
  readonly value: Value;
  readonly more: readonly Entry[];
}

/** How a protocol writes parts. */
export interface PartCodec {
  /** What an own part says beside its mark; undefined for one of another form. */
  readonly open: (own: DictValue) => OpenPart | undefined;
  /** The own part, with a mark of what it cannot say; undefined for one that has no own form. */
  readonly close: (part: Part, mark: DictValue | undefined) => Value | undefined;
  /** True for a value that the protocol takes as a part, whatever it says. */
  readonly accepts: (value: Value) => boolean;
  /** A part that holds any value as it is. */
  readonly wrap: (value: Value, mark: DictValue) => Value;
  readonly unwrap: (own: DictValue) => Value | undefined;
}

export interface OpenPart {
  readonly part: Part;
  /** What we said of a part that its own form cannot say: its members but for what it holds. */
  readonly mark: Value | undefined;
}

/** The neutral parts of own ones: those that would not come back stay as they are. */
export function decodeParts<Own extends Value | undefined>(own: Own, codec: PartCodec): Own | ListValue {
  return mapItems(own, item => decodePart(item, codec));
}

/** Own parts of neutral ones, whatever they are: `decodeParts` gives the same again. */
export function encodeParts(parts: Value, codec: PartCodec): Value {
  return mapItems(parts, part => encodePart(part, codec));
}

/** A list with other items: the same object where nothing changes. */
function mapItems<Own extends Value | undefined>(list: Own, change: (item: Value) => Value): Own | ListValue {
  if (list?.kind !== 'list') return list;
  const items = list.items.map(change);
  return items.every((item, index) => item === list.items[index]) ? list : listValue(items);
}

/** One own part as a neutral one. */
export function decodePart(own: Value, codec: PartCodec): Value {
  if (own.kind !== 'dict') return own;
  const wrapped = codec.unwrap(own);
  if (wrapped && isSameValue(codec.wrap(wrapped, WRAPPED), own)) return wrapped;
  const opened = codec.open(own);
  if (!opened) return own;
  const part = readMark(opened);
  const neutral = part && partValue(part);
  const again = neutral && closePart(neutral, codec);
  return again && isSameValue(again, own) && !isSameValue(neutral, own) ? neutral : own;
}

/** One neutral part as an own one: in its natural form, as it is, or wrapped. */
export function encodePart(part: Value, codec: PartCodec): Value {
  for (const own of [closePart(part, codec), codec.accepts(part) ? part : undefined])
    if (own && isSameValue(decodePart(own, codec), part)) return isSameValue(own, part) ? part : own;
  return codec.wrap(part, WRAPPED);
}

/** Marks a part that holds a value as it is. */
const WRAPPED = dictValue([{ key: 'as', value: textValue('is') }]);

/** True for the mark of a part that holds a value as it is. */
export function isWrapped(mark: Value | undefined): boolean {
  return mark !== undefined && isSameValue(mark, WRAPPED);
}

function closePart(neutral: Value, codec: PartCodec): Value | undefined {
  const part = openPart(neutral);
  if (!part) return undefined;
  const plain = codec.close(part, undefined);
  if (plain?.kind !== 'dict') return undefined;
  const found = codec.open(plain);
  if (found && !found.mark && isSameValue(partValue(found.part), neutral)) return plain;
  const type = found?.part.type === part.type ? [] : [{ key: 'type', value: textValue(part.type) }];
  return codec.close(part, dictValue([...type, ...part.more]));
}

/** Opens a neutral part; undefined for a value that is none of those in the table, in their order. */
export function openPart(neutral: Value): Part | undefined {
  if (neutral.kind !== 'dict') return undefined;
  const [first, second, ...more] = neutral.entries;
  const type = first?.key === 'type' ? textIn(first.value) : undefined;
  if (type === undefined || !second) return undefined;
  const holds = holdsOf(type).find(name => name === second.key);
  const isFit = holds === 'data' && type === 'data' ? true : second.value.kind === 'text';
  return holds && isFit ? { type, holds, value: second.value, more } : undefined;
}

/** What a part of a type can hold. A link of MCP is a part too. */
function holdsOf(type: string): readonly Part['holds'][] {
  if (type === LINK) return ['uri'];
  const row = findPart(type);
  if (!row) return [];
  return row.isFile ? ['data', 'url'] : [row.name === 'data' ? 'data' : 'text'];
}

/** The type of a block of MCP that says where a resource is. */
export const LINK = 'resource_link';

function partValue({ type, holds, value, more }: Part): Value {
  return dictValue([{ key: 'type', value: textValue(type) }, { key: holds, value }, ...more]);
}

/** The part with what its mark says in place of its own form. */
function readMark({ part, mark }: OpenPart): Part | undefined {
  if (!mark) return part;
  if (mark.kind !== 'dict') return undefined;
  const type = textIn(findEntry(mark, 'type')) ?? part.type;
  const holds = type === LINK ? 'uri' : part.holds === 'text' && type === 'data' ? 'data' : part.holds;
  return { type, holds, value: part.value, more: mark.entries.filter(({ key }) => key !== 'type') };
}

/** The media type of bytes: the one that is named, else the one that they begin like, else that of any bytes. */
export function mediaType(part: Part): Value {
  return namedMedia(part) ?? textValue(guessMedia(part) ?? ANY_MEDIA);
}

/** The media type that a part names or its bytes begin like; undefined for none. */
export function knownMedia(part: Part): Value | undefined {
  const guessed = guessMedia(part);
  return namedMedia(part) ?? (guessed === undefined ? undefined : textValue(guessed));
}

function guessMedia({ holds, value }: Part): string | undefined {
  const bytes = holds === 'data' ? (textIn(value) ?? '') : '';
  return MEDIA_SIGNATURES.find(({ start }) => bytes.startsWith(start))?.media;
}

function namedMedia(part: Part): Value | undefined {
  const named = memberOf(part, 'mimeType');
  return named?.kind === 'text' ? named : undefined;
}

/** A member of a part beside what it holds. */
export function memberOf({ more }: Part, key: string): Value | undefined {
  return more.find(entry => entry.key === key)?.value;
}
