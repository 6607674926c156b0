import { Position, Range, type TextDocument } from 'vscode';
import type { ConversionName } from '../../../core/catalog/conversions.ts';
import { LANGUAGES } from '../../../core/catalog/languages.ts';
import type { LinePosition } from '../../../core/text/source-text.ts';
import { CONVERT, type ConvertParams, type ConvertResult } from '../../../wire/conversion-requests.ts';
import type { WireRange } from '../../../wire/places.ts';
import type { Asker } from '../language-client/ask.ts';

/** Messages in another protocol. All positions refer to the document. */
export interface DocumentConversion {
  readonly document: TextDocument;
  /** The version that was converted. */
  readonly version: number;
  /**
   * The position in the document at which the text known to the server begins: the start, unless only a part
   * was sent.
   */
  readonly base: Position;
  readonly result: ConvertResult;
}

const LANGUAGE_IDS: ReadonlySet<string> = new Set(LANGUAGES.map(row => row.id));

/** True for a document that the language server reads itself. For others, the text is sent. */
export function isKnown({ languageId }: TextDocument): boolean {
  return LANGUAGE_IDS.has(languageId);
}

/**
 * Converts the messages of a document that a range touches, or all; for another language, the text of the
 * range. Returns undefined if the range touches no message or the document is closed.
 */
export async function convertDocument(
  server: Asker,
  document: TextDocument,
  range: Range | undefined,
  how: Pick<ConvertParams, 'to' | 'layout' | 'keepAs'>,
): Promise<DocumentConversion | undefined> {
  const { version } = document;
  if (isKnown(document)) {
    const source = { uri: document.uri.toString(), ...(range && { range: toWire(range) }) };
    const result = await server.ask(CONVERT, { ...how, source });
    return result ? { document, version: result.version, base: ORIGIN, result } : undefined;
  }
  const all = range ?? wholeOf(document);
  const result = await server.ask(CONVERT, { ...how, source: { text: document.getText(all) } });
  return result ? { document, version, base: all.start, result: movePlaces(result, all) } : undefined;
}

/**
 * Like `convertDocument`, but repeats until the answer is for the current version. Returns undefined if the
 * document keeps changing, too.
 */
export async function convertNow(
  server: Asker,
  document: TextDocument,
  findRange: () => Range | undefined,
  how: { readonly to: ConversionName; readonly layout: ConvertParams['layout'] },
): Promise<DocumentConversion | undefined> {
  for (let tries = 0; tries < MAX_TRIES && !document.isClosed; tries++) {
    const found = await convertDocument(server, document, findRange(), how);
    if (!found || found.version === document.version) return found;
  }
  return undefined;
}

/** The maximum number of attempts. A user types a few times per second, and an answer takes milliseconds. */
const MAX_TRIES = 20;

const ORIGIN = new Position(0, 0);

/** The range of the whole document. */
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

/** Converts a range of a text to a range of the document in which the text begins at `base`. */
export function moveRange({ start, end }: WireRange, base: Position): WireRange {
  const move = ({ line, character }: LinePosition): LinePosition => ({
    line: line + base.line,
    character: line === 0 ? character + base.character : character,
  });
  return { start: move(start), end: move(end) };
}

/** The inverse of `moveRange`; undefined for a range that begins before the text. */
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
