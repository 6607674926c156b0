import { Range, window, workspace, type TextDocument } from 'vscode';
import { findConversion, type ConversionName } from '../../../core/catalog/conversions.ts';
import { type ConvertResult } from '../../../wire/conversion-requests.ts';
import { convertDocument, isKnown, toRange, wholeOf } from '../conversion/conversion-source.ts';
import type { How } from '../conversion/pick-target.ts';
import { readPosition, readUri } from './arguments.ts';
import { isWireRange } from '../../../wire/places.ts';
import type { Asker } from '../language-client/ask.ts';
import type { Calling } from '../sending/calling.ts';

/** The source of a conversion. */
export interface ConvertTarget {
  readonly document: TextDocument;
  /** Undefined for the whole document. */
  readonly range: Range | undefined;
  /** A description for the user: `message`, `3 messages`, `selection`, `tools.json`. */
  readonly what: string;
  /** The protocol of the whole source; undefined if it is mixed or unknown. */
  readonly own?: ConversionName | undefined;
}

/** The argument that means the whole file. */
const WHOLE_FILE = 'file';

/**
 * Finds the source that the arguments name: a document and a position, a range, or `file`; or only a file, as
 * from the explorer. Otherwise it is the message at the cursor or the selection of the active editor, or its
 * whole document if no message is there. Returns undefined if the named place contains no message, for
 * example because a lens is outdated.
 */
export async function findConvertTarget(
  services: Calling,
  [uriArgument, placeArgument]: readonly unknown[],
): Promise<ConvertTarget | undefined> {
  const uri = readUri(uriArgument);
  const named = readPlace(placeArgument);
  const editor = window.activeTextEditor;
  const isInFront = !uri || editor?.document.uri.toString() === uri.toString();
  // An editor menu passes its document; an explorer menu also passes a list after the file.
  if (named || !isInFront || Array.isArray(placeArgument) || placeArgument === WHOLE_FILE) {
    const document = uri ? await workspace.openTextDocument(uri) : editor?.document;
    return document && describe(services, document, named);
  }
  if (!editor) return undefined;
  const { document, selection } = editor;
  return (await describe(services, document, selection)) ?? wholeTarget(document);
}

/** The target protocol in an argument. */
export function readTarget(value: unknown): ConversionName | undefined {
  return findConversion(value)?.name;
}

export function readHow(value: unknown): How | undefined {
  return value === 'show' || value === 'replace' || value === 'copy' ? value : undefined;
}

/** The place in an argument: a position or a range; undefined for anything else. */
export function readPlace(value: unknown): Range | undefined {
  const position = readPosition(value);
  if (position) return new Range(position.line, position.character, position.line, position.character);
  if (value instanceof Range) return value;
  return isWireRange(value) ? toRange(value) : undefined;
}

/** Describes the source at a place; undefined if it touches no message. */
async function describe(
  { server }: Calling,
  document: TextDocument,
  place: Range | undefined,
): Promise<ConvertTarget | undefined> {
  if (isKnown(document)) return place ? describeMessages(server, document, place) : wholeTarget(document);
  const range = place && !place.isEmpty ? new Range(place.start, place.end) : undefined;
  const whole = wholeTarget(document);
  const requested = range ?? wholeOf(document);
  const isLong = document.offsetAt(requested.end) - document.offsetAt(requested.start) > LONG;
  const found = isLong ? undefined : await look(server, document, range);
  return { ...whole, ...(range && { range, what: 'selection' }), own: ownOf(found?.from ?? []) };
}

/** Sources of more characters than this are not analysed for the question, so that it opens without delay. */
const LONG = 200_000;

async function describeMessages(
  server: Asker,
  document: TextDocument,
  place: Range,
): Promise<ConvertTarget | undefined> {
  if (document.offsetAt(place.end) - document.offsetAt(place.start) > LONG)
    return { ...wholeTarget(document), range: new Range(place.start, place.end), what: 'selection' };
  const found = await look(server, document, place);
  if (!found) return undefined;
  const { source, from } = found;
  const what = from.length === 1 ? `message at line ${source.start.line + 1}` : `${from.length} messages`;
  return { document, range: toRange(source), what, own: ownOf(from) };
}

async function look(
  server: Asker,
  document: TextDocument,
  range: Range | undefined,
): Promise<ConvertResult | undefined> {
  return (await convertDocument(server, document, range, { to: 'json', layout: 'compact' }))?.result;
}

function ownOf(from: readonly string[]): ConversionName | undefined {
  return from.every(name => name === from[0]) ? findConversion(from[0])?.name : undefined;
}

function wholeTarget(document: TextDocument): ConvertTarget {
  const what = document.uri.path.split('/').at(-1) || 'document';
  return { document, range: undefined, what, own: findConversion(document.languageId)?.name };
}
