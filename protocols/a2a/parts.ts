import { findEntry, textIn, textValue, type Value } from '../../core/values/value.ts';
import { asText } from '../content/as-text.ts';
import type { PartCodec } from '../content/codec.ts';
import { kindOfMedia } from '../content/media.ts';
import { dataPart, textPart, type Part } from '../content/part.ts';
import { dictOf } from '../message/dicts.ts';
import { Members } from '../message/members.ts';

/** The versions of A2A with different message forms. */
export type A2aVersion = '0.3' | '1.0';

/** The codec of a version's parts. */
export function codecOf(version: A2aVersion): PartCodec {
  return version === '0.3' ? oldParts : newParts;
}

/** Parts of A2A 1.0: `{text}`, `{raw}`, `{url}` or `{data}`; `mediaType` and `filename` describe a file. */
const newParts: PartCodec = {
  protocol: 'a2a',
  read: own => {
    const held = (['text', 'raw', 'url', 'data'] as const).filter(key => own.peek(key) !== undefined);
    const [key, ...others] = held;
    const value = key && own.peek(key);
    if (!key || !value || others.length > 0 || (key !== 'data' && value.kind !== 'text')) return undefined;
    own.take(key);
    const about = { mimeType: own.takeKind('mediaType', 'text'), name: own.takeKind('filename', 'text') };
    if (key === 'text') return { ...textPart(value), ...about };
    if (key === 'data') return { ...dataPart(value), ...about };
    return { type: kindOfMedia(about.mimeType), holds: key === 'url' ? 'url' : 'data', value, ...about };
  },
  write: (part, lose) => {
    const about = { mediaType: part.mimeType, filename: part.name };
    const key = memberOf(part);
    if (key === 'data' && part.value.kind === 'null')
      return dictOf({ text: asText(part, A2A, lose, 'data that is null') });
    return key ? dictOf({ [key]: part.value, ...about }) : dictOf({ text: asText(part, A2A, lose) });
  },
};

const A2A = 'A2A';

function memberOf({ type, holds }: Part): 'text' | 'raw' | 'url' | 'data' | undefined {
  if (type === 'text' || type === 'data') return type;
  return type === 'refusal' || holds === 'id' ? undefined : holds === 'url' ? 'url' : 'raw';
}

/** Parts of A2A 0.3, with their `kind`: `text`, `data`, and `file` with `bytes` or `uri`. */
const oldParts: PartCodec = {
  protocol: 'a2a',
  read: own => {
    const kind = textIn(own.peek('kind'));
    const value =
      kind === 'text' ? own.takeKind('text', 'text') : kind === 'data' ? own.take('data') : undefined;
    const part = value && (kind === 'text' ? textPart(value) : dataPart(value));
    const found = part ?? (kind === 'file' ? readFile(own) : undefined);
    if (found) own.take('kind');
    return found;
  },
  write: (part, lose) => {
    const { type, value } = part;
    const key = memberOf(part);
    if (type === 'text') return dictOf({ kind: textValue('text'), text: value });
    if (key === 'data' && value.kind === 'dict') return dictOf({ kind: textValue('data'), data: value });
    if (!key || key === 'data') {
      const what = key && 'data that is not an object';
      return dictOf({ kind: textValue('text'), text: asText(part, 'A2A 0.3', lose, what) });
    }
    return writeFile(part);
  },
};

function readFile(own: Members): Part | undefined {
  const file = new Members(own.peek('file'));
  const bytes = file.takeKind('bytes', 'text');
  const value = bytes ?? file.takeKind('uri', 'text');
  if (!value) return undefined;
  const about = { mimeType: file.takeKind('mimeType', 'text'), name: file.takeKind('name', 'text') };
  own.take('file');
  own.put('file', file.left());
  return { type: kindOfMedia(about.mimeType), holds: bytes ? 'data' : 'url', value, ...about };
}

function writeFile({ holds, value, name, mimeType, rest }: Part): Value {
  const more = findEntry(findEntry(rest, 'a2a'), 'file');
  const file = dictOf({ name, mimeType, [holds === 'data' ? 'bytes' : 'uri']: value });
  const entries = more?.kind === 'dict' ? [...file.entries, ...more.entries] : file.entries;
  return dictOf({ kind: textValue('file'), file: { kind: 'dict', entries } });
}

/** Reads a message's only part as a call; undefined unless it is data `{tool, arguments}` or `{tool}`. */
export function readCall(
  part: Part,
): { readonly tool: Value; readonly arguments: Value | undefined } | undefined {
  const members = new Members(part.type === 'data' && !part.rest ? part.value : undefined);
  const tool = members.takeKind('tool', 'text');
  const given = members.takeKind('arguments', 'dict');
  return tool && members.size === 0 ? { tool, arguments: given } : undefined;
}

/** True for a message, task or event of version 0.3, which has a `kind` and writes roles and states in lower case. */
export function isOldForm(value: Value | undefined): boolean {
  return textIn(findEntry(value, 'kind')) !== undefined;
}
