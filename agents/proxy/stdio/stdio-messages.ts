import { startsAicl } from '../../../protocols/recognise/detect.ts';
import { readAiclPieces } from '../../../language/values/aicl-reader.ts';
import { readWrittenJson } from '../../../language/values/json-reader.ts';
import { findEntry, type Value } from '../../../core/values/value.ts';
import { splitObjectList } from '../../../core/text/json.ts';
import { quote } from '../../../core/text/quote.ts';
import type { StdioPiece } from './message-splitter.ts';

/** A message between a process and its caller. */
export interface StdioMessage {
  /** Its text; for a long message its outline. */
  readonly text: string;
  readonly value: Value | undefined;
  /** The bytes that the trace stores for it, one character per byte. */
  readonly bytes: string;
}

/** The maximum number of bytes of a list that is read as a batch. */
const LONGEST_BATCH = 2 ** 20;

/**
 * The messages of a piece: all messages of a JSON-RPC batch (JSON-RPC 2.0, section 6), else one. The first
 * message of a batch has the bytes of the whole batch, the others have their own.
 */
export function readMessages({ bytes, outline }: StdioPiece): readonly StdioMessage[] {
  const text = textOf(outline ?? bytes);
  const texts = bytes.length <= LONGEST_BATCH ? splitObjectList(text) : undefined;
  const values = texts?.map(readMessage) ?? [];
  if (!texts || !values.every(value => findEntry(value, 'jsonrpc') !== undefined))
    return [{ text, value: readMessage(text), bytes }];
  return texts.map((each, at) => ({
    text: each,
    value: values[at],
    bytes: at === 0 ? bytes : Buffer.from(each).toString('latin1'),
  }));
}

/** The place of a message in a batch, and the title of the first message. */
interface PlaceInBatch {
  readonly at: number;
  readonly count: number;
  readonly first: string;
  readonly isAnswer: boolean;
}

/** The note for a message that was part of a batch; undefined for a message that was sent alone. */
export function describeBatch(
  way: 'sent' | 'received',
  { at, count, first, isAnswer }: PlaceInBatch,
): string | undefined {
  if (count === 1) return undefined;
  if (at === 0) {
    const what = isAnswer ? 'Its answer is one of' : 'One of';
    return `${what} ${count} messages that were ${way} together as a batch; the bytes of all of them are recorded here`;
  }
  const what = isAnswer ? `Its answer was ${way}` : way === 'sent' ? 'Sent' : 'Received';
  return `${what} in a batch with ${quote(first)}, where all bytes are recorded; here is its own part`;
}

function readMessage(text: string): Value | undefined {
  if (startsAicl(text)) return readAiclPieces(text).pieces[0]?.value;
  return readWrittenJson(text);
}

function textOf(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
