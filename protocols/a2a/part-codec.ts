import { PARTS } from '../../core/catalog/parts.ts';
import { findEntry, textIn, textValue, type DictValue, type Value } from '../../core/values/value.ts';
import { ENVELOPE } from '../message/envelope.ts';
import { Members } from '../message/members.ts';
import { dictOf } from '../conversation/verified.ts';
import {
  isWrapped,
  knownMedia,
  memberOf,
  type OpenPart,
  type Part,
  type PartCodec,
} from '../content/codec.ts';

/** Parts of A2A 1.0: `{text}`, `{raw}`, `{url}` or `{data}`, with `mediaType` and `filename`. The mark is `metadata.parley`. */
export const newParts: PartCodec = {
  open: own => {
    const members = new Members(own);
    const data = members.take('data');
    const text = members.takeKind('text', 'text');
    const raw = members.takeKind('raw', 'text');
    const url = members.takeKind('url', 'text');
    const about = { media: members.take('mediaType'), name: members.take('filename') };
    return openOwn({ data, text, raw, url }, about, members);
  },
  close: (part, mark) => {
    const about = {
      mediaType: knownMedia(part),
      filename: memberOf(part, 'name'),
      metadata: metadataOf(part, mark),
    };
    if (part.holds === 'text') return dictOf({ text: part.value, ...about });
    if (part.type === 'data') return dictOf({ data: part.value, ...about });
    return dictOf({ [part.holds === 'data' ? 'raw' : 'url']: part.value, ...about });
  },
  accepts: value =>
    ['text', 'raw', 'url', 'data'].some(key => findEntry(value, key)) && !findEntry(value, 'type'),
  wrap: (data, mark) => dictOf({ data, metadata: dictOf({ [ENVELOPE]: mark }) }),
  unwrap,
};

/** Parts of A2A 0.3, which name their kind: `text`, `data`, and `file` with `bytes` or `uri`. */
export const oldParts: PartCodec = {
  open: own => {
    const members = new Members(own);
    const kind = members.takeKind('kind', 'text')?.text;
    const file = new Members(kind === 'file' ? members.takeKind('file', 'dict') : undefined);
    const data = kind === 'data' ? members.take('data') : undefined;
    const text = kind === 'text' ? members.takeKind('text', 'text') : undefined;
    const raw = file.takeKind('bytes', 'text');
    const url = file.takeKind('uri', 'text');
    const about = { media: file.take('mimeType'), name: file.take('name') };
    return file.size > 0 ? undefined : openOwn({ data, text, raw, url }, about, members);
  },
  close: (part, mark) => {
    const metadata = metadataOf(part, mark);
    if (part.holds === 'text') return dictOf({ kind: textValue('text'), text: part.value, metadata });
    if (part.type === 'data') return dictOf({ kind: textValue('data'), data: part.value, metadata });
    const file = dictOf({
      name: memberOf(part, 'name'),
      mimeType: knownMedia(part),
      [part.holds === 'data' ? 'bytes' : 'uri']: part.value,
    });
    return dictOf({ kind: textValue('file'), file, metadata });
  },
  accepts: value => ['text', 'file', 'data'].includes(textIn(findEntry(value, 'kind')) ?? ''),
  wrap: (data, mark) => dictOf({ kind: textValue('data'), data, metadata: dictOf({ [ENVELOPE]: mark }) }),
  unwrap,
};

interface Held {
  readonly data: Value | undefined;
  readonly text: Value | undefined;
  readonly raw: Value | undefined;
  readonly url: Value | undefined;
}

interface About {
  readonly media: Value | undefined;
  readonly name: Value | undefined;
}

/** The part that holds the one thing that is there. */
function openOwn({ data, text, raw, url }: Held, about: About, left: Members): OpenPart | undefined {
  const [value, ...others] = [data, text, raw, url].filter(held => held !== undefined);
  if (!value || others.length > 0) return undefined;
  const mark = findEntry(left.peek('metadata'), ENVELOPE);
  const metadata = mark ? undefined : left.peek('metadata');
  const more = [
    { key: 'mimeType', value: about.media },
    { key: 'name', value: about.name },
    { key: 'metadata', value: metadata },
  ].flatMap(entry => (entry.value ? [{ key: entry.key, value: entry.value }] : []));
  const isFile = value === raw || value === url;
  const type = isFile ? fileType(about.media) : value === text ? 'text' : 'data';
  const holds = value === text ? 'text' : value === url ? 'url' : 'data';
  return { part: { type, holds, value, more }, mark };
}

/** What a file is by its media type. */
function fileType(media: Value | undefined): string {
  const type = textIn(media) ?? '';
  return PARTS.find(row => row.media !== undefined && type.startsWith(row.media))?.name ?? 'file';
}

function metadataOf(part: Part, mark: DictValue | undefined): Value | undefined {
  return mark ? dictOf({ [ENVELOPE]: mark }) : memberOf(part, 'metadata');
}

function unwrap(own: DictValue): Value | undefined {
  return isWrapped(findEntry(findEntry(own, 'metadata'), ENVELOPE)) ? findEntry(own, 'data') : undefined;
}
