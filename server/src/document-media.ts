import type { OpenDocument } from '../../language/support.ts';
import { findMedia } from '../../language/media/find-media.ts';
import type { MediaList } from '../../language/media/media.ts';
import type { SourceText } from '../../core/text/source-text.ts';

const CACHE = new WeakMap<SourceText, MediaList>();

/** The media of a document, found once per version. */
export function mediaOf({ text, language }: OpenDocument): MediaList {
  const stored = CACHE.get(text);
  if (stored) return stored;
  const found = findMedia(String(text), language);
  CACHE.set(text, found);
  return found;
}
