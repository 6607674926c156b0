import { Range, window, workspace, type TextDocument } from 'vscode';
import { findConversion, type ConversionName } from '../../../core/catalog/conversions.ts';
import { type ConvertResult } from '../../../wire/conversion-requests.ts';
import { convertDocument, isKnown, toRange, wholeOf, type Converter } from '../convert/conversion-source.ts';
import type { How } from '../convert/pick-target.ts';
import type { Services } from '../services.ts';
import { readPosition, readUri } from './arguments.ts';
import { isWireRange } from '../../../wire/places.ts';

/** What a command converts. */
export interface ConvertTarget {
  readonly document: TextDocument;
  /** Undefined for all of the document. */
  readonly range: Range | undefined;
  /** For people: `message`, `3 messages`, `selection`, `tools.json`. */
  readonly what: string;
  /** The protocol of all of it; undefined where it is of several, or not known yet. */
  readonly own?: ConversionName | undefined;
}

/** The place that an argument names for all of a file. */
const WHOLE_FILE = 'file';

/**
 * What arguments name: a document and a position, a range, or `file`; a file alone as the explorer does; else the message
 * at the cursor of the editor in front, its selection, or where it stands at no message all that it shows. A place that
 * arguments name and where no message stands, such as that of a lens that was overtaken, is nothing.
 */
export async function findConvertTarget(
  services: Services,
  [uriArgument, placeArgument]: readonly unknown[],
): Promise<ConvertTarget | undefined> {
  const uri = readUri(uriArgument);
  const named = readPlace(placeArgument);
  const editor = window.activeTextEditor;
  const isInFront = !uri || editor?.document.uri.toString() === uri.toString();
  // The menu of an editor names its document; the explorer's names a list behind the file, too.
  if (named || !isInFront || Array.isArray(placeArgument) || placeArgument === WHOLE_FILE) {
    const document = uri ? await workspace.openTextDocument(uri) : editor?.document;
    return document && describe(services, document, named);
  }
  if (!editor) return undefined;
  const { document, selection } = editor;
  return (await describe(services, document, selection)) ?? wholeTarget(document);
}

/** The target protocol that an argument names. */
export function readTarget(value: unknown): ConversionName | undefined {
  return findConversion(value)?.name;
}

export function readHow(value: unknown): How | undefined {
  return value === 'show' || value === 'replace' || value === 'copy' ? value : undefined;
}

function readPlace(value: unknown): Range | undefined {
  const position = readPosition(value);
  if (position) return new Range(position.line, position.character, position.line, position.character);
  if (value instanceof Range) return value;
  return isWireRange(value) ? toRange(value) : undefined;
}

/** What stands at a place; undefined where it touches no message. */
async function describe(
  { server }: Services,
  document: TextDocument,
  place: Range | undefined,
): Promise<ConvertTarget | undefined> {
  if (isKnown(document)) return place ? describeMessages(server, document, place) : wholeTarget(document);
  const range = place && !place.isEmpty ? new Range(place.start, place.end) : undefined;
  const whole = wholeTarget(document);
  const asked = range ?? wholeOf(document);
  const isLong = document.offsetAt(asked.end) - document.offsetAt(asked.start) > LONG;
  const found = isLong ? undefined : await look(server, document, range);
  return { ...whole, ...(range && { range, what: 'selection' }), own: ownOf(found?.from ?? []) };
}

/** What a question says of more than these characters, it says without a look at them: nobody waits for a question. */
const LONG = 200_000;

async function describeMessages(
  server: Converter,
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
  server: Converter,
  document: TextDocument,
  range: Range | undefined,
): Promise<ConvertResult | undefined> {
  return (await convertDocument(server, document, range, { to: 'json', layout: 'compact' }))?.result;
}

function ownOf(from: readonly ConversionName[]): ConversionName | undefined {
  return from.every(name => name === from[0]) ? from[0] : undefined;
}

function wholeTarget(document: TextDocument): ConvertTarget {
  const what = nameOf(document);
  return { document, range: undefined, what, own: findConversion(document.languageId)?.name };
}

function nameOf({ uri }: TextDocument): string {
  return uri.path.split('/').at(-1) || 'document';
}
