import { startsAicl } from '../../protocols/convert/detect.ts';
import { readAiclPieces } from '../../language/values/aicl-reader.ts';
import { readWrittenJson } from '../../language/values/json-reader.ts';
import { findEntry, type Value } from '../../core/values/value.ts';
import { splitObjectList } from '../../core/text/json-list.ts';
import { quote } from '../../core/text/quote.ts';
import type { StdioPiece } from './message-splitter.ts';

/** A message between a process and its caller. */
export interface StdioMessage {
  /** As it is read; of a long one its outline. */
  readonly text: string;
  readonly value: Value | undefined;
  /** What the trace keeps with it, one character a byte. */
  readonly bytes: string;
}

/** The longest list that is read as a batch, in bytes. */
const LONGEST_BATCH = 2 ** 20;

/**
 * The messages of a piece: of a batch of JSON-RPC (JSON-RPC 2.0, section 6) all, else one. The first of a batch keeps the bytes of
 * all of it, the others their own.
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

/** Where a message stands in a batch, and the title of the first one of it. */
interface PlaceInBatch {
  readonly at: number;
  readonly count: number;
  readonly first: string;
  readonly isAnswer: boolean;
}

/** What is noted of a message that passed in a batch; undefined for one that passed alone. */
export function describeBatch(
  way: 'went' | 'came',
  { at, count, first, isAnswer }: PlaceInBatch,
): string | undefined {
  if (count === 1) return undefined;
  if (at === 0) {
    const what = isAnswer ? 'Its answer is one of' : 'One of';
    return `${what} ${count} messages that ${way} together as a batch; the bytes of all of them are kept here`;
  }
  const what = isAnswer ? `Its answer ${way}` : way === 'went' ? 'Went' : 'Came';
  return `${what} in a batch with ${quote(first)}, where all bytes are kept; here is its own part`;
}

function readMessage(text: string): Value | undefined {
  if (startsAicl(text)) return readAiclPieces(text).pieces[0]?.value;
  return readWrittenJson(text);
}

function textOf(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
