import type { OpenDocument } from '../../protocol/src/language/support.ts';
import { findMedia } from '../../protocol/src/media/find-media.ts';
import type { MediaList } from '../../protocol/src/media/media.ts';
import type { SourceText } from '../../protocol/src/text/source-text.ts';

const KEPT = new WeakMap<SourceText, MediaList>();

/** The media of a document, found once a version. */
export function mediaOf({ text, language }: OpenDocument): MediaList {
  const kept = KEPT.get(text);
  if (kept) return kept;
  const found = findMedia(String(text), language);
  KEPT.set(text, found);
  return found;
}
