import type { LanguageId } from '../../core/catalog/languages.ts';
import { sideOf } from '../aicf/ast.ts';
import { embedField } from '../aicf/codec.ts';
import { readLine } from '../aicf/parse.ts';
import type { Span } from '../../core/text/span.ts';
import { listAiclDicts } from './aicl-dicts.ts';
import { listDataUrls } from './data-urls.ts';
import { dataUrlMedium, findDictMedium } from './dict-media.ts';
import type { Dict } from './dict.ts';
import { listJsonDicts } from './json-dicts.ts';
import type { MediaList, Medium } from './media.ts';

/** Maximum number of media found in a text. */
export const MAX_MEDIA = 1_000;

/**
 * Finds the first `MAX_MEDIA` pictures, sounds, videos and files in a text of any protocol: in dictionaries
 * of LightAICL, of JSON, and of JSON in AICF fields, and data URLs anywhere. JSON inside a JSON string is
 * searched for data URLs only. Never fails; linear in the text.
 *
 * @param language the text's language; undefined for JSON, events and other text
 */
export function findMedia(text: string, language: LanguageId | undefined): MediaList {
  const found = [...findInDicts(text, language)].sort((one, other) => one.span.start - other.span.start);
  const media = [...withDataUrls(text, found)];
  return { media: media.slice(0, MAX_MEDIA), isCut: media.length > MAX_MEDIA };
}

function* findInDicts(text: string, language: LanguageId | undefined): Generator<Medium> {
  if (language === 'aicf') {
    yield* findInLines(text);
    return;
  }
  const dicts: Iterable<Dict> = language === 'aicl' ? listAiclDicts(text) : listJsonDicts(text);
  for (const dict of dicts) {
    const medium = findDictMedium(text, dict);
    if (medium) yield medium;
  }
}

/** Searches the lines of AICF, where JSON is encoded with the escapes of fields. */
function* findInLines(text: string): Generator<Medium> {
  for (let start = 0; start < text.length;) {
    const end = lineEnd(text, start);
    const line = text.slice(start, end);
    if (line.includes('{')) {
      const embedded = embedField(line, start, sideOf(readLine(line)));
      for (const dict of listJsonDicts(embedded.text)) {
        const medium = findDictMedium(embedded.text, dict);
        if (medium) yield { ...medium, span: embedded.toSource(medium.span) };
      }
    }
    start = end + 1;
  }
}

function lineEnd(text: string, from: number): number {
  const found = text.indexOf('\n', from);
  return found < 0 ? text.length : found;
}

/** Adds the data URLs outside of the media that dictionaries contain. */
function* withDataUrls(text: string, media: readonly Medium[]): Generator<Medium> {
  let index = 0;
  let end = 0;
  const isHeld = ({ start }: Span): boolean => start < end;
  for (const { span } of listDataUrls(text)) {
    for (let next = media[index]; next && next.span.start <= span.start; next = media[++index]) {
      yield next;
      end = Math.max(end, next.span.end);
    }
    const medium = isHeld(span) ? undefined : dataUrlMedium(text, span.start);
    if (medium) yield medium;
  }
  yield* media.slice(index);
}
