import type { ConversionName } from '../../core/catalog/conversions.ts';
import type { ToolTable } from '../../language/tools.ts';
import { runAtOnce } from '../../core/text/slices.ts';
import { meetsSpan, type Span } from '../../core/text/span.ts';
import { takeSteps, type SourceMessage } from './read-text.ts';
import { Report, type Loss, type Note } from '../../core/message/report.ts';
import type { Layout, Places } from '../../language/values/text-layer.ts';
import { TextWriter, type KnownBefore, type TextWriterOptions, type WrittenText } from './write-text.ts';
import type { WantedMessages } from './written-messages.ts';

export interface ConvertOptions {
  /** The protocol of the text; without it each message is recognised by what it looks like. */
  readonly from?: ConversionName | undefined;
  readonly to: ConversionName;
  /** `pretty` if left out; `fitting` is pretty but for several messages of JSON: a line each. */
  readonly layout?: Layout | 'fitting' | undefined;
  /** The tools that are known beside those that the text itself declares. */
  readonly tools?: ToolTable | undefined;
  /** Only the messages that touch this span of the text are written; the others count for ids and tools. */
  readonly within?: Span | undefined;
  /** Keeps where values stand in both texts, for who shows them side by side. */
  readonly keepsPlaces?: true;
}

/** A text in another protocol, with all that it does not say as the source did. */
export interface Converted {
  readonly text: string;
  /** The same in parts, for who writes it on: a long text is then never whole. */
  readonly pieces: readonly string[];
  readonly losses: readonly Loss[];
  /** How many losses there are beside those that are told one by one. */
  readonly untold: number;
  readonly notes: readonly Note[];
  readonly messageCount: number;
  /** The messages in order: the protocol of each, and where it stands on both sides. */
  readonly messages: readonly ConvertedMessage[];
  /** Only where they were asked for. */
  readonly sourcePlaces: Places | undefined;
  readonly resultPlaces: Places | undefined;
}

export interface ConvertedMessage {
  readonly from: ConversionName;
  readonly source: Span;
  /** Undefined for a message that is nothing in the result, such as the end of a stream whose last part says so. */
  readonly result: Span | undefined;
}

/**
 * Converts all messages of a text, whatever it holds: what cannot be read is a loss with its place, and the rest is
 * converted. Never throws; one pass over the text, one over the messages.
 */
export function convertText(text: string, options: ConvertOptions): Converted {
  return runAtOnce(convertSteps(text, options));
}

/**
 * The same in slices of a few milliseconds: who drives it may rest between them, or stop. Finding the lines of AICF, and a
 * single message however long, are one slice.
 */
export function* convertSteps(text: string, options: ConvertOptions): Generator<undefined, Converted> {
  const { taker, written, report, sourcePlaces, resultPlaces } = yield* writtenSteps(text, options);
  // What is told of the reading stands before what is told of the writing, although both go on at once.
  report.adopt(taker.report);
  return new Conversion(taker, written, { report, sourcePlaces, resultPlaces });
}

/** A conversion with what is told of its reading and, by who took the messages, of its writing. */
interface WrittenConversion extends Pick<Converted, 'sourcePlaces' | 'resultPlaces'> {
  readonly taker: TextWriter;
  readonly written: WrittenText;
  readonly report: Report;
}

/** The same without an account of it. A text of more than `most` characters is dropped. */
export function* writtenSteps(
  text: string,
  options: ConvertOptions & Pick<TextWriterOptions, 'most'>,
): Generator<undefined, WrittenConversion> {
  const { to, from, tools, within, layout = 'pretty', most } = options;
  const sourcePlaces: Places | undefined = options.keepsPlaces ? new Map() : undefined;
  const resultPlaces: Places | undefined = options.keepsPlaces ? new Map() : undefined;
  const isWanted = ({ span }: SourceMessage): boolean => !within || meetsSpan(span, within);
  let report = new Report();
  const takeAll = (known?: KnownBefore): ReturnType<typeof takeSteps<TextWriter>> =>
    takeSteps(text, { from, tools, report, places: sourcePlaces, within }, () => {
      resultPlaces?.clear();
      return new TextWriter({
        to,
        layout,
        report: new Report(),
        isWanted,
        places: resultPlaces,
        known,
        most,
      });
    });
  let taken = yield* takeAll();
  if (taken.taker.hasGivenUp) {
    report = new Report();
    sourcePlaces?.clear();
    taken = yield* takeAll({ tools: taken.tools, areEvents: taken.taker.areEvents });
  }
  const { taker, tools: known } = taken;
  const written = yield* taker.endSteps(known);
  return { taker, written, report, sourcePlaces, resultPlaces };
}

/** What a conversion came to; what takes much memory is made when somebody asks. */
class Conversion implements Converted {
  readonly losses: readonly Loss[];
  readonly untold: number;
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
    this.untold = report.untold;
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
