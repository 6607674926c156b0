import { TELEMETRY } from '../../core/catalog/trace-names.ts';
import type { Message } from '../../core/message/message.ts';
import { findEntry, textIn, type Value } from '../../core/values/value.ts';
import { findHeader } from '../../core/events/headers.ts';
import { replaceAt } from '../message/replace.ts';
import type { Protocol } from '../protocol.ts';
import type { CancelledRequest, ObservedRequest, RequestByHead } from '../request-recognition.ts';
import { printId } from '../recognise/names.ts';
import { END_SESSION } from '../recognise/request.ts';
import { LISTENING } from '../../core/catalog/protocols.ts';
import { JsonParts } from '../reply-parts/json-parts.ts';
import { RpcParts } from '../reply-parts/rpc-parts.ts';
import { TakenParts } from '../reply-parts/taken-parts.ts';
import { kindOfRpc } from '../rpc/kind.ts';
import { findLastMethod } from '../rpc/pick.ts';
import { refuseRpc } from '../rpc/refuse.ts';
import { titleOfRpc } from '../rpc/title.ts';
import { findEndpoint } from './endpoint.ts';
import { asMethod, listMethods } from './client-methods.ts';
import { ITEM_LISTS } from './item-lists.ts';
import { MCP_METHOD_ROOTS, MCP_METHODS } from './names.ts';
import { MCP_DISCOVERY } from './discovery.ts';
import { MCP_MESSAGES } from './messages.ts';

const SUBJECTS = new Map([
  ['tools/call', ['name']],
  ['resources/read', ['uri']],
  ['resources/subscribe', ['uri']],
  ['prompts/get', ['name']],
  ['tasks/get', ['id', 'taskId']],
  ['tasks/cancel', ['id', 'taskId']],
  ['notifications/cancelled', ['reason']],
]);
const CALLS: ReadonlySet<string> = new Set(['tools/call']);

/** Methods other than those that run tools or read content. */
const LOOKUP =
  /^(?:initialize|ping|server\/discover|logging\/setLevel|resources\/(?:un)?subscribe|.*\/list)$/;

/** Members of `_meta` that the client library writes for each request. */
const OWN_META = /^(?:traceparent|tracestate|progressToken|io\.modelcontextprotocol\/.*)$/;

/** The Model Context Protocol, every version from 2024-11-05 on. */
export const MCP: Protocol = {
  ...MCP_MESSAGES,
  discovery: MCP_DISCOVERY,
  requests: {
    endpoint: /\/mcp\/?$/,
    claims: headers => isMcp(headers),
    byHead,
    title: value => titleOfRpc(value, SUBJECTS, CALLS),
    kind: kindOfRpc,
    isLookup: value => LOOKUP.test(textIn(findEntry(value, 'method')) ?? ''),
    isNamedByHead: true,
    carriesChain: true,
    echoesId: true,
    cancels,
    byReply: findEndpoint,
    session: headers => findHeader(headers, 'mcp-session-id') || undefined,
  },
  replies: {
    openParts(earlier, head) {
      const parts = new JsonParts(new RpcParts(earlier));
      // A 202 only accepts the message; the answer comes over another stream.
      return head?.line.startsWith('202') ? new TakenParts(parts) : parts;
    },
    endsWithAnswer: true,
    answersElsewhere: true,
    // A server without a stream of its own, or without ending of sessions, answers 405 (MCP, transports).
    mayLack: (title, status) => (title === LISTENING || title === END_SESSION) && status === 405,
  },
  calls: {
    answers: ['call', 'list', 'describe'],
    itemLists: ITEM_LISTS,
    keepsNumbers: true,
    nextPage,
    asMethod,
    listMethods,
  },
  refuse: refuseRpc,
  spans: { method: methodOfTitle, session: TELEMETRY.mcpSession },
  replay: {
    isLineDelimited: true,
    pick: texts => findLastMethod(texts, method => !/^(?:initialize|ping|notifications\/.*)$/.test(method)),
    renew: request => replaceAt(request, ['params', '_meta', OWN_META], undefined),
    answersInResult: true,
  },
};

function isMcp(headers: ObservedRequest['headers']): boolean {
  return (findHeader(headers, 'mcp-session-id') ?? findHeader(headers, 'mcp-protocol-version')) !== undefined;
}

/**
 * Recognises the requests of Streamable HTTP without a body: GET opens the server's stream, DELETE ends the
 * session.
 */
function byHead({ method, headers, known }: ObservedRequest): RequestByHead | undefined {
  if (known !== 'mcp' && !isMcp(headers)) return undefined;
  const wantsEvents = findHeader(headers, 'accept')?.includes('text/event-stream') === true;
  if (method === 'GET' && wantsEvents) return { title: LISTENING };
  return method === 'DELETE' ? { title: END_SESSION } : undefined;
}

/** The request that a notification cancels (MCP, utilities, "Cancellation"). */
function cancels(notification: Value): CancelledRequest | undefined {
  if (textIn(findEntry(notification, 'method')) !== 'notifications/cancelled') return undefined;
  const params = findEntry(notification, 'params');
  const id = printId(findEntry(params, 'requestId'));
  return id === undefined ? undefined : { id, reason: textIn(findEntry(params, 'reason')) };
}

/** The request for the next page of a list (MCP, "Pagination"). */
function nextPage({ fields }: Message): string | undefined {
  const result = findEntry(findEntry(fields.rest, 'mcp'), 'result');
  const cursor = textIn(findEntry(result, 'nextCursor'));
  if (cursor === undefined) return undefined;
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor } });
}

/** Matches a title that begins with a method; a call of a tool has the tool's name as its title. */
const METHOD = new RegExp(`^(?:${MCP_METHODS.join('|')}|(?:${MCP_METHOD_ROOTS.join('|')})/\\S*)(?= |$)`);

function methodOfTitle(title: string): string {
  return METHOD.exec(title)?.[0] ?? 'tools/call';
}
