import type { CostLayout, EncodingName } from '../../core/catalog/costs.ts';
import { writtenSteps } from '../convert/convert.ts';
import { takeSteps } from '../convert/read-text.ts';
import type { MessageTaker, SourceMessage } from '../convert/source-message.ts';
import { Report } from '../../core/message/report.ts';
import type { Layout } from '../../language/values/text-layer.ts';
import type { ToolTable } from '../../language/tools.ts';
import { runAtOnce } from '../../core/text/slices.ts';
import type { MessageProtocols } from '../protocol.ts';
import { meetsSpan, type Span } from '../../core/text/span.ts';
import { utf8Length } from '../../core/text/utf8.ts';
import type { Encoding } from './encoding.ts';
import { timeAll } from './timing.ts';

/** The cost of the same messages in every protocol. */
export interface CostTable {
  readonly encoding: EncodingName;
  /** The number of messages in the text; if it is 0, there is a row for the text alone. */
  readonly messages: number;
  /** The number of parts of the text that could not be read: they count only in the first row. */
  readonly unread: number;
  /** The number of rows that are left out because their texts are too long to count; missing if 0. */
  readonly tooLong?: number;
  /** The number of rows whose texts are too long to time; missing if 0. */
  readonly untimed?: number;
  /** The text as it is written, then its own protocol, then the others. */
  readonly rows: readonly CostRow[];
}

/** The messages in one protocol and one layout. Ratios are relative to the text as it is written: 0.5 is half of it. */
export interface CostRow {
  /** Undefined for a text as it is written with several protocols, or none. */
  readonly protocol: string | undefined;
  readonly layout: CostLayout;
  /** In UTF-8. */
  readonly bytes: number;
  readonly byteRatio: number;
  readonly tokens: number;
  /** False where the tokens are an estimate; see `TokenCount`. */
  readonly isExact: boolean;
  readonly tokenRatio: number;
  /** The number of losses and guesses in the row, which may explain why it is short. */
  readonly losses: number;
  /** The time to read its text, the median of several runs; undefined without a clock. */
  readonly parseMs: number | undefined;
  readonly parseRatio: number | undefined;
}

export interface CostOptions {
  readonly protocols: MessageProtocols;
  readonly name: EncodingName;
  readonly encoding: Encoding;
  /** The protocol of the text, if known. */
  readonly from?: string | undefined;
  readonly tools?: ToolTable | undefined;
  /** Only messages that touch this span of the text are counted; the others still matter for ids and tools. */
  readonly within?: Span | undefined;
  /** Milliseconds of any clock; without it, no time is measured. */
  readonly now?: (() => number) | undefined;
}

/** A text whose cost is measured. */
interface Candidate {
  readonly protocol: string | undefined;
  readonly layout: CostLayout;
  readonly text: string;
  readonly losses: number;
}

/** The cost of a candidate, without the ratios to the first one. */
type CostOfText = Omit<CostRow, 'byteRatio' | 'tokenRatio' | 'parseRatio'>;

/** A candidate of more characters is timed at once and then released. */
const LONG = 1 << 17;

/** The maximum number of characters that are counted: this, or `MAX_TIMES` the length of the source. */
const MAX_TEXT = 1 << 22;
const MAX_TIMES = 4;

/** The maximum number of characters of a text that is timed: reading it takes many times its size in memory. */
const MAX_TIMED = 4_000_000;

/**
 * Writes the messages of a text in every protocol and counts each. Works in slices, between which the caller
 * may pause or stop: a slice is a part of a conversion or a count, or one timed reading. A long text is
 * released before the next one is written.
 */
export function* costTable(text: string, options: CostOptions): Generator<void, CostTable> {
  const report = new Report();
  const { protocols, from, tools, within, now } = options;
  const start = (): Survey => new Survey(within);
  const { taker: survey, tools: known } = yield* takeSteps(
    text,
    { protocols, from, tools, report, within },
    start,
  );
  const costs: CostOfText[] = [];
  const short: { readonly index: number; readonly read: () => void }[] = [];
  let tooLong = 0;
  let untimed = 0;
  yield;
  for (const candidate of listCandidates(text, options, survey)) {
    if (candidate === undefined) yield;
    else if (candidate === 'too long') tooLong++;
    else {
      // Every reading gets the tools that the other messages declare.
      const read = readerOf(candidate, { ...options, tools: known });
      const { length } = candidate.text;
      const isLong = length > LONG;
      const isTimed = length <= MAX_TIMED;
      if (now && !isTimed) untimed++;
      const [parseMs] = now && isLong && isTimed ? yield* timeAll([read], now) : [];
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
  const unread = report.losses.length + report.unreported;
  const rows = costs.map(cost => compare(cost, costs[0]));
  return {
    encoding: options.name,
    messages: survey.count,
    unread,
    ...(tooLong > 0 && { tooLong }),
    ...(untimed > 0 && { untimed }),
    rows,
  };
}

/** Counts the wanted messages, and collects their protocols. */
class Survey implements MessageTaker {
  readonly names = new Set<string>();
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

/** Adds the ratios to the row of the text as it is written. */
function compare(cost: CostOfText, base: CostOfText | undefined): CostRow {
  const { bytes, tokens, parseMs } = cost;
  return {
    ...cost,
    byteRatio: ratio(bytes, base?.bytes),
    tokenRatio: ratio(tokens, base?.tokens),
    parseRatio:
      parseMs === undefined || base?.parseMs === undefined ? undefined : ratio(parseMs, base.parseMs),
  };
}

/** Removes the line ends after the last message, which count in no row because they belong to the file. */
function withoutLastLineEnds(text: string): string {
  let { length } = text;
  while (length > 0 && (text[length - 1] === '\n' || text[length - 1] === '\r')) length--;
  return text.slice(0, length);
}

function ratio(value: number, base: number | undefined): number {
  return base === undefined || base === 0 ? 1 : value / base;
}

/** The texts in order, each written on demand; undefined at the end of a slice of work. */
function* listCandidates(
  text: string,
  options: CostOptions,
  { names, count }: Survey,
): Generator<Candidate | 'too long' | undefined, void> {
  const { protocols, within } = options;
  const own = names.size === 1 ? [...names][0] : undefined;
  const written = withoutLastLineEnds(within ? text.slice(within.start, within.end) : text);
  yield { protocol: own, layout: 'source', text: written, losses: 0 };
  if (count === 0) return;
  const others = protocols.formats.map(({ name }) => name).filter(name => name !== own);
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

/** Writes the messages in a protocol; undefined if the text is too long. */
function* write(
  text: string,
  { protocols, from, tools, within }: CostOptions,
  to: string,
  layout: Layout,
): Generator<undefined, Candidate | undefined> {
  const most = Math.max(MAX_TEXT, MAX_TIMES * text.length);
  const { taker, written } = yield* writtenSteps(text, { protocols, from, to, layout, tools, within, most });
  if (taker.isTooLong) return undefined;
  const { losses, unreported } = taker.report;
  const joined = withoutLastLineEnds(written.pieces.join(''));
  return { protocol: to, layout, text: joined, losses: losses.length + unreported };
}

/** Returns a function that reads a row's text once. */
function readerOf(
  { protocol, layout, text }: Candidate,
  { protocols, tools, from }: CostOptions,
): () => void {
  const options = { protocols, from: layout === 'source' ? from : protocol, tools };
  return () => {
    runAtOnce(takeSteps(text, { ...options, report: new Report() }, () => ({ take: () => undefined })));
  };
}
