import { ALL_MESSAGES } from '../../../protocols/all.ts';
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

/** A text to convert, with the known facts about it. */
export interface ConversionSource extends Pick<ConvertOptions, 'tools'> {
  readonly text: SourceText;
  readonly from: string | undefined;
  /** The span of the messages to convert; undefined for the whole text. */
  readonly within: Span | undefined;
}

/** A conversion with its source and result texts. */
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
    protocols: ALL_MESSAGES,
    from,
    to,
    within,
    keepsPlaces: true,
    ...(layout && { layout }),
    ...(tools && { tools }),
  });
  return { source: text, result: SourceText.of(converted.text), converted };
}

/** The span of a message without surrounding line breaks. */
export function trimSpan(text: SourceText, { start, end }: Span): Span {
  const isLineBreak = (at: number): boolean => [LF, CR].includes(text.charCodeAt(at));
  while (start < end && isLineBreak(start)) start++;
  while (end > start && isLineBreak(end - 1)) end--;
  return { start, end };
}

const LF = 10;
const CR = 13;

/** The span from the first to the last message that a span touches; undefined if it touches none. */
export function messagesAt(document: OpenDocument, span: Span): Span | undefined {
  let [first, last]: (Span | undefined)[] = [];
  for (const message of document.messages(span)) {
    // A cursor between two adjacent messages belongs to the second.
    if (!first || span.start === span.end) first = message;
    last = message;
  }
  return first && last && { start: first.start, end: last.end };
}

const NO_PLACES: Places = new Map();

/** A stored conversion, for finding a place of one text in the other. */
export class StoredConversion {
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

  /** The text of a side. */
  textOf(side: Side): SourceText {
    return this.#texts[side];
  }

  /**
   * The corresponding span on the other side: of the innermost value that contains the span, or else of the
   * messages that it touches.
   */
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
