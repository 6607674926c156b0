import { defined } from '../../core/text/fields.ts';
import { compactJson, showValue } from '../../language/values/json-printer.ts';
import { findMedia } from '../../language/media/find-media.ts';
import { findEntry, textIn, type Value } from '../../core/values/value.ts';
import type { PartKind, PartMedium } from './part.ts';

/** A description of a value for people. */
export interface ValueWords {
  readonly kind: PartKind;
  readonly title?: string;
  readonly text?: string | undefined;
  readonly medium?: PartMedium | undefined;
  /** The id that a tool call and its output have in common. */
  readonly callId?: string;
}

const MEDIA: ReadonlySet<string> = new Set(['image', 'audio', 'video', 'file', 'resource', 'resource_link']);

/** The members of all protocols for the URL of a medium; `NAMES` has those for its name, id and type. */
const PLACES = ['uri', 'url', 'image_url', 'file_url', 'video_url', 'fileUri', 'fileWithUri'];
const NAMES = ['name', 'filename', 'file_id', 'title', 'mimeType', 'mediaType', 'media_type', 'format'];

/** Describes a content of a message of any protocol. */
export function describeContent(content: Value): ValueWords {
  const type = textIn(findEntry(content, 'type')) ?? textIn(findEntry(content, 'kind')) ?? '';
  const refusal = textIn(findEntry(content, 'refusal'));
  if (refusal !== undefined) return { kind: 'refusal', text: refusal };
  if (MEDIA.has(type) || isMedium(content, type)) return describeMedium(content, type);
  if (type === 'error') return { kind: 'error', text: showValue(findEntry(content, 'value') ?? content) };
  const text =
    textIn(findEntry(content, 'text')) ?? (type === 'text' ? textIn(findEntry(content, 'value')) : undefined);
  if (text !== undefined) return { kind: type.startsWith('reasoning') ? 'reasoning' : 'text', text };
  const data = type === 'data' || type === '' ? findEntry(content, 'data') : undefined;
  return { kind: 'data', text: showValue(data ?? content) };
}

/** True for a medium without a type: its members show what it is. */
function isMedium(content: Value, type: string): boolean {
  const members = type === '' ? ['file', 'raw', 'url'] : ['file', 'raw'];
  return members.some(key => findEntry(content, key) !== undefined);
}

/** Describes a medium by name, type and URL. Its bytes are in `medium`. */
export function describeMedium(content: Value, type: string): ValueWords {
  const holder = findEntry(content, 'file') ?? findEntry(content, 'resource') ?? content;
  const value = textIn(findEntry(content, 'value'));
  const place = [...PLACES.map(key => textIn(findEntry(holder, key))), value].find(isPlace);
  const names = NAMES.map(key => textIn(findEntry(holder, key))).filter(name => name !== undefined);
  const title = [type === 'resource_link' ? 'link' : type, ...names].filter(Boolean).join(' · ');
  const text = textIn(findEntry(holder, 'text'));
  if (text) return { kind: 'media', title, text };
  return { kind: 'media', title, text: place, medium: readMedium(content) };
}

/** The first medium of a value; undefined if it has none. */
export function readMedium(value: Value): PartMedium | undefined {
  const [found] = findMedia(compactJson(value, 'written'), undefined).media;
  if (!found) return undefined;
  const { kind, mediaType, name, content } = found;
  return defined({ kind, mediaType, name, ...content });
}

function isPlace(text: string | undefined): boolean {
  return (
    text !== undefined && text.length < 4096 && /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^data:/i.test(text)
  );
}
