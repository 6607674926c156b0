import { A2A_RESULTS } from '../../a2a/names.ts';
import type { ProtocolName } from '../../../core/catalog/protocols.ts';
import { escapeText } from '../../../language/aicl/escapes.ts';
import { EventText } from '../../event-stream/event-text.ts';
import { message, type Message } from '../../../core/message/message.ts';
import {
  dictValue,
  findEntry,
  textIn,
  textValue,
  type Entry,
  type Value,
} from '../../../core/values/value.ts';
import { isEndState } from '../../a2a/states.ts';
import { joinEntries } from '../../conversation/verified.ts';
import { readAiclPieces } from '../../../language/values/aicl-reader.ts';
import { readJsonPieces, readJsonValue } from '../../../language/values/json-reader.ts';
import { isSse } from '../../../language/values/sse.ts';
import type { Places } from '../../../language/values/text-layer.ts';

/** What an agent calls a conversation: the next request of it says the same (reading of requests in files, section 9). */
export interface Carried {
  /** Of the conversation as a whole: `session_id` of AICL and the Agent API, `contextId` of A2A. */
  readonly session?: string | undefined;
  /** The task of A2A that the next message goes on with, as long as it has not ended. */
  readonly task?: string | undefined;
  /** The response that the next one follows: `previous_response_id` of OpenAI's Responses. */
  readonly response?: string | undefined;
}

interface CarriedMember {
  readonly name: keyof Carried;
  /** Where a request holds it: a field of every message, or a place in its own protocol. */
  readonly place: 'session' | readonly string[];
}

/** What of each protocol goes on from a reply to the next request; nothing where a protocol knows no conversations. */
const CARRIED: Readonly<Record<ProtocolName, readonly CarriedMember[]>> = {
  aicl: [{ name: 'session', place: 'session' }],
  aicf: [],
  'json-rpc': [],
  aio: [],
  // Its session is one of the connection, which goes on by itself.
  mcp: [],
  'agent-api': [{ name: 'session', place: 'session' }],
  responses: [{ name: 'response', place: ['previous_response_id'] }],
  a2a: [
    { name: 'session', place: 'session' },
    { name: 'task', place: ['message', 'taskId'] },
  ],
};

/** True for a protocol in which one request can continue another. */
export function hasConversations(protocol: ProtocolName): boolean {
  return CARRIED[protocol].length > 0;
}

/** A request that continues a conversation. */
export function carryOn(asked: Message, protocol: ProtocolName, carried: Carried): Message {
  let { session, rest } = asked.fields;
  for (const { name, place } of CARRIED[protocol]) {
    const id = carried[name];
    if (id === undefined) continue;
    if (place === 'session') session = textValue(id);
    else rest = withText(rest, [protocol, ...place], id);
  }
  return message(asked.kind, { ...asked.fields, session }, rest);
}

/** A dictionary with a text at a path, and all else as it was. */
function withText(outer: Value | undefined, [key, ...path]: readonly string[], text: string): Value {
  if (key === undefined) return textValue(text);
  const entries = outer?.kind === 'dict' ? outer.entries : [];
  const own: Entry = { key, value: withText(findEntry(outer, key), path, text) };
  return dictValue(
    joinEntries(
      entries.filter(entry => entry.key !== key),
      [own],
    ),
  );
}

/** The session that a text of AICL names first; undefined where it names none. */
export function readAiclSession(text: string): string | undefined {
  return textIn(findEntry(readAiclPieces(text).pieces[0]?.value, SESSION)) || undefined;
}

/** A message of AICL in another session, and nothing else of it changed. What is no message stays as it is. */
export function nameAiclSession(
  text: string,
  session: string,
): { readonly text: string; readonly isSigned: boolean } {
  const places: Places = new Map();
  const [piece] = readAiclPieces(text, places).pieces;
  if (piece?.value.kind !== 'dict') return { text, isSigned: false };
  const { entries } = piece.value;
  const isSigned = findEntry(piece.value, 'signature') !== undefined;
  const own = findEntry(piece.value, SESSION);
  const pair = `[s:${SESSION}]:[s:${escapeText(session)}]`;
  const span = own && places.get(own);
  if (textIn(own) === session) return { text, isSigned };
  if (span) return { text: text.slice(0, span.start) + pair + text.slice(span.end), isSigned };
  // The header has it between the protocol and the type.
  const next = entries.find(({ key }) => key !== 'protocol');
  const at = next && places.get(next.value)?.start;
  return { text: at === undefined ? text : `${text.slice(0, at)}${pair},${text.slice(at)}`, isSigned };
}

const SESSION = 'session_id';

/** What a reply, in the agent's own protocol, says of the conversation that it belongs to. Total, and linear in the reply. */
export function readCarried(protocol: ProtocolName, reply: string): Carried {
  return READERS[protocol]?.(reply) ?? {};
}

const READERS: Readonly<Partial<Record<ProtocolName, (reply: string) => Carried>>> = {
  aicl: reply => ({
    session: lastText(
      readAiclPieces(reply).pieces.map(({ value }) => value),
      SESSION,
    ),
  }),
  'agent-api': reply => ({ session: lastText(readValues(reply), SESSION) }),
  responses: reply => ({ response: readResponse(readValues(reply)) }),
  a2a: reply => readTask(readValues(reply)),
};

function lastText(values: readonly Value[], member: string): string | undefined {
  return values.map(value => textIn(findEntry(value, member))).findLast(Boolean);
}

/** The values of a reply: of its events, or of its body. */
function readValues(reply: string): readonly Value[] {
  const value = readJsonValue(reply);
  if (value) return [value];
  const start = reply.trimStart();
  if (!start.startsWith(':') && !isSse(reply)) return readJsonPieces(reply).pieces.map(piece => piece.value);
  const events = new EventText();
  return [...events.push(reply), ...events.end()].flatMap(({ data }) => readJsonValue(data) ?? []);
}

/** Responses that failed or broke off are no part of a conversation. */
const FOLLOWED: ReadonlySet<string | undefined> = new Set(['completed', 'incomplete', undefined]);

function readResponse(values: readonly Value[]): string | undefined {
  let found: string | undefined;
  for (const value of values) {
    const response = findEntry(value, 'response') ?? value;
    const status = textIn(findEntry(response, 'status'));
    if (textIn(findEntry(response, 'object')) === 'response' && FOLLOWED.has(status))
      found = textIn(findEntry(response, 'id')) ?? found;
  }
  return found;
}

function readTask(values: readonly Value[]): Carried {
  let session: string | undefined;
  let task: string | undefined;
  let isEnded = false;
  for (const value of values) {
    const result = findEntry(value, 'result');
    const told =
      A2A_RESULTS.map(({ name }) => findEntry(result, name)).find(each => each?.kind === 'dict') ?? result;
    const status = findEntry(told, 'status');
    session = textIn(findEntry(told, 'contextId')) || session;
    task = textIn(findEntry(told, 'taskId') ?? (status && findEntry(told, 'id'))) ?? task;
    const state = textIn(findEntry(status, 'state'));
    if (state !== undefined) isEnded = isEndState(state);
  }
  return { session, task: isEnded ? undefined : task };
}
