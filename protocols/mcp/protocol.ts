import { protocolRow } from '../../core/catalog/protocols.ts';
import { findHeader } from '../../core/events/headers.ts';
import { replaceAt } from '../../core/values/replace.ts';
import type { ObservedRequest, Protocol, RequestByHead } from '../protocol.ts';
import { END_SESSION, LISTENING } from '../recognise/titles.ts';
import { JsonParts } from '../reply-parts/json-parts.ts';
import { RpcParts } from '../reply-parts/rpc-parts.ts';
import { TakenParts } from '../reply-parts/taken-parts.ts';
import { kindOfRpc } from '../rpc/kind.ts';
import { findLastMethod } from '../rpc/pick.ts';
import { refuseRpc } from '../rpc/refuse.ts';
import { titleOfRpc } from '../rpc/title.ts';
import { mcpShape } from './shape.ts';

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

/** The names that the client library writes for each request. */
const OWN_META = /^(?:traceparent|tracestate|progressToken|io\.modelcontextprotocol\/.*)$/;

/** The Model Context Protocol, every version from 2024-11-05 on. */
export const MCP: Protocol = {
  facts: protocolRow('mcp'),
  shape: mcpShape,
  requests: {
    order: 3,
    isRpc: true,
    claims: headers => isMcp(headers),
    byHead,
    title: value => titleOfRpc(value, SUBJECTS, CALLS),
    kind: kindOfRpc,
    isNamedByHead: true,
    session: headers => findHeader(headers, 'mcp-session-id') || undefined,
  },
  replies: {
    openParts(earlier, head) {
      const parts = new JsonParts(new RpcParts(earlier));
      // A server that answers over another stream only says that it accepted the message.
      return head?.line.startsWith('202') ? new TakenParts(parts) : parts;
    },
    endsWithAnswer: true,
  },
  calls: { answers: ['call', 'list', 'describe'], listsMore: true, keepsNumbers: true },
  errors: { column: 'jsonRpc', codes: 'mcp', refuse: refuseRpc },
  replay: {
    saysLines: true,
    pick: texts => findLastMethod(texts, method => !/^(?:initialize|ping|notifications\/.*)$/.test(method)),
    renew: request => replaceAt(request, ['params', '_meta', OWN_META], undefined),
    answersInResult: true,
  },
};

function isMcp(headers: ObservedRequest['headers']): boolean {
  return (findHeader(headers, 'mcp-session-id') ?? findHeader(headers, 'mcp-protocol-version')) !== undefined;
}

/** Over Streamable HTTP a GET opens the server's own stream, and a DELETE ends the session. */
function byHead({ method, headers, known }: ObservedRequest): RequestByHead | undefined {
  if (known !== 'mcp' && !isMcp(headers)) return undefined;
  const wantsEvents = findHeader(headers, 'accept')?.includes('text/event-stream') === true;
  if (method === 'GET' && wantsEvents) return { title: LISTENING };
  return method === 'DELETE' ? { title: END_SESSION } : undefined;
}
