import { findPart, type PartType } from '../../core/catalog/media.ts';
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
 * One part of a message's content, in neutral form, with its value unchanged. In a message it is the
 * dictionary `{type, text | data | url | id, mimeType, name, uri, rest}`.
 */
export interface Part extends About {
  readonly type: PartType;
  /** `data` is base64, or any value in a part of the type `data`. `id` names a file stored by the agent. */
  readonly holds: 'text' | 'data' | 'url' | 'id';
  readonly value: Value;
}

/** Optional metadata of a part. */
export interface About {
  readonly mimeType?: Value | undefined;
  readonly name?: Value | undefined;
  /** The URI of a resource of MCP, which need not be a URL. */
  readonly uri?: Value | undefined;
  /** By protocol name, the members that only this protocol has. */
  readonly rest?: DictValue | undefined;
}

const ABOUT = ['mimeType', 'name', 'uri'] as const;
const HOLDERS = ['text', 'data', 'url', 'id'] as const;

/** Reads the dictionary of a part; undefined for any other value. */
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

/** Writes the dictionary of a part. */
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

/** Reads a list of parts; undefined for any other value. */
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

/** Writes parts as a list; undefined if there are none. */
export function writeParts(parts: readonly Part[]): Value | undefined {
  return parts.length === 0 ? undefined : listValue(parts.map(writePart));
}

export function textPart(value: Value): Part {
  return { type: 'text', holds: 'text', value };
}

/** A part with any other value. */
export function dataPart(value: Value): Part {
  return { type: 'data', holds: 'data', value };
}

/** A value as a part: text or data. */
export function partOf(value: Value): Part {
  return value.kind === 'text' ? textPart(value) : dataPart(value);
}

/** True for a part without metadata. */
export function isPlain({ mimeType, name, uri, rest }: Part): boolean {
  return !mimeType && !name && !uri && !rest;
}

/** The value of the only part, if it is plain and of this type. */
export function onlyPlain(parts: readonly Part[], type: 'text' | 'data'): Value | undefined {
  const [only, ...others] = parts;
  return only?.type === type && others.length === 0 && isPlain(only) ? only.value : undefined;
}

/** The parts of a message: its content, and its data as a part. */
export function listParts({
  content,
  data,
}: {
  readonly content?: Value | undefined;
  readonly data?: Value | undefined;
}): readonly Part[] {
  return [...(content ? (readParts(content) ?? [partOf(content)]) : []), ...(data ? [partOf(data)] : [])];
}
