import { MEDIA_ENDINGS, type MediaKind, ANY_MEDIA } from '../../core/catalog/media.ts';
import { showBytes } from '../../tensor/size-words.ts';
import { showCount } from '../../core/text/count.ts';
import type { Medium, MediaReading } from './media.ts';
import { readPictureHead, type PictureHead } from './picture-size.ts';
import { trimOf } from '../../core/text/trim.ts';

/** The action of an editor for each kind of medium. */
export const MEDIA_ACTIONS: Readonly<Record<MediaKind, string>> = {
  image: 'Show image',
  audio: 'Play audio',
  video: 'Show video',
  file: 'Save file',
};

/** Facts about a medium besides its name, as sentences without a full stop; the first one is its type. */
export function describeMedium(medium: Medium, reading: MediaReading | undefined): readonly string[] {
  const { kind, mediaType } = medium;
  const what = mediaType ?? `${kind} of an undeclared type`;
  if (!reading) return [what, 'It is not in the message, which has only its address'];
  if (reading.kind === 'fault') return [what, reading.problem];
  const head = readPictureHead(reading.bytes);
  const size = head ? [`${showCount(head.width)}×${showCount(head.height)} pixels`] : [];
  return [what, ...size, showBytes(reading.bytes.length), ...describeOther(mediaType, head)];
}

/** Reports that the bytes have another type than the message states. */
function describeOther(mediaType: string | undefined, head: PictureHead | undefined): readonly string[] {
  const named = mediaType === 'image/jpg' ? 'image/jpeg' : mediaType;
  if (!head || named === undefined || named === head.mediaType) return [];
  return [`Its bytes are ${head.mediaType}`];
}

/** A file name for saving: the medium's own without folders and with an extension, or else one made from its kind. */
export function fileNameOf({ kind, mediaType, name }: Medium): string {
  const ending = MEDIA_ENDINGS.get(mediaType ?? ANY_MEDIA) ?? 'bin';
  const last = (name ?? '').split(/[\\/]/).at(-1) ?? '';
  const stem = trimOf(last.replace(/[^\p{L}\p{N}._ -]+/gu, '-'), '. -');
  if (stem === '') return `${kind}.${ending}`;
  return /\.[a-z0-9]{1,8}$/i.test(stem) ? stem : `${stem}.${ending}`;
}
