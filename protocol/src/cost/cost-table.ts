import { CONVERSIONS, type ConversionName } from '../catalog/conversions.ts';
import type { CostLayout } from '../catalog/cost-layouts.ts';
import type { EncodingName } from '../catalog/encodings.ts';
import { readMessages, readSteps, type SourceText } from '../convert/read-text.ts';
import { Report } from '../convert/report.ts';
import type { Layout } from '../convert/text/text-layer.ts';
import { writeSteps } from '../convert/write-text.ts';
import type { ToolTable } from '../language/tools.ts';
import { meetsSpan, type Span } from '../text/span.ts';
import { utf8Length } from '../text/utf8.ts';
import type { Encoding } from './encoding.ts';
import { timeAll } from './timing.ts';

/** What the same messages cost in every protocol. */
export interface CostTable {
  readonly encoding: EncodingName;
  /** How many messages the text holds; without one there is a row for the text alone. */
  readonly messages: number;
  /** Parts of the text that could not be read: they are in no row but the first. */
  readonly unread: number;
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

/**
 * Writes the messages of a text in every protocol and counts each. Works in slices: who drives it may rest between
 * them, or stop. A slice is a part of a conversion or a count, or one reading that is timed.
 */
export function* costTable(text: string, options: CostOptions): Generator<void, CostTable> {
  const report = new Report();
  const { from, tools, within } = options;
  const source = yield* readSteps(text, { from, tools, report, within });
  const isWanted = source.messages.map(({ span }) => !within || meetsSpan(span, within));
  const written = withoutLastLineEnds(within ? text.slice(within.start, within.end) : text);
  yield;
  const candidates = [...(yield* writeAll(written, source, isWanted))];
  // What the other messages declare counts in every reading.
  const readers = candidates.map(candidate => readerOf(candidate, { ...options, tools: source.tools }));
  const times = options.now && (yield* timeAll(readers, options.now));
  const rows: CostRow[] = [];
  for (const [index, candidate] of candidates.entries()) {
    const { protocol, layout, losses } = candidate;
    const bytes = utf8Length(candidate.text);
    const { tokens, isExact } = yield* options.encoding.counting(candidate.text);
    const parseMs = times?.[index];
    const base = rows[0];
    rows.push({
      protocol,
      layout,
      bytes,
      byteRatio: ratio(bytes, base?.bytes),
      tokens,
      isExact,
      tokenRatio: ratio(tokens, base?.tokens),
      losses,
      parseMs,
      parseRatio: parseMs === undefined ? undefined : ratio(parseMs, base?.parseMs),
    });
  }
  const unread = report.losses.length + report.untold;
  return { encoding: options.name, messages: isWanted.filter(Boolean).length, unread, rows };
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

function* writeAll(
  text: string,
  source: SourceText,
  isWanted: readonly boolean[],
): Generator<void, readonly Candidate[]> {
  const wanted = source.messages.filter((_, index) => isWanted[index]);
  const names = new Set(wanted.map(({ protocol }) => protocol));
  const own = names.size === 1 ? [...names][0] : undefined;
  const candidates: Candidate[] = [{ protocol: own, layout: 'source', text, losses: 0 }];
  if (wanted.length === 0) return candidates;
  const others = CONVERSIONS.map(({ name }) => name).filter(name => name !== own);
  for (const protocol of own ? [own, ...others] : others) {
    const pretty = yield* write(source, isWanted, protocol, 'pretty');
    yield;
    const compact = yield* write(source, isWanted, protocol, 'compact');
    yield;
    if (pretty.text === compact.text) candidates.push({ ...compact, layout: 'single' });
    else candidates.push(pretty, compact);
  }
  return candidates;
}

function* write(
  source: SourceText,
  isWanted: readonly boolean[],
  to: ConversionName,
  layout: Layout,
): Generator<void, Candidate> {
  const report = new Report();
  const { pieces } = yield* writeSteps(source, { to, layout, report, isWanted });
  const text = withoutLastLineEnds(pieces.join(''));
  return { protocol: to, layout, text, losses: report.losses.length + report.untold };
}

/** Reads a text as its row does. */
function readerOf({ protocol, layout, text }: Candidate, { tools, from }: CostOptions): () => void {
  return () => {
    readMessages(text, { from: layout === 'source' ? from : protocol, tools, report: new Report() });
  };
}
