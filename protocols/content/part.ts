import { findPart, type PartType } from '../../core/catalog/parts.ts';
import {
  dictValue,
  findEntry,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../core/values/value.ts';

/**
 * One part of a message's content, whatever its protocol: what kind it is, and what it holds exactly as it was. In a message
 * it is the dictionary `{type, text | data | url | id, mimeType, name, uri, rest}`.
 */
export interface Part extends About {
  readonly type: PartType;
  /** `data` is base64, but for a part of the type `data`, whose data is any value. `id` names a file that its agent holds. */
  readonly holds: 'text' | 'data' | 'url' | 'id';
  readonly value: Value;
}

/** What is known of a part beside what it holds. */
export interface About {
  readonly mimeType?: Value | undefined;
  readonly name?: Value | undefined;
  /** What a resource of MCP is called, which need not be an address. */
  readonly uri?: Value | undefined;
  /** What only one protocol knows of it, by the protocol's name, as the members that it was. */
  readonly rest?: DictValue | undefined;
}

const ABOUT = ['mimeType', 'name', 'uri'] as const;
const HOLDERS = ['text', 'data', 'url', 'id'] as const;

/** The part that a dictionary of a message is; undefined for a value that is none. */
export function readPart(value: Value): Part | undefined {
  if (value.kind !== 'dict') return undefined;
  const row = findPart(textIn(findEntry(value, 'type')));
  const [holds, ...others] = HOLDERS.filter(key => findEntry(value, key) !== undefined);
  const held = holds && findEntry(value, holds);
  if (!row || !holds || !held || others.length > 0 || !canHold(row.name, holds, held)) return undefined;
  const isKnown = value.entries.every(
    entry =>
      entry.key === 'type' ||
      entry.key === holds ||
      (entry.key === 'rest' && entry.value.kind === 'dict') ||
      (entry.value.kind === 'text' && ABOUT.some(name => name === entry.key)),
  );
  if (!isKnown) return undefined;
  const [mimeType, name, uri] = ABOUT.map(key => findEntry(value, key));
  const rest = findEntry(value, 'rest');
  return {
    type: row.name,
    holds,
    value: held,
    mimeType,
    name,
    uri,
    rest: rest?.kind === 'dict' ? rest : undefined,
  };
}

function canHold(type: PartType, holds: Part['holds'], { kind }: Value): boolean {
  if (type === 'data') return holds === 'data';
  if (kind !== 'text') return false;
  return (holds === 'text') === (type === 'text' || type === 'refusal');
}

/** The dictionary of a part in a message. */
export function writePart({ type, holds, value, mimeType, name, uri, rest }: Part): DictValue {
  return dictValue([
    { key: 'type', value: textValue(type) },
    { key: holds, value },
    { key: 'mimeType', value: mimeType },
    { key: 'name', value: name },
    { key: 'uri', value: uri },
    { key: 'rest', value: rest && rest.entries.length > 0 ? rest : undefined },
  ]);
}

/** The parts of a content; undefined for a value that is no list of parts. */
export function readParts(content: Value | undefined): readonly Part[] | undefined {
  if (content?.kind !== 'list') return undefined;
  const parts: Part[] = [];
  for (const item of content.items) {
    const part = readPart(item);
    if (!part) return undefined;
    parts.push(part);
  }
  return parts;
}

/** Parts as a content; undefined for none. */
export function writeParts(parts: readonly Part[]): Value | undefined {
  return parts.length === 0 ? undefined : listValue(parts.map(writePart));
}

/** A text. */
export function textPart(value: Value): Part {
  return { type: 'text', holds: 'text', value };
}

/** Any other value. */
export function dataPart(value: Value): Part {
  return { type: 'data', holds: 'data', value };
}

/** The part that a value is by itself. */
export function partOf(value: Value): Part {
  return value.kind === 'text' ? textPart(value) : dataPart(value);
}

/** True for a part of which nothing else is known than what it holds. */
export function isPlain({ mimeType, name, uri, rest }: Part): boolean {
  return !mimeType && !name && !uri && !rest;
}

/** True for parts that are one plain part of this type. */
export function onlyPlain(parts: readonly Part[], type: 'text' | 'data'): Value | undefined {
  const [only, ...others] = parts;
  return only?.type === type && others.length === 0 && isPlain(only) ? only.value : undefined;
}
