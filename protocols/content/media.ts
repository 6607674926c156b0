import { ANY_MEDIA, MEDIA_SIGNATURES, PARTS, type PartType } from '../../core/catalog/media.ts';
import { textIn, textValue, type Value } from '../../core/values/value.ts';
import type { Lose } from './codec.ts';
import type { Part } from './part.ts';

/** The part type of a media type: image, audio, video or file. */
export function kindOfMedia(mimeType: Value | undefined): PartType {
  const named = textIn(mimeType)?.toLowerCase() ?? '';
  return PARTS.find(({ media }) => media !== undefined && named.startsWith(media))?.name ?? 'file';
}

/** The media type of a part; if it has none, that of its first bytes, or a guess, which is reported. */
export function mediaOf({ mimeType, value }: Part, lose: Lose): Value {
  if (mimeType) return mimeType;
  const bytes = textIn(value) ?? '';
  const known = MEDIA_SIGNATURES.find(({ start }) => bytes.startsWith(start))?.media;
  if (known === undefined) lose('guessed', `Nothing names the media type; ${ANY_MEDIA} is a guess`);
  else lose('moved', `Nothing names the media type; its first bytes are those of ${known}`);
  return textValue(known ?? ANY_MEDIA);
}

/** Bytes, or the URL where they are. */
export interface Held {
  readonly holds: 'data' | 'url';
  readonly value: Value;
  readonly mimeType?: Value;
}

const BASE64_URL = /^data:([^,]*);base64,/i;
const URL_START = /^[a-z][a-z0-9+.-]*:/i;

/** Reads a text as base64, a URL, or a data URL of base64. */
export function readHeld(value: Value): Held {
  const text = textIn(value) ?? '';
  const head = BASE64_URL.exec(text);
  if (head) {
    const data = textValue(text.slice(head[0].length));
    return head[1]
      ? { holds: 'data', value: data, mimeType: textValue(head[1]) }
      : { holds: 'data', value: data };
  }
  return { holds: URL_START.test(text) ? 'url' : 'data', value };
}

/** Bytes as a data URL. */
export function dataUrl(part: Part, lose: Lose): Value {
  const media = textIn(mediaOf(part, lose)) ?? ANY_MEDIA;
  return textValue(`data:${media};base64,${textIn(part.value) ?? ''}`);
}

/** True for padded base64 of the standard alphabet. */
export function isBase64(value: Value): boolean {
  const text = textIn(value) ?? '';
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}
