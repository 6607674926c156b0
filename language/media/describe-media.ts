import { MEDIA_ENDINGS, type MediaKind } from '../../core/catalog/media.ts';
import { ANY_MEDIA } from '../../core/catalog/parts.ts';
import { showBytes } from '../../tensor/size-words.ts';
import { showCount } from '../../core/text/count.ts';
import type { Medium } from './media.ts';
import { readPictureHead, type PictureHead } from './picture-size.ts';
import type { MediaReading } from './read-media.ts';
import { trimOf } from '../../core/text/trim.ts';

/** What an editor offers to do with a medium. */
export const MEDIA_ACTIONS: Readonly<Record<MediaKind, string>> = {
  image: 'Show image',
  audio: 'Play audio',
  video: 'Show video',
  file: 'Save file',
};

/** What is to be known of a medium beside its name, in sentences without a full stop, the first one what it is. */
export function describeMedium(medium: Medium, reading: MediaReading | undefined): readonly string[] {
  const { kind, mediaType } = medium;
  const what = mediaType ?? `${kind} of a type that nobody names`;
  if (!reading) return [what, 'It is not in the message, which tells where it is'];
  if (reading.kind === 'fault') return [what, reading.problem];
  const head = readPictureHead(reading.bytes);
  const size = head ? [`${showCount(head.width)}×${showCount(head.height)} pixels`] : [];
  return [what, ...size, showBytes(reading.bytes.length), ...describeOther(mediaType, head)];
}

/** That the bytes are of another type than the message says. */
function describeOther(mediaType: string | undefined, head: PictureHead | undefined): readonly string[] {
  const named = mediaType === 'image/jpg' ? 'image/jpeg' : mediaType;
  if (!head || named === undefined || named === head.mediaType) return [];
  return [`Its bytes are ${head.mediaType}`];
}

/** A name to save it under: its own without folders and with an ending, else its kind's. */
export function fileNameOf({ kind, mediaType, name }: Medium): string {
  const ending = MEDIA_ENDINGS.get(mediaType ?? ANY_MEDIA) ?? 'bin';
  const last = (name ?? '').split(/[\\/]/).at(-1) ?? '';
  const stem = trimOf(last.replace(/[^\p{L}\p{N}._ -]+/gu, '-'), '. -');
  if (stem === '') return `${kind}.${ending}`;
  return /\.[a-z0-9]{1,8}$/i.test(stem) ? stem : `${stem}.${ending}`;
}
