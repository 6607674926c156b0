import { isSse, listSseData } from '../../language/values/sse.ts';
import { encodeBase64 } from '../../core/text/base64.ts';
import { parseJson } from '../../core/text/json.ts';
import { sliceJson, withoutBlanks } from '../../core/text/json-slices.ts';
import { joinBytes } from '../../core/text/join-bytes.ts';
import { decodeUtf8, readBytes } from '../../core/events/bytes.ts';
import type { HeadEvent, WireEvent } from '../../core/events/events.ts';
import { saidBy } from '../../core/events/said.ts';

/** What was said in one direction of a call, unpacked where it went compressed: text where it is UTF-8, else Base64. */
export type PayloadText = { readonly text: string } | { readonly base64: string };

/** Joins what went in one direction; undefined where nothing did. */
export function joinPayload(
  payload: readonly (HeadEvent | WireEvent)[],
  direction: WireEvent['direction'],
): PayloadText | undefined {
  const pieces = payload.filter(event => event.type === 'wire' && event.direction === direction);
  const kept = pieces.flatMap(event => (event.type === 'wire' ? [saidBy(event)] : []));
  if (kept.length === 0) return undefined;
  // Most payloads are text all through: they need not become bytes.
  if (kept.every(bytes => 'text' in bytes)) return { text: kept.map(bytes => bytes.text).join('') };
  const bytes = joinBytes(kept.map(readBytes));
  const text = decodeUtf8(bytes);
  return text === undefined ? { base64: encodeBase64(bytes) } : { text };
}

/** Members of a message that hold what was asked. */
const ASKED = ['params'];
/** Members of a reply that hold what came of it, the first that is there. */
const ANSWERED = ['result', 'output', 'outputs', 'error'];

/** JSON text of what a request asks: the parameters of a JSON-RPC message, else the message, else its text. */
export function printAsked(payload: PayloadText): string {
  return printMember(payload, ASKED);
}

/** The same of a reply: of several messages the last one that answers. */
export function printAnswered(payload: PayloadText): string {
  return printMember(payload, ANSWERED);
}

function printMember(payload: PayloadText, members: readonly string[]): string {
  if ('base64' in payload) return JSON.stringify(payload);
  const { text } = payload;
  if (parseJson(text) !== undefined) return withoutBlanks(findMember(text, members) ?? text);
  for (const message of listMessages(text)) {
    const found = parseJson(message) === undefined ? undefined : findMember(message, members);
    if (found !== undefined) return withoutBlanks(found);
  }
  return JSON.stringify(text);
}

/** The messages of a stream or of lines, the last one first. */
function listMessages(text: string): readonly string[] {
  return (isSse(text) ? listSseData(text) : text.split('\n')).toReversed();
}

/** As it is written: an engine would round its numbers and put its members in another order. */
function findMember(text: string, names: readonly string[]): string | undefined {
  const members = new Map([...sliceJson(text)].map(slice => [slice.name, slice.text]));
  // Only what is a message of JSON-RPC or its like is opened: of another one all is what was asked.
  if (!['jsonrpc', 'trace_id', 'method'].some(name => members.has(name))) return undefined;
  const name = names.find(each => members.has(each));
  return name === undefined ? undefined : members.get(name);
}
