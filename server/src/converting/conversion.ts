import type { ConversionName } from '../../../core/catalog/conversions.ts';
import {
  convertSteps,
  type Converted,
  type ConvertedMessage,
  type ConvertOptions,
} from '../../../protocols/convert/convert.ts';
import type { Places } from '../../../language/values/text-layer.ts';
import type { OpenDocument } from '../../../language/support.ts';
import { SourceText } from '../../../core/text/source-text.ts';
import { meetsSpan, type Span } from '../../../core/text/span.ts';
import { otherSide, PlacePairs, type Side } from './place-pairs.ts';

/** What is converted, and what is known of it. */
export interface ConversionSource extends Pick<ConvertOptions, 'tools'> {
  readonly text: SourceText;
  readonly from: ConversionName | undefined;
  /** Whole messages of the text; undefined for all of it. */
  readonly within: Span | undefined;
}

/** A conversion with both of its texts. */
export interface Conversion {
  readonly source: SourceText;
  readonly result: SourceText;
  readonly converted: Converted;
}

/** Converts in slices, as `convertSteps` does. */
export function* convertSource(
  { text, from, within, tools }: ConversionSource,
  { to, layout }: Pick<ConvertOptions, 'to' | 'layout'>,
): Generator<undefined, Conversion> {
  const converted = yield* convertSteps(String(text), {
    from,
    to,
    within,
    keepsPlaces: true,
    ...(layout && { layout }),
    ...(tools && { tools }),
  });
  return { source: text, result: SourceText.of(converted.text), converted };
}

/** Where a message stands, without the line breaks around it. */
export function trimSpan(text: SourceText, { start, end }: Span): Span {
  const isLineBreak = (at: number): boolean => [LF, CR].includes(text.charCodeAt(at));
  while (start < end && isLineBreak(start)) start++;
  while (end > start && isLineBreak(end - 1)) end--;
  return { start, end };
}

const LF = 10;
const CR = 13;

/** The messages that a span of a document touches, from the first to the last; undefined where it touches none. */
export function messagesAt(document: OpenDocument, span: Span): Span | undefined {
  let [first, last]: (Span | undefined)[] = [];
  for (const message of document.messages(span)) {
    // A cursor between two that touch each other stands in the second.
    if (!first || span.start === span.end) first = message;
    last = message;
  }
  return first && last && { start: first.start, end: last.end };
}

const NO_PLACES: Places = new Map();

/** What is kept of a conversion, so that a place of one text can be found in the other. */
export class KeptConversion {
  readonly #texts: Readonly<Record<Side, SourceText>>;
  readonly #messages: readonly ConvertedMessage[];
  readonly #pairs: PlacePairs;

  constructor({ source, result, converted }: Conversion) {
    this.#texts = { source, result };
    this.#messages = converted.messages.map(message => ({
      ...message,
      result: message.result && trimSpan(result, message.result),
    }));
    this.#pairs = new PlacePairs(converted.sourcePlaces ?? NO_PLACES, converted.resultPlaces ?? NO_PLACES);
  }

  /** The text of a side, with its lines. */
  textOf(side: Side): SourceText {
    return this.#texts[side];
  }

  /** What a span became: the innermost value that holds it, else the messages that it touches. */
  find(side: Side, span: Span): Span | undefined {
    const value = this.#pairs.find(side, span);
    if (value) return value;
    const to = otherSide(side);
    const found = this.#messages
      .filter(message => message[side] && meetsSpan(span, message[side]))
      .flatMap(message => message[to] ?? []);
    const [first] = found;
    return first && found.reduce(joinSpans, first);
  }
}

function joinSpans(one: Span, other: Span): Span {
  return { start: Math.min(one.start, other.start), end: Math.max(one.end, other.end) };
}
