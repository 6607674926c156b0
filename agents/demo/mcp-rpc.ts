import { readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import type { HostRequest } from '../serving/http-host.ts';
import type { CallerReply } from '../../protocols/serving/serving.ts';
import { readId } from './rpc.ts';
import type { JsonValue } from './tools.ts';

export type Params = ReadonlyMap<string, unknown>;

/** The answer of a method: a result, or an error of JSON-RPC. */
export type McpResult =
  | { readonly result: JsonValue }
  | { readonly error: { readonly code: number; readonly message: string } };

/** A call of a method. */
export interface McpCall {
  readonly request: HostRequest;
  readonly params: Params;
}

export interface McpServer {
  readonly name: string;
  readonly capabilities: JsonValue;
  readonly methods: ReadonlyMap<string, (call: McpCall) => McpResult | Promise<McpResult>>;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

/**
 * Answers one message of MCP over HTTP by one JSON body, as servers of OpenStarry do, and a notification or an answer by
 * 202. There are no sessions.
 */
export async function answerMcp(server: McpServer, request: HostRequest, reply: CallerReply): Promise<void> {
  const message = readFields(parseJson(request.body));
  if (!message) return reply.send(400, JSON_TYPE, print(null, fail(-32700, 'Send one message of JSON-RPC')));
  const id = readId(message.get('id'));
  const method = message.get('method');
  if (typeof method !== 'string' || id === null) return reply.send(202, 'text/plain', '');
  const params = readFields(message.get('params')) ?? new Map<string, unknown>();
  reply.send(200, JSON_TYPE, print(id, await run(server, method, { request, params })));
}

function run(server: McpServer, method: string, call: McpCall): McpResult | Promise<McpResult> {
  if (method === 'initialize') return initialize(server, call.params);
  if (method === 'ping') return { result: {} };
  return server.methods.get(method)?.(call) ?? fail(-32601, `Method not found: ${method}`);
}

/** The answer to `initialize`. */
export function initialize(
  { name, capabilities }: Pick<McpServer, 'name' | 'capabilities'>,
  params: Params,
): McpResult {
  const wanted = params.get('protocolVersion');
  const protocolVersion = VERSIONS.find(version => version === wanted) ?? '2025-11-25';
  return { result: { protocolVersion, capabilities, serverInfo: { name, version: '1.0.0' } } };
}

export function fail(code: number, message: string): McpResult {
  return { error: { code, message } };
}

/** The result of a tool that returns one text. */
export function say(text: string, how: 'ok' | 'failed' = 'ok'): McpResult {
  return { result: { content: [{ type: 'text', text }], ...(how === 'failed' ? { isError: true } : {}) } };
}

/** The text of an answer. */
export function print(id: string | number | null, answer: McpResult): string {
  return JSON.stringify({ jsonrpc: '2.0', id, ...answer });
}
