import type { ConversionName } from '../catalog/conversions.ts';
import type { ToolTable } from '../language/tools.ts';
import { runAtOnce } from '../text/slices.ts';
import { meetsSpan, type Span } from '../text/span.ts';
import { readSteps, type SourceText } from './read-text.ts';
import { Report, type Loss, type Note } from './report.ts';
import type { Layout, Places } from './text/text-layer.ts';
import { writeSteps, type WrittenText } from './write-text.ts';

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
  readonly losses: readonly Loss[];
  /** How many losses there are beside those that are told one by one. */
  readonly untold: number;
  readonly notes: readonly Note[];
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
  const report = new Report();
  const { to, from, within } = options;
  const places = options.keepsPlaces ? new Map() : undefined;
  const source = yield* readSteps(text, { from, tools: options.tools, report, places, within });
  const isWanted = source.messages.map(({ span }) => !within || meetsSpan(span, within));
  const resultPlaces: Places | undefined = options.keepsPlaces ? new Map() : undefined;
  const layout = chooseLayout(options, isWanted.filter(Boolean).length);
  const written = yield* writeSteps(source, { to, layout, report, isWanted, places: resultPlaces });
  return describe(source, written, report, isWanted, { sourcePlaces: places, resultPlaces });
}

/** Several messages of JSON fit to be read by others as JSON lines; AICL needs no lines for that. */
function chooseLayout({ layout, to }: ConvertOptions, messages: number): Layout {
  if (layout !== 'fitting') return layout ?? 'pretty';
  return messages === 1 || to === 'aicl' ? 'pretty' : 'compact';
}

function describe(
  { messages }: SourceText,
  { text, spans }: WrittenText,
  report: Report,
  isWanted: readonly boolean[],
  places: Pick<Converted, 'sourcePlaces' | 'resultPlaces'>,
): Converted {
  const wanted = [...messages.keys()].filter(index => isWanted[index]);
  const losses = report.losses.map(loss => {
    if (loss.span || messages.length < 2) return loss;
    const number = `[${(wanted[loss.index] ?? loss.index) + 1}]`;
    const isStep = loss.path === '' || loss.path.startsWith('[');
    return { ...loss, path: isStep ? number + loss.path : `${number}.${loss.path}` };
  });
  return {
    text,
    losses,
    untold: report.untold,
    notes: report.notes,
    messages: wanted.flatMap(index => {
      const { protocol, span } = messages[index] ?? {};
      return protocol && span ? [{ from: protocol, source: span, result: spans[index] }] : [];
    }),
    ...places,
  };
}
