import { Position, Range, type CancellationToken, type TextDocument } from 'vscode';
import type { ConversionName } from '../../../core/catalog/conversions.ts';
import { LANGUAGES } from '../../../core/catalog/languages.ts';
import type { LinePosition } from '../../../core/text/line-index.ts';
import type { ConvertParams, ConvertResult } from '../../../wire/conversion-requests.ts';
import type { WireRange } from '../../../wire/places.ts';

/** Who converts: the language server. */
export interface Converter {
  /** Rejects with a `CancellationError` once it is cancelled. */
  convert(params: ConvertParams, token?: CancellationToken): Promise<ConvertResult | undefined>;
}

/** A converter that stops with a token, too. */
export function stoppedBy(converter: Converter, token: CancellationToken): Converter {
  return { convert: params => converter.convert(params, token) };
}

/** Messages in another protocol, with all places as places of the document. */
export interface DocumentConversion {
  readonly document: TextDocument;
  /** The version that was converted. */
  readonly version: number;
  /** Where in the document the text begins that the server knows: the start, unless it was sent a part of one. */
  readonly base: Position;
  readonly result: ConvertResult;
}

const LANGUAGE_IDS: ReadonlySet<string> = new Set(LANGUAGES.map(row => row.id));

/** True for a document that the language server reads itself. Of others it is sent the text. */
export function isKnown({ languageId }: TextDocument): boolean {
  return LANGUAGE_IDS.has(languageId);
}

/**
 * The messages of a document that a range touches, or all of them; of a document in another language the text of the
 * range. Undefined where it touches none, and for a document that was closed.
 */
export async function convertDocument(
  converter: Converter,
  document: TextDocument,
  range: Range | undefined,
  how: Pick<ConvertParams, 'to' | 'layout' | 'keepAs'>,
): Promise<DocumentConversion | undefined> {
  const { version } = document;
  if (isKnown(document)) {
    const source = { uri: document.uri.toString(), ...(range && { range: toWire(range) }) };
    const result = await converter.convert({ ...how, source });
    return result && { document, version: result.version, base: ORIGIN, result };
  }
  const all = range ?? wholeOf(document);
  const result = await converter.convert({ ...how, source: { text: document.getText(all) } });
  return result && { document, version, base: all.start, result: movePlaces(result, all) };
}

/**
 * The same once the document stands still: an answer for an older version is asked for again. Undefined where it never
 * does, too.
 */
export async function convertNow(
  converter: Converter,
  document: TextDocument,
  findRange: () => Range | undefined,
  how: { readonly to: ConversionName; readonly layout: ConvertParams['layout'] },
): Promise<DocumentConversion | undefined> {
  for (let tries = 0; tries < MOST_TRIES && !document.isClosed; tries++) {
    const found = await convertDocument(converter, document, findRange(), how);
    if (!found || found.version === document.version) return found;
  }
  return undefined;
}

/** Who types does so a few times a second, and an answer takes milliseconds. */
const MOST_TRIES = 20;

const ORIGIN = new Position(0, 0);

/** All of a document. */
export function wholeOf(document: TextDocument): Range {
  return new Range(ORIGIN, document.lineAt(document.lineCount - 1).range.end);
}

export function toRange({ start, end }: WireRange): Range {
  return new Range(start.line, start.character, end.line, end.character);
}

export function toWire({ start, end }: Range): WireRange {
  const plain = ({ line, character }: Position): LinePosition => ({ line, character });
  return { start: plain(start), end: plain(end) };
}

/** A range of a text as a range of the document that the text begins in at `base`. */
export function moveRange({ start, end }: WireRange, base: Position): WireRange {
  const move = ({ line, character }: LinePosition): LinePosition => ({
    line: line + base.line,
    character: line === 0 ? character + base.character : character,
  });
  return { start: move(start), end: move(end) };
}

/** The way back; undefined for a range that begins before the text. */
export function moveRangeBack(range: Range, base: Position): WireRange | undefined {
  if (range.start.isBefore(base)) return undefined;
  const move = ({ line, character }: Position): LinePosition => ({
    line: line - base.line,
    character: line === base.line ? character - base.character : character,
  });
  return { start: move(range.start), end: move(range.end) };
}

function movePlaces(result: ConvertResult, all: Range): ConvertResult {
  return {
    ...result,
    source: toWire(all),
    findings: result.findings.map(finding => ({
      ...finding,
      ...(finding.source && { source: moveRange(finding.source, all.start) }),
    })),
  };
}
