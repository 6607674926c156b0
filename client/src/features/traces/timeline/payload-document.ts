import { showBytes } from '../../../../../tensor/size-words.ts';
import { findLayer } from '../../../../../protocols/recognise/detect.ts';
import { isSse } from '../../../../../core/text/event-stream.ts';
import { layOutSteps } from '../../../base/lay-out-json.ts';
import { joinBytes, decodeUtf8, readBytes, printHex } from '../../../../../core/events/bytes.ts';
import { runAtOnce } from '../../../../../core/text/slices.ts';
import type { HeadEvent, WireEvent } from '../../../../../core/events/events.ts';
import type { PayloadLimits } from '../../../../../trace/payload-limiter.ts';
import { splitMessages } from '../../../../../trace/messages.ts';
import { payloadOf } from '../../../../../core/events/payload.ts';

/** The maximum number of bytes in a hex dump. */
const MAX_HEX = 2 ** 20;

/** The maximum amount of a message in a document, because of the limit of VS Code's editor. */
export const DOCUMENT_LIMITS: PayloadLimits = { characters: 2 ** 24, events: Infinity, of: 'message' };

/** The messages of one direction of a call, prepared for an editor. */
export interface PayloadDocument {
  readonly text: string;
  readonly language: 'aicl' | 'aicf' | 'json' | 'jsonl' | 'parley-sse' | 'plaintext';
  /** A sentence about the shown part of a long message; undefined if it is complete. */
  readonly cut?: string;
}

/**
 * The last message of one direction of a call as a text in its language: AICL, AICF, server-sent events, JSON, or JSON
 * Lines for several values on separate lines. JSON on one line is laid out, which changes only white space; otherwise
 * the text is as on the wire, decompressed. Bytes that are not UTF-8 become a hex dump. Of a long message it is the
 * beginning; its last `leftOut` bytes are missing in the payload. Returns undefined if there is no message.
 */
export function buildPayloadDocument(
  ...reported: Parameters<typeof payloadDocumentSteps>
): PayloadDocument | undefined {
  return runAtOnce(payloadDocumentSteps(...reported));
}

/** The same in slices. */
export function* payloadDocumentSteps(
  payload: readonly (HeadEvent | WireEvent)[],
  direction: WireEvent['direction'],
  leftOut = 0,
): Generator<undefined, PayloadDocument | undefined> {
  // Earlier messages are requests of the connection itself.
  const last = splitMessages(payload, direction).findLast(({ wire }) => wire.length > 0);
  if (!last) return undefined;
  const bytes = joinBytes(last.wire.map(event => readBytes(payloadOf(event))));
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

/** A message without its end is not laid out. */
function cutDocument(bytes: Uint8Array, leftOut: number): PayloadDocument {
  const all = bytes.length + leftOut;
  // The cut can be within a character.
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
  const shown = Math.min(bytes.length, MAX_HEX);
  const hex = printHex(bytes.subarray(0, shown));
  if (shown === all) return { text: hex, language: 'plaintext' };
  const cut = describeCut(shown, all);
  return { text: `${hex}\n# ${cut}`, language: 'plaintext', cut };
}

function describeCut(shown: number, all: number): string {
  return `The first ${showBytes(shown)} of ${showBytes(all)} are shown. Export the trace as a trace file to have all of it.`;
}

/** Removes the bytes of an incomplete last character. */
function withoutTail(bytes: Uint8Array): Uint8Array {
  let end = bytes.length - 1;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end);
}
