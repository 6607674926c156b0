import { A2A_RESULTS } from '../a2a/names.ts';
import { findLayer } from '../convert/detect.ts';
import type { A2aVersion } from '../a2a/parts.ts';
import { findRestCall, frameRestRequest, type RestCall } from '../a2a/rest.ts';
import { recognise } from '../convert/shapes.ts';
import { readAiclPieces } from '../../language/values/aicl-reader.ts';
import { readJsonPieces, readWrittenJson } from '../../language/values/json-reader.ts';
import { findEntry, textIn, type Value } from '../../core/values/value.ts';
import { splitObjectList } from '../../core/text/json-list.ts';
import { decodeUtf8 } from '../../core/events/bytes.ts';
import type { KeptHeader, TraceProtocol } from '../../core/events/events.ts';
import { findHeader } from '../../core/events/headers.ts';
import { findTaskNames } from '../a2a/tasks.ts';
import { readTaskNews } from '../a2a/news.ts';
import { printId, readNames, type CarriedNames } from './names.ts';
import { findTitle, titleOfAicf } from './title.ts';
import { AGENT_CARD, END_SESSION, LISTENING } from './titles.ts';

/** So much of a body is looked at, in characters. */
export const LONGEST_READ = 2 ** 20;

/** A request as it was on the wire. */
export interface HeardRequest {
  /** Of HTTP; undefined where the message came without it, as over standard input. */
  readonly method?: string;
  /** With its query. */
  readonly path?: string;
  readonly headers: readonly KeptHeader[];
  /** The body or the message. Of a long one its beginning does. */
  readonly text: string;
  /** What the agent is known to speak. */
  readonly known?: TraceProtocol | undefined;
}

/** What a request is. */
export interface RequestSign extends CarriedNames {
  readonly protocol: TraceProtocol;
  /** The tool, query or method; `POST /path` where nothing is known. */
  readonly title: string;
  /** An answer is a reply to something that the other side asked on the same connection. */
  readonly kind: 'request' | 'notification' | 'answer';
  /** True where it tells its callee what became of an earlier call, on a connection of its own: nobody is called by it. */
  readonly isNews?: true;
  /** What names it among the messages of its connection. */
  readonly id?: string;
  readonly session?: string;
  /** By what the agent tells how far it is (MCP, progress). */
  readonly progressToken?: string;
  /** The messages of a batch of JSON-RPC, where all of them are requests or notifications of a known protocol. */
  readonly batch?: readonly BatchMessage[];
}

/** A message of a batch. */
export interface BatchMessage {
  /** As it is written. */
  readonly text: string;
  readonly sign: RequestSign;
}

/**
 * What a request is: its protocol by what it looks like, and what it says of itself. Total, and linear in the text, of which
 * the first million characters are looked at.
 */
export function recogniseRequest(request: HeardRequest): RequestSign {
  const text = request.text.slice(0, LONGEST_READ);
  const layer = findLayer(text);
  const rest = findRest(request);
  if (rest) {
    const message = frameRestRequest(rest, layer === 'json' ? readJson(text) : undefined);
    return { ...readMessage(request, 'a2a', message), kind: 'request' };
  }
  if (layer === 'aicf') return readAicf(request, text);
  if (layer === 'aicl') return readMessage(request, 'aicl', readAiclPieces(text).pieces[0]?.value);
  const value = layer === 'json' ? readJson(text) : undefined;
  if (value?.kind === 'list') return readBatch(request, text, value.items);
  const protocol = value && protocolOf(request, value);
  if (protocol !== undefined && protocol !== 'other') return readMessage(request, protocol, value);
  return (value && readNews(request, value)) ?? readByHead(request, value);
}

/** A push notification of A2A: an agent tells its client at an address of the client's how its task is. */
function readNews(request: HeardRequest, value: Value): RequestSign | undefined {
  const news = request.method === 'POST' ? readTaskNews(value) : undefined;
  if (!news) return undefined;
  const session = findSession(request.headers, 'a2a', news.message);
  const carried = readNames(request.headers, value);
  return {
    protocol: 'a2a',
    title: news.title,
    kind: 'notification',
    isNews: true,
    ...carried,
    names: [...carried.names, ...findTaskNames(news.message)],
    ...(session === undefined ? {} : { session }),
  };
}

/** What is asked of an agent of A2A over HTTP+JSON; a path that others may have as well needs other signs of it. */
function findRest({ method, path, headers, known }: HeardRequest): RestCall | undefined {
  if (method === undefined || path === undefined) return undefined;
  const only = pathOnly(path);
  const told = findHeader(headers, 'a2a-version');
  const version: A2aVersion = (told ?? (/\/v1\//.test(only) ? '0.3' : '1.0')).startsWith('0.')
    ? '0.3'
    : '1.0';
  const found = findRestCall(method, only, version);
  if (!found || found.isCertain || known === 'a2a' || told !== undefined) return found;
  const types = [findHeader(headers, 'accept'), findHeader(headers, 'content-type')];
  return types.some(type => type?.includes(A2A_JSON)) ? found : undefined;
}

/** What version 1.0 calls its JSON. */
const A2A_JSON = 'application/a2a+json';

/** The value of a text of JSON; of one that was cut, what of it can be read. */
function readJson(text: string): Value | undefined {
  return readWrittenJson(text) ?? readJsonPieces(text).pieces[0]?.value;
}

function readAicf(request: HeardRequest, text: string): RequestSign {
  const [line = ''] = text.split(/\r\n|\r|\n/).filter(each => each.trim() !== '' && !each.startsWith('#'));
  const title = titleOfAicf(line.replace(/^\s*Request:\s*/, ''));
  return { protocol: 'aicf', title, kind: 'request', ...readNames(request.headers, undefined) };
}

/** Protocols over JSON-RPC, whose messages may look alike. */
const OVER_JSON_RPC: ReadonlySet<string> = new Set(['json-rpc', 'aio', 'mcp', 'a2a']);

function protocolOf({ known, headers }: HeardRequest, value: Value): TraceProtocol {
  const found = recognise(value, undefined);
  const isMcp = findHeader(headers, 'mcp-session-id') ?? findHeader(headers, 'mcp-protocol-version');
  const isPlain = found === 'json-rpc' && !textIn(findEntry(value, 'method'))?.startsWith('aip.');
  const isAnswer = found !== undefined && OVER_JSON_RPC.has(found) && !findEntry(value, 'method');
  if (isMcp !== undefined && (isPlain || isAnswer)) return 'mcp';
  // What looks like several protocols is of the one that the agent is known to speak.
  if (known !== undefined && OVER_JSON_RPC.has(known) && (isPlain || isAnswer)) return known;
  if (found === 'agent-api' && known === 'responses') return known;
  return found === undefined || found === 'json' ? 'other' : found;
}

function readMessage(
  request: HeardRequest,
  protocol: TraceProtocol,
  message: Value | undefined,
): RequestSign {
  if (!message) return { ...readByHead(request, undefined), protocol };
  const carried = readNames(request.headers, message);
  const tasks = protocol === 'a2a' ? findTaskNames(message) : [];
  const id = printId(findEntry(message, 'id'));
  const session = findSession(request.headers, protocol, message);
  const kind = kindOf(protocol, message, id);
  const progressToken = printId(findEntry(findEntry(findEntry(message, 'params'), '_meta'), 'progressToken'));
  return {
    protocol,
    title: findTitle(protocol, message) ?? (kind === 'answer' ? 'answer' : titleOfHead(request)),
    kind,
    ...carried,
    ...(tasks.length === 0 ? {} : { names: [...carried.names, ...tasks] }),
    ...(id === undefined ? {} : { id }),
    ...(session === undefined ? {} : { session }),
    ...(progressToken === undefined ? {} : { progressToken }),
  };
}

function kindOf(protocol: TraceProtocol, message: Value, id: string | undefined): RequestSign['kind'] {
  if (protocol === 'aicl')
    return ANSWERS_OF_AICL.has(textIn(findEntry(message, 'msg_type')) ?? '') ? 'answer' : 'request';
  if (!OVER_JSON_RPC.has(protocol)) return 'request';
  if (!findEntry(message, 'method')) return 'answer';
  // An AIO agent that is asked once is known by its process: its request need have no id.
  return id === undefined && protocol !== 'aio' ? 'notification' : 'request';
}

const ANSWERS_OF_AICL: ReadonlySet<string> = new Set(['result', 'error']);

/** The conversation that a message names, by the word of its protocol (reading of trace identity, section 7). */
export function findSession(
  headers: readonly KeptHeader[],
  protocol: TraceProtocol,
  message: Value | undefined,
): string | undefined {
  switch (protocol) {
    case 'aicl':
    case 'agent-api':
      return nonEmpty(textIn(findEntry(message, 'session_id')));
    case 'mcp':
      return nonEmpty(findHeader(headers, 'mcp-session-id'));
    case 'a2a':
      return findContext(message);
    case 'responses': {
      const conversation = findEntry(message, 'conversation');
      return nonEmpty(textIn(conversation) ?? textIn(findEntry(conversation, 'id')));
    }
    default:
      return undefined;
  }
}

/** A2A names it in the message, the task or an update, whichever a request or reply holds. */
function findContext(message: Value | undefined): string | undefined {
  const [params, result] = [findEntry(message, 'params'), findEntry(message, 'result')];
  const holders = [params, result].flatMap(part => [
    part,
    ...A2A_RESULTS.map(({ name }) => findEntry(part, name)),
  ]);
  for (const holder of holders) {
    const context = nonEmpty(textIn(findEntry(holder, 'contextId')));
    if (context !== undefined) return context;
  }
  return undefined;
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

function readBatch(request: HeardRequest, text: string, items: readonly Value[]): RequestSign {
  const signs = items.slice(0, MOST_OF_BATCH).map(item => {
    const protocol = protocolOf(request, item);
    return protocol === 'other' ? undefined : readMessage(request, protocol, item);
  });
  const first = signs.find(sign => sign !== undefined);
  if (!first) return readByHead(request, undefined);
  const kinds = new Set(signs.map(sign => sign?.kind));
  const batch = readMessages(request, text);
  return {
    ...readNames(request.headers, items[0]),
    ...(batch ? { batch } : {}),
    protocol: first.protocol,
    title: `${items.length} messages, first ${first.title}`,
    kind: kinds.size === 1 ? first.kind : 'request',
    ...(first.session === undefined ? {} : { session: first.session }),
  };
}

/** So many messages of a batch are looked at; a longer one is one call. */
const MOST_OF_BATCH = 100;

function readMessages(request: HeardRequest, text: string): readonly BatchMessage[] | undefined {
  const texts = splitObjectList(text) ?? [];
  if (texts.length < 2 || texts.length > MOST_OF_BATCH) return undefined;
  const messages = texts.map(each => ({ text: each, sign: recogniseRequest({ ...request, text: each }) }));
  return messages.every(({ sign }) => OVER_JSON_RPC.has(sign.protocol) && sign.kind !== 'answer')
    ? messages
    : undefined;
}

/** What the head alone tells. */
function readByHead(request: HeardRequest, message: Value | undefined): RequestSign {
  const { method = '', path = '', headers, known } = request;
  const session = findHeader(headers, 'mcp-session-id');
  const carried = readNames(headers, message);
  const isMcp =
    known === 'mcp' || session !== undefined || findHeader(headers, 'mcp-protocol-version') !== undefined;
  const wantsEvents = findHeader(headers, 'accept')?.includes('text/event-stream') === true;
  const base = { kind: 'request', ...carried, ...(session === undefined ? {} : { session }) } as const;
  if (isMcp && method === 'GET' && wantsEvents) return { ...base, protocol: 'mcp', title: LISTENING };
  if (isMcp && method === 'DELETE') return { ...base, protocol: 'mcp', title: END_SESSION };
  if (isCardPath(path)) return { ...base, protocol: 'a2a', title: AGENT_CARD };
  const [, response, action] = RESPONSE_PATH.exec(pathOnly(path)) ?? [];
  if (response !== undefined && method === (action === undefined ? 'GET' : 'POST'))
    return { ...base, protocol: 'responses', title: `${action ? 'cancel ' : ''}response ${response}` };
  return { ...base, protocol: 'other', title: titleOfHead(request) };
}

/** A response that runs in the background is asked for, and cancelled, by its id. */
const RESPONSE_PATH = /\/responses\/(resp_[\w-]{1,64})(\/cancel)?$/;

/** True for a path at which an A2A agent has its card. */
export function isCardPath(path: string): boolean {
  return /\/\.well-known\/agent(?:-card)?\.json$/.test(pathOnly(path));
}

function titleOfHead({ method, path = '', text }: HeardRequest): string {
  if (method !== undefined) return `${method} ${pathOnly(path)}`;
  return text.trim() === '' ? 'nothing' : 'a message of no known protocol';
}

/** Without the query, which may hold a credential. A path that is not escaped is read as UTF-8; heads are kept byte by byte. */
function pathOnly(path: string): string {
  const only = path.replace(/[?#].*/s, '');
  if (!/[\x80-\xff]/.test(only) || /[^\x00-\xff]/.test(only)) return only;
  return decodeUtf8(Uint8Array.from(only, character => character.charCodeAt(0))) ?? only;
}
