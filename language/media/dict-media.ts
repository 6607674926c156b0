import {
  KIND_WORDS,
  MEDIA_HOLDERS,
  MEDIA_NAME_KEYS,
  MEDIA_TYPE_KEYS,
  type HolderRow,
  type MediaKind,
  MEDIA_SIGNATURES,
} from '../../core/catalog/media.ts';
import type { Span } from '../../core/text/span.ts';
import { readDataUrl } from './data-urls.ts';
import type { Dict } from './dict.ts';
import type { Medium } from './media.ts';

/** Maximum length of names and types. */
const LONGEST_WORD = 300;
/** A media type (RFC 6838, section 4.2). */
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;
const ADDRESS = /^[a-z][a-z0-9+.-]{1,30}:[^\s]/i;
/** The number of characters needed to recognise a file type by its first bytes. */
const LONGEST_START = 16;
const BASE64 = /^[A-Za-z0-9+/=_\-\\\s]+$/;
/** The number of characters checked to recognise Base64. */
const LOOK = 200;

/** Properties of a medium in its dictionary, besides its content. */
interface About {
  readonly type: string | undefined;
  readonly within: string | undefined;
  readonly mediaType: string | undefined;
  readonly name: string | undefined;
}

/** The medium in a dictionary of a text; undefined if it has none. */
export function findDictMedium(text: string, { members, within }: Dict): Medium | undefined {
  const wordOf = (keys: readonly string[]): string | undefined => {
    const span = keys.map(key => members.get(key)).find(found => found !== undefined);
    return span && readWord(text, span);
  };
  for (const row of MEDIA_HOLDERS) {
    const span = members.get(row.key);
    if (!span || span.start === span.end) continue;
    const type = wordOf(['type', 'kind']);
    const named = wordOf(MEDIA_TYPE_KEYS);
    const about = {
      type,
      within,
      mediaType: readMediaType(named, type ?? within),
      name: wordOf(MEDIA_NAME_KEYS),
    };
    const medium = readHeld(text, row, span, about);
    if (medium) return medium;
  }
  return undefined;
}

function readHeld(text: string, row: HolderRow, span: Span, about: About): Medium | undefined {
  const url = readDataUrl(text, span.start);
  if (url && url.span.end === span.end)
    return dataMedium(text, url.data, url.mediaType, { span, row, about });
  const start = text.slice(span.start, Math.min(span.end, span.start + LOOK));
  const isAddress = ADDRESS.test(start) || (row.holds === 'address' && start.startsWith('/'));
  if (isAddress ? row.holds === 'bytes' : row.holds === 'address') return undefined;
  // Content that is not Base64 counts as broken bytes of a picture, sound or video; a file may be described
  // in words instead.
  const isFile = (kindOf(row, about) ?? 'file') === 'file';
  if (!isAddress && isFile && !BASE64.test(start)) return undefined;
  if (!isAddress) return dataMedium(text, span, undefined, { span, row, about });
  if (!fits(row, about)) return undefined;
  const address = text.slice(span.start, span.end).replace(/\\(?=[/\]])/g, '');
  const { mediaType, name } = about;
  return { span, kind: kindOf(row, about) ?? 'file', mediaType, name, content: { address } };
}

interface Holder {
  readonly span: Span;
  readonly row: HolderRow;
  readonly about: About;
}

function dataMedium(
  text: string,
  data: Span,
  ownType: string | undefined,
  { span, row, about }: Holder,
): Medium | undefined {
  const start = text.slice(data.start, Math.min(data.end, data.start + LONGEST_START));
  const mediaType = checkMediaType(ownType) ?? about.mediaType ?? guessMediaType(start);
  const known = { ...about, mediaType };
  if (ownType === undefined && !fits(row, known)) return undefined;
  const kind = kindOf(row, known) ?? 'file';
  return { span, kind, mediaType, name: about.name, content: { base64: text.slice(data.start, data.end) } };
}

/** True if the dictionary has enough evidence that its content is a medium. */
function fits({ needs }: HolderRow, { type, within, mediaType, name }: About): boolean {
  const isType = KIND_WORDS.has(type ?? '') || KIND_WORDS.has(within ?? '');
  switch (needs) {
    case undefined:
      return true;
    case 'type':
      return isType;
    case 'generated':
      return type === 'image_generation_call';
    case 'typed':
      return isType || mediaType !== undefined;
    case 'file':
      return within === 'file' || type === 'resource_link';
    case 'about':
      return mediaType !== undefined || name !== undefined;
    case 'medium':
      return isType || kindOfMediaType(mediaType) !== undefined;
  }
}

/** The kind of a medium: from its media type, or else from the name of the member or the dictionary's type. */
function kindOf(row: HolderRow, { type, within, mediaType }: About): MediaKind | undefined {
  const named = KIND_WORDS.get(type ?? '') ?? KIND_WORDS.get(within ?? '');
  return kindOfMediaType(mediaType) ?? row.kind ?? named;
}

/** The medium of a data URL that is not in a media dictionary. */
export function dataUrlMedium(text: string, start: number): Medium | undefined {
  const url = readDataUrl(text, start);
  if (!url || url.data.start === url.data.end) return undefined;
  const base64 = text.slice(url.data.start, url.data.end);
  const mediaType = checkMediaType(url.mediaType) ?? guessMediaType(base64);
  const kind = kindOfMediaType(mediaType) ?? 'file';
  return { span: url.span, kind, mediaType, name: undefined, content: { base64 } };
}

/** Undefined for other media types; the dictionary then decides the kind. */
function kindOfMediaType(mediaType: string | undefined): MediaKind | undefined {
  const [first] = mediaType?.split('/') ?? [];
  if (first === 'image' || first === 'audio' || first === 'video') return first;
  return undefined;
}

function guessMediaType(base64: string): string | undefined {
  return MEDIA_SIGNATURES.find(({ start }) => base64.startsWith(start))?.media;
}

/** The media type as given, or completed by the kind if only the second half is given, as for sounds: `wav`. */
function readMediaType(named: string | undefined, type: string | undefined): string | undefined {
  if (named === undefined) return undefined;
  const kind = KIND_WORDS.get(type ?? '');
  return checkMediaType(named) ?? (kind && kind !== 'file' ? checkMediaType(`${kind}/${named}`) : undefined);
}

/** A media type in lower case without parameters; undefined if the text is not a media type. */
function checkMediaType(named: string | undefined): string | undefined {
  const [type = ''] = (named ?? '').toLowerCase().split(';');
  return MEDIA_TYPE.test(type.trim()) ? type.trim() : undefined;
}

function readWord(text: string, { start, end }: Span): string | undefined {
  if (start === end || end - start > LONGEST_WORD) return undefined;
  return text
    .slice(start, end)
    .replaceAll('\\/', '/')
    .replace(/\\u005d/gi, ']');
}
