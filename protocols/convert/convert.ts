import type { ToolTable } from '../../language/tools.ts';
import { runAtOnce } from '../../core/text/slices.ts';
import { meetsSpan, type Span } from '../../core/text/span.ts';
import type { MessageProtocols } from '../protocol.ts';
import { takeSteps } from './read-text.ts';
import type { SourceMessage } from './source-message.ts';
import { Report, type Loss, type Note } from '../../core/message/report.ts';
import type { Layout, Places } from '../../language/values/text-layer.ts';
import { TextWriter, type TextWriterOptions, type WrittenText } from './write-text.ts';
import type { WantedMessages } from './written-messages.ts';

/** How a text is converted to another protocol. */
export interface ConvertOptions {
  readonly protocols: MessageProtocols;
  /** The protocol of the text; without it, each message is recognised. */
  readonly from?: string | undefined;
  readonly to: string;
  /**
   * `pretty` if left out; `fitting` is compact for several JSON messages, one line each, and pretty
   * otherwise.
   */
  readonly layout?: Layout | 'fitting' | undefined;
  /** Known tools besides those that the text declares. */
  readonly tools?: ToolTable | undefined;
  /** Only messages that touch this span of the text are written; the others still count for ids and tools. */
  readonly within?: Span | undefined;
  /** Records the positions of values in both texts, to show them side by side. */
  readonly keepsPlaces?: true;
  /**
   * Receives the pieces of a text of more than `mostStored` characters, which are then not in the result. The
   * messages of such a text are read twice: only all of them show how some are written.
   */
  readonly emit?: ((piece: string) => unknown) | undefined;
  /** 8 million if left out. */
  readonly mostStored?: number;
}

/** A text in another protocol, with everything that it does not carry exactly. */
export interface Converted {
  /** The text, without pieces that were emitted. */
  readonly text: string;
  /** The same in pieces, so that a caller can pass on a long one without joining it. */
  readonly pieces: readonly string[];
  readonly losses: readonly Loss[];
  /** The number of losses besides those in `losses`. */
  readonly unreported: number;
  readonly notes: readonly Note[];
  readonly messageCount: number;
  /** The messages in order, each with its protocol and its spans in both texts. */
  readonly messages: readonly ConvertedMessage[];
  /** Defined only with `keepsPlaces`. */
  readonly sourcePlaces: Places | undefined;
  readonly resultPlaces: Places | undefined;
}

export interface ConvertedMessage {
  readonly from: string;
  readonly source: Span;
  /** Undefined for a message without text in the result, such as the end of a stream that is part of the last chunk. */
  readonly result: Span | undefined;
}

/**
 * Converts all messages of any text. A part that cannot be read is a loss with its position; the rest is
 * converted. Never throws; one pass over the text, one over the messages.
 */
export function convertText(text: string, options: ConvertOptions): Converted {
  return runAtOnce(convertSteps(text, options));
}

/**
 * The same in slices of a few milliseconds, between which the caller may pause or stop. Finding the lines of
 * AICF is one slice, and so is any single message.
 */
export function* convertSteps(text: string, options: ConvertOptions): Generator<undefined, Converted> {
  const { taker, written, report, sourcePlaces, resultPlaces } = yield* writtenSteps(text, options);
  // Reports of reading come before those of writing, although both run interleaved.
  report.adopt(taker.report);
  return new Conversion(taker, written, { report, sourcePlaces, resultPlaces });
}

/** The result of a conversion: its report on reading, and the writer, whose report is on writing. */
interface WrittenConversion extends Pick<Converted, 'sourcePlaces' | 'resultPlaces'> {
  readonly taker: TextWriter;
  readonly written: WrittenText;
  readonly report: Report;
}

/**
 * Converts a text and returns its writer, without the summary of messages and losses. A text of more than
 * `most` characters is dropped.
 */
export function* writtenSteps(
  text: string,
  options: ConvertOptions & Pick<TextWriterOptions, 'most'>,
): Generator<undefined, WrittenConversion> {
  const {
    protocols,
    to,
    from,
    tools,
    within,
    layout = 'pretty',
    most = Infinity,
    emit,
    mostStored = 1 << 23,
  } = options;
  const sourcePlaces: Places | undefined = options.keepsPlaces ? new Map() : undefined;
  const resultPlaces: Places | undefined = options.keepsPlaces ? new Map() : undefined;
  const isWanted = ({ span }: SourceMessage): boolean => !within || meetsSpan(span, within);
  const report = new Report();
  const begin = (limits: Pick<TextWriterOptions, 'known' | 'most' | 'emit'>): TextWriter => {
    resultPlaces?.clear();
    const options = { protocols, to, layout, report: new Report(), isWanted, places: resultPlaces };
    return new TextWriter({ ...options, ...limits });
  };
  const first = yield* takeSteps(text, { protocols, from, tools, report, places: sourcePlaces, within }, () =>
    begin({ most: emit ? Math.min(most, mostStored) : most }),
  );
  let { taker } = first;
  let written = yield* taker.endSteps(first.tools);
  if (taker.hasGivenUp || (emit && taker.isTooLong)) {
    taker = begin({ known: { tools: first.tools, areEvents: taker.areEvents }, most, emit });
    yield* first.takeAgainSteps(taker);
    written = yield* taker.endSteps(first.tools);
  }
  return { taker, written, report, sourcePlaces, resultPlaces };
}

/** The result of a conversion; parts that take much memory are made on demand. */
class Conversion implements Converted {
  readonly losses: readonly Loss[];
  readonly unreported: number;
  readonly notes: readonly Note[];
  readonly sourcePlaces: Places | undefined;
  readonly resultPlaces: Places | undefined;
  readonly #wanted: WantedMessages;
  readonly #written: WrittenText;
  #text: string | undefined;
  #messages: readonly ConvertedMessage[] | undefined;

  constructor(
    { wanted, given }: TextWriter,
    written: WrittenText,
    {
      report,
      ...places
    }: { readonly report: Report } & Readonly<Record<'sourcePlaces' | 'resultPlaces', Places | undefined>>,
  ) {
    this.losses = report.losses.map(loss => {
      if (loss.span || given < 2) return loss;
      const number = `[${(wanted.indexAt(loss.index) ?? loss.index) + 1}]`;
      const isStep = loss.path === '' || loss.path.startsWith('[');
      return { ...loss, path: isStep ? number + loss.path : `${number}.${loss.path}` };
    });
    this.unreported = report.unreported;
    this.notes = report.notes;
    this.sourcePlaces = places.sourcePlaces;
    this.resultPlaces = places.resultPlaces;
    this.#wanted = wanted;
    this.#written = written;
  }

  get pieces(): readonly string[] {
    return this.#written.pieces;
  }

  get text(): string {
    return (this.#text ??= this.pieces.join(''));
  }

  get messageCount(): number {
    return this.#wanted.length;
  }

  get messages(): readonly ConvertedMessage[] {
    return (this.#messages ??= Array.from(this.#wanted, ({ index, protocol, span }) => ({
      from: protocol,
      source: span,
      result: this.#written.spans.at(index),
    })));
  }
}
