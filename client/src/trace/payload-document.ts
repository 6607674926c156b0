import { findLayer } from '../../../protocol/src/convert/detect.ts';
import { isSse } from '../../../protocol/src/convert/text/sse.ts';
import { joinBytes } from '../../../protocol/src/text/join-bytes.ts';
import { decodeUtf8, readBytes } from '../../../protocol/src/trace/bytes.ts';
import type { HeadEvent, WireEvent } from '../../../protocol/src/trace/events.ts';
import { printHex } from '../../../protocol/src/trace/hex.ts';
import { splitMessages } from '../../../protocol/src/trace/messages.ts';
import { saidBy } from '../../../protocol/src/trace/said.ts';

/** Bytes that a hex dump shows at most. */
const MOST_HEX = 2 ** 20;

/** What went in one direction of a call, fit for an editor. */
export interface PayloadDocument {
  readonly text: string;
  readonly language: 'aicl' | 'aicf' | 'json' | 'jsonl' | 'parley-sse' | 'plaintext';
}

/**
 * What went last in one direction of a call as a text in its language: AICL, AICF, server-sent events, JSON, or JSON Lines where
 * several values came each on a line of their own. JSON on one line is laid out, which changes white space alone; everything else is as it was on
 * the wire, but for compression, and bytes that are not UTF-8 are dumped. Undefined where nothing went.
 */
export function buildPayloadDocument(
  payload: readonly (HeadEvent | WireEvent)[],
  direction: WireEvent['direction'],
): PayloadDocument | undefined {
  // Others before it were questions of the connection's own.
  const last = splitMessages(payload, direction).findLast(({ wire }) => wire.length > 0);
  if (!last) return undefined;
  const bytes = joinBytes(last.wire.map(event => readBytes(saidBy(event))));
  const text = decodeUtf8(bytes);
  if (text === undefined) return { text: dump(bytes), language: 'plaintext' };
  if (isSse(text)) return { text, language: 'parley-sse' };
  const layer = findLayer(text);
  if (layer !== 'json') return { text, language: layer ?? 'plaintext' };
  const lines = text.trim().split('\n');
  if (lines.length === 1) return { text: layOutJson(text), language: 'json' };
  return { text, language: lines.every(line => /^[[{].*[\]}]\s*$/.test(line)) ? 'jsonl' : 'json' };
}

function dump(bytes: Uint8Array): string {
  const hidden = Math.max(0, bytes.length - MOST_HEX);
  const more = hidden === 0 ? '' : `\n# ${hidden} more bytes are not shown`;
  return `${printHex(bytes.subarray(0, MOST_HEX))}${more}`;
}

/** Tokens of JSON, and whatever else stands there: a text with its quotes, a bracket, a comma, a colon, or a run of the rest. */
const TOKENS = /"(?:[^"\\]|\\.)*"?|[[\]{},:]|[^\s"[\]{},:]+/g;
/** Deeper values are not moved further in: nothing would be left of a line. */
const DEEPEST = 40;

/** JSON with a line for each member. Only white space between its tokens changes; what is broken stays broken. */
export function layOutJson(text: string): string {
  const parts: string[] = [];
  let depth = 0;
  let last = '';
  for (const [token] of text.matchAll(TOKENS)) {
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
