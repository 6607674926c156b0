import { showBytes } from '../../../tensor/size-words.ts';
import { findLayer } from '../../../protocols/convert/detect.ts';
import { isSse } from '../../../language/values/sse.ts';
import { findQuote } from '../../../core/text/json-signs.ts';
import { joinBytes } from '../../../core/text/join-bytes.ts';
import { decodeUtf8, readBytes } from '../../../core/events/bytes.ts';
import { runAtOnce, SliceMeter } from '../../../core/text/slices.ts';
import type { HeadEvent, WireEvent } from '../../../core/events/events.ts';
import { printHex } from '../../../core/events/hex.ts';
import type { RoomLimits } from '../../../trace/payload-room.ts';
import { splitMessages } from '../../../trace/messages.ts';
import { saidBy } from '../../../core/events/said.ts';

/** Bytes that a hex dump shows at most. */
const MOST_HEX = 2 ** 20;

/** So much of a message is shown as a document: the editor of VS Code does not take more. */
export const DOCUMENT_ROOM: RoomLimits = { characters: 2 ** 24, events: Infinity, of: 'message' };

/** What went in one direction of a call, fit for an editor. */
export interface PayloadDocument {
  readonly text: string;
  readonly language: 'aicl' | 'aicf' | 'json' | 'jsonl' | 'parley-sse' | 'plaintext';
  /** How much of a long message it is, a sentence; undefined where it is all. */
  readonly cut?: string;
}

/**
 * What went last in one direction of a call as a text in its language: AICL, AICF, server-sent events, JSON, or JSON Lines where
 * several values came each on a line of their own. JSON on one line is laid out, which changes white space alone; everything else is as it was on
 * the wire, but for compression, and bytes that are not UTF-8 are dumped. Of a long message it is the beginning; its last
 * `leftOut` bytes are not in the payload. Undefined where nothing went.
 */
export function buildPayloadDocument(
  ...told: Parameters<typeof payloadDocumentSteps>
): PayloadDocument | undefined {
  return runAtOnce(payloadDocumentSteps(...told));
}

/** The same in slices. */
export function* payloadDocumentSteps(
  payload: readonly (HeadEvent | WireEvent)[],
  direction: WireEvent['direction'],
  leftOut = 0,
): Generator<undefined, PayloadDocument | undefined> {
  // Others before it were questions of the connection's own.
  const last = splitMessages(payload, direction).findLast(({ wire }) => wire.length > 0);
  if (!last) return undefined;
  const bytes = joinBytes(last.wire.map(event => readBytes(saidBy(event))));
  if (leftOut > 0) return cutDocument(bytes, leftOut);
  const text = decodeUtf8(bytes);
  if (text === undefined) return dump(bytes, bytes.length);
  if (isSse(text)) return { text, language: 'parley-sse' };
  const layer = findLayer(text);
  if (layer !== 'json') return { text, language: layer ?? 'plaintext' };
  const lines = text.trim().split('\n');
  if (lines.length === 1) return { text: yield* layOutSteps(text), language: 'json' };
  return { text, language: lines.every(line => /^[[{].*[\]}]\s*$/.test(line)) ? 'jsonl' : 'json' };
}

/** A message whose end is not there stays as it was on the wire. */
function cutDocument(bytes: Uint8Array, leftOut: number): PayloadDocument {
  const all = bytes.length + leftOut;
  // What was cut may be cut within a character.
  const text = decodeUtf8(bytes) ?? decodeUtf8(withoutTail(bytes));
  if (text === undefined) return dump(bytes, all);
  const cut = describeCut(bytes.length, all);
  return {
    text: `${text}\n… ${cut}\n`,
    language: isSse(text) ? 'parley-sse' : (findLayer(text) ?? 'plaintext'),
    cut,
  };
}

function dump(bytes: Uint8Array, all: number): PayloadDocument {
  const shown = Math.min(bytes.length, MOST_HEX);
  const hex = printHex(bytes.subarray(0, shown));
  if (shown === all) return { text: hex, language: 'plaintext' };
  const cut = describeCut(shown, all);
  return { text: `${hex}\n# ${cut}`, language: 'plaintext', cut };
}

function describeCut(shown: number, all: number): string {
  return `The first ${showBytes(shown)} of ${showBytes(all)} are shown. Export the trace as a trace file to have all of it.`;
}

/** Without the bytes of a last character that is not whole. */
function withoutTail(bytes: Uint8Array): Uint8Array {
  let end = bytes.length - 1;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end);
}

/** How a token of JSON begins, and whatever else stands there: a quotation mark, a bracket, a comma, a colon, or a run of the rest. */
const TOKENS = /["[\]{},:]|[^\s"[\]{},:]+/g;
/** Deeper values are not moved further in: nothing would be left of a line. */
const DEEPEST = 40;

/** JSON with a line for each member. Only white space between its tokens changes; what is broken stays broken. */
export function layOutJson(text: string): string {
  return runAtOnce(layOutSteps(text));
}

/** The same in slices. */
function* layOutSteps(text: string): Generator<undefined, string> {
  const meter = new SliceMeter();
  const parts: string[] = [];
  let depth = 0;
  let last = '';
  const tokens = new RegExp(TOKENS);
  for (let match = tokens.exec(text); match; match = tokens.exec(text)) {
    const { index } = match;
    if (meter.isPast(index)) yield;
    // A text may be so long that no regular expression passes over it; one without an end goes to that of its source.
    const quote = match[0] === '"' ? findQuote(text, index) : -1;
    const end = match[0] !== '"' ? tokens.lastIndex : quote < 0 ? text.length : quote + 1;
    const token = text.slice(index, end);
    tokens.lastIndex = end;
    const opens = token === '{' || token === '[';
    const closes = token === '}' || token === ']';
    if (closes) depth = Math.max(0, depth - 1);
    const isEmpty = closes && (last === '{' || last === '[');
    const begins = last === ',' || last === '{' || last === '[' || (closes && !isEmpty);
    if (last !== '' && begins && !isEmpty) parts.push(`\n${'  '.repeat(Math.min(depth, DEEPEST))}`);
    else if (last === ':' || (last !== '' && !',:]}'.includes(token) && !'{['.includes(last)))
      parts.push(' ');
    parts.push(token);
    if (opens) depth++;
    last = token;
  }
  return parts.join('');
}
