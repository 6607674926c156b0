import type { OpenDocument } from '../../language/support.ts';
import { findMedia } from '../../language/media/find-media.ts';
import type { MediaList } from '../../language/media/media.ts';
import type { SourceText } from '../../core/text/source-text.ts';

const KEPT = new WeakMap<SourceText, MediaList>();

/** The media of a document, found once a version. */
export function mediaOf({ text, language }: OpenDocument): MediaList {
  const kept = KEPT.get(text);
  if (kept) return kept;
  const found = findMedia(String(text), language);
  KEPT.set(text, found);
  return found;
}
