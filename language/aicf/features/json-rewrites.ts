import type { Rewrite } from '../../format.ts';
import { layOutJson, type JsonStyle } from '../../json/json-layout.ts';
import { shiftSpan, type Span } from '../../../core/text/span.ts';
import { findPlace } from '../cursor.ts';
import { toolsAt } from '../file-tools.ts';
import { findLinkedJson, readLinked } from '../linked-json.ts';
import type { AicfDocument } from '../parse.ts';

/** A file is formatted line by line, and the JSON in its fields stays as it is: its layout is a person's choice. */
const STYLES: readonly { readonly style: JsonStyle; readonly title: string }[] = [
  { style: 'minified', title: 'Minify this JSON' },
  { style: 'spaced', title: 'Space out this JSON' },
];

/** Longer JSON is left alone, whoever asks. */
const LONGEST_READ = 1 << 20;

/**
 * The other layouts of the JSON that a range begins in, on its one line: blanks between its tokens come and go, and each
 * number, text and key stays as it is written. JSON that is longer than `most`, or broken, is left alone.
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
