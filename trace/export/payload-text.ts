import { isSse, listSseData } from '../../core/text/event-stream.ts';
import { encodeBase64 } from '../../core/text/base64.ts';
import { parseJson } from '../../core/text/json.ts';
import { sliceJson, withoutBlanks } from '../json-slices.ts';
import { joinBytes, decodeUtf8, readBytes } from '../../core/events/bytes.ts';
import type { HeadEvent, WireEvent } from '../../core/events/events.ts';
import { payloadOf } from '../../core/events/payload.ts';

/** The payload of one direction of a call, unpacked if it was compressed: text if it is UTF-8, else Base64. */
export type PayloadText = { readonly text: string } | { readonly base64: string };

/** Joins the payload of one direction; undefined if there is none. */
export function joinPayload(
  payload: readonly (HeadEvent | WireEvent)[],
  direction: WireEvent['direction'],
): PayloadText | undefined {
  const pieces = payload.filter(event => event.type === 'wire' && event.direction === direction);
  const stored = pieces.flatMap(event => (event.type === 'wire' ? [payloadOf(event)] : []));
  if (stored.length === 0) return undefined;
  // Most payloads are text only, and are joined without decoding.
  if (stored.every(bytes => 'text' in bytes)) return { text: stored.map(bytes => bytes.text).join('') };
  const bytes = joinBytes(stored.map(readBytes));
  const text = decodeUtf8(bytes);
  return text === undefined ? { base64: encodeBase64(bytes) } : { text };
}

/** Members of a reply with its content; the first one that it has is used. */
const ANSWERED = ['result', 'output', 'outputs', 'error'];

/** The content of a request as JSON: the parameters of a JSON-RPC message, else the message, else its text. */
export function printAsked(payload: PayloadText): string {
  const asked = findAsked(payload);
  if (asked) return withoutBlanks(asked.get('params') ?? '{}');
  if ('base64' in payload) return JSON.stringify(payload);
  return parseJson(payload.text) === undefined ? JSON.stringify(payload.text) : withoutBlanks(payload.text);
}

/** The method of a request as it was sent; undefined for messages that have none. */
export function findMethod(payload: PayloadText): string | undefined {
  const method = parseJson(findAsked(payload)?.get('method') ?? '');
  return typeof method === 'string' ? method : undefined;
}

/** The members of the last request of JSON-RPC; of the lines to a process, of the last one with parameters. */
function findAsked(payload: PayloadText): ReadonlyMap<string | undefined, string> | undefined {
  if ('base64' in payload) return undefined;
  const { text } = payload;
  const messages = parseJson(text) === undefined ? text.split('\n').toReversed() : [text];
  const asked = messages
    .filter(message => parseJson(message) !== undefined)
    .map(message => new Map([...sliceJson(message)].map(slice => [slice.name, slice.text])))
    .filter(members => members.has('method'));
  return asked.find(members => members.has('params')) ?? asked[0];
}

/** The content of a reply as JSON: that of the last message that has one. */
export function printAnswered(payload: PayloadText): string {
  if ('base64' in payload) return JSON.stringify(payload);
  const { text } = payload;
  if (parseJson(text) !== undefined) return withoutBlanks(findMember(text, ANSWERED) ?? text);
  for (const message of listMessages(text)) {
    const found = parseJson(message) === undefined ? undefined : findMember(message, ANSWERED);
    if (found !== undefined) return withoutBlanks(found);
  }
  return JSON.stringify(text);
}

/** The messages of a stream or of lines, the last one first. */
function listMessages(text: string): readonly string[] {
  return (isSse(text) ? listSseData(text) : text.split('\n')).toReversed();
}

/** A member as written, because parsing would round its numbers and reorder its members. */
function findMember(text: string, names: readonly string[]): string | undefined {
  const members = new Map([...sliceJson(text)].map(slice => [slice.name, slice.text]));
  // Only messages of JSON-RPC and similar protocols have these members; any other message is exported whole.
  if (!['jsonrpc', 'trace_id', 'method'].some(name => members.has(name))) return undefined;
  const name = names.find(each => members.has(each));
  return name === undefined ? undefined : members.get(name);
}
