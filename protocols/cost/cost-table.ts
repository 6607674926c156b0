import { CONVERSIONS, type ConversionName } from '../../core/catalog/conversions.ts';
import type { CostLayout } from '../../core/catalog/cost-layouts.ts';
import type { EncodingName } from '../../core/catalog/encodings.ts';
import { writtenSteps } from '../convert/convert.ts';
import { takeSteps, type MessageTaker, type SourceMessage } from '../convert/read-text.ts';
import { Report } from '../../core/message/report.ts';
import type { Layout } from '../../language/values/text-layer.ts';
import type { ToolTable } from '../../language/tools.ts';
import { runAtOnce } from '../../core/text/slices.ts';
import { meetsSpan, type Span } from '../../core/text/span.ts';
import { utf8Length } from '../../core/text/utf8.ts';
import type { Encoding } from './encoding.ts';
import { timeAll } from './timing.ts';

/** What the same messages cost in every protocol. */
export interface CostTable {
  readonly encoding: EncodingName;
  /** How many messages the text holds; without one there is a row for the text alone. */
  readonly messages: number;
  /** Parts of the text that could not be read: they are in no row but the first. */
  readonly unread: number;
  /** How many rows are left out because their texts are longer than is counted; only where there are any. */
  readonly tooLong?: number;
  /** The text as it is written, then its own protocol, then the others. */
  readonly rows: readonly CostRow[];
}

/** The messages in one protocol and one layout. A ratio is to the text as it is written: 0.5 is half of it. */
export interface CostRow {
  /** Undefined for a text as it is written that mixes several, or none. */
  readonly protocol: ConversionName | undefined;
  readonly layout: CostLayout;
  /** In UTF-8. */
  readonly bytes: number;
  readonly byteRatio: number;
  readonly tokens: number;
  /** False where the tokens are an estimate; see `TokenCount`. */
  readonly isExact: boolean;
  readonly tokenRatio: number;
  /** What the row does not say as the text does, or guesses: why it may be short. */
  readonly losses: number;
  /** How long reading its text takes, the median of several runs; undefined without a clock. */
  readonly parseMs: number | undefined;
  readonly parseRatio: number | undefined;
}

export interface CostOptions {
  readonly name: EncodingName;
  readonly encoding: Encoding;
  /** The protocol of the text, where it is known. */
  readonly from?: ConversionName | undefined;
  readonly tools?: ToolTable | undefined;
  /** Only of the messages that touch this span of the text; the others count for ids and tools. */
  readonly within?: Span | undefined;
  /** Milliseconds of any clock: without one no time is measured. */
  readonly now?: (() => number) | undefined;
}

/** A text of which the cost is asked. */
interface Candidate {
  readonly protocol: ConversionName | undefined;
  readonly layout: CostLayout;
  readonly text: string;
  readonly losses: number;
}

/** What is found out of a candidate, without what compares it with the first one. */
type CostOfText = Omit<CostRow, 'byteRatio' | 'tokenRatio' | 'parseRatio'>;

/** A candidate of so many characters has its time taken at once, and is let go. */
const LONG = 1 << 17;

/** A text is counted up to so many characters, or so many times as many as the source has. */
const MOST_TEXT = 1 << 24;
const MOST_TIMES = 4;

/**
 * Writes the messages of a text in every protocol and counts each. Works in slices: who drives it may rest between
 * them, or stop. A slice is a part of a conversion or a count, or one reading that is timed. A long text is done with
 * before the next one is written.
 */
export function* costTable(text: string, options: CostOptions): Generator<void, CostTable> {
  const report = new Report();
  const { from, tools, within, now } = options;
  const start = (): Survey => new Survey(within);
  const { taker: survey, tools: known } = yield* takeSteps(text, { from, tools, report, within }, start);
  const costs: CostOfText[] = [];
  const short: { readonly index: number; readonly read: () => void }[] = [];
  let tooLong = 0;
  yield;
  for (const candidate of listCandidates(text, options, survey)) {
    if (candidate === undefined) yield;
    else if (candidate === 'too long') tooLong++;
    else {
      // What the other messages declare counts in every reading.
      const read = readerOf(candidate, { ...options, tools: known });
      const isLong = candidate.text.length > LONG;
      const [parseMs] = now && isLong ? yield* timeAll([read], now) : [];
      if (!isLong) short.push({ index: costs.length, read });
      costs.push(yield* costOf(candidate, options.encoding, parseMs));
    }
  }
  const shortWorks = short.map(({ read }) => read);
  const times = now ? yield* timeAll(shortWorks, now) : [];
  for (const [at, { index }] of short.entries()) {
    const cost = costs[index];
    if (cost) costs[index] = { ...cost, parseMs: times[at] };
  }
  const unread = report.losses.length + report.untold;
  const rows = costs.map(cost => compare(cost, costs[0]));
  return { encoding: options.name, messages: survey.count, unread, ...(tooLong > 0 && { tooLong }), rows };
}

/** Counts the messages that are asked for, and the protocols that they are of. */
class Survey implements MessageTaker {
  readonly names = new Set<ConversionName>();
  readonly #within: Span | undefined;
  count = 0;

  constructor(within: Span | undefined) {
    this.#within = within;
  }

  take({ protocol, span }: SourceMessage): void {
    if (this.#within && !meetsSpan(span, this.#within)) return;
    this.count++;
    this.names.add(protocol);
  }
}

function* costOf(
  { protocol, layout, text, losses }: Candidate,
  encoding: Encoding,
  parseMs: number | undefined,
): Generator<void, CostOfText> {
  const bytes = utf8Length(text);
  const { tokens, isExact } = yield* encoding.counting(text);
  return { protocol, layout, bytes, tokens, isExact, losses, parseMs };
}

/** The row of a text, compared with that of the text as it is written. */
function compare(cost: CostOfText, base: CostOfText | undefined): CostRow {
  const { bytes, tokens, parseMs } = cost;
  return {
    ...cost,
    byteRatio: ratio(bytes, base?.bytes),
    tokenRatio: ratio(tokens, base?.tokens),
    parseRatio: parseMs === undefined ? undefined : ratio(parseMs, base?.parseMs),
  };
}

/** A line end behind the last message belongs to the file and not to a message: it counts in no row. */
function withoutLastLineEnds(text: string): string {
  let { length } = text;
  while (length > 0 && (text[length - 1] === '\n' || text[length - 1] === '\r')) length--;
  return text.slice(0, length);
}

function ratio(value: number, base: number | undefined): number {
  return base === undefined || base === 0 ? 1 : value / base;
}

/** The texts in order, each written when it is asked for; undefined where a slice of the work ends. */
function* listCandidates(
  text: string,
  options: CostOptions,
  { names, count }: Survey,
): Generator<Candidate | 'too long' | undefined, void> {
  const { within } = options;
  const own = names.size === 1 ? [...names][0] : undefined;
  const written = withoutLastLineEnds(within ? text.slice(within.start, within.end) : text);
  yield { protocol: own, layout: 'source', text: written, losses: 0 };
  if (count === 0) return;
  const others = CONVERSIONS.map(({ name }) => name).filter(name => name !== own);
  for (const protocol of own ? [own, ...others] : others) {
    const compact = yield* write(text, options, protocol, 'compact');
    yield;
    const pretty = yield* write(text, options, protocol, 'pretty');
    yield;
    if (pretty && pretty.text === compact?.text) yield { ...compact, layout: 'single' };
    else {
      yield pretty ?? 'too long';
      yield compact ?? 'too long';
    }
  }
}

/** The messages in a protocol; undefined for a text that is too long. */
function* write(
  text: string,
  { from, tools, within }: CostOptions,
  to: ConversionName,
  layout: Layout,
): Generator<undefined, Candidate | undefined> {
  const most = Math.max(MOST_TEXT, MOST_TIMES * text.length);
  const { taker, written } = yield* writtenSteps(text, { from, to, layout, tools, within, most });
  if (taker.isTooLong) return undefined;
  const { losses, untold } = taker.report;
  const joined = withoutLastLineEnds(written.pieces.join(''));
  return { protocol: to, layout, text: joined, losses: losses.length + untold };
}

/** Reads a text as its row does. */
function readerOf({ protocol, layout, text }: Candidate, { tools, from }: CostOptions): () => void {
  const options = { from: layout === 'source' ? from : protocol, tools };
  return () => {
    runAtOnce(takeSteps(text, { ...options, report: new Report() }, () => ({ take: () => undefined })));
  };
}
