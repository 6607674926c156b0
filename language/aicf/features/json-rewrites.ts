import type { Rewrite } from '../../format.ts';
import { layOutJson, type JsonStyle } from '../../json/json-layout.ts';
import { shiftSpan, type Span } from '../../../core/text/span.ts';
import { findPlace } from '../cursor.ts';
import { toolsAt } from '../file-tools.ts';
import { findLinkedJson, readLinked } from '../linked-json.ts';
import type { AicfDocument } from '../parse.ts';

/** The formatter does not change JSON in fields; these layouts are applied on request only. */
const STYLES: readonly { readonly style: JsonStyle; readonly title: string }[] = [
  { style: 'minified', title: 'Minify this JSON' },
  { style: 'spaced', title: 'Space out this JSON' },
];

/** Maximum length of JSON that is read, whatever the caller allows. */
const LONGEST_READ = 1 << 20;

/**
 * Alternative layouts of the JSON at the start of a range, on its one line. Only blanks between tokens
 * change; numbers, texts and keys stay as written. Invalid JSON and JSON longer than `most` is skipped.
 */
export function rewrites(doc: AicfDocument, range: Span, most: number): readonly Rewrite[] {
  if (doc.dialect === 'context') return [];
  const place = findPlace(doc, range.start);
  if (place.kind !== 'field') return [];
  const json = findLinkedJson(place, toolsAt(doc, place.line.number), Math.min(most, LONGEST_READ));
  if (!json || readLinked(json).fault) return [];
  const { embedded } = json;
  return STYLES.map(({ style, title }) => ({
    title,
    edits: layOutJson(embedded.text, style).map(({ span, newText }) => ({
      span: shiftSpan(embedded.toSource(span), place.line.start),
      newText,
    })),
  })).filter(({ edits }) => edits.length > 0);
}
