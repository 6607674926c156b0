import { readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import { isRecord } from '../../core/guard.ts';
import type { HostRequest } from '../serving/http-host.ts';
import type { CallerReply } from '../../protocols/serving/serving.ts';
import { readId } from './rpc.ts';
import type { JsonValue } from './tools.ts';

export type Params = ReadonlyMap<string, unknown>;

/** The answer of a method: a result, or an error of JSON-RPC. */
export type McpResult =
  | { readonly result: JsonValue }
  | { readonly error: { readonly code: number; readonly message: string } };

/** A call of a method, which may send messages to the client; these make the reply a stream. */
export interface McpCall {
  readonly request: HostRequest;
  readonly params: Params;
  notify(method: string, params: JsonValue): void;
  /** Asks the client, whose answer arrives in a request of its own. */
  ask(method: string, params: JsonValue): Promise<McpAnswer>;
}

export type McpAnswer = { readonly result: Params } | { readonly error: string };

export interface McpServer {
  readonly name: string;
  readonly capabilities: JsonValue;
  readonly methods: ReadonlyMap<string, (call: McpCall) => McpResult | Promise<McpResult>>;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const EVENTS = 'text/event-stream; charset=utf-8';
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

/** Questions to clients that wait for their answers, by id. */
export class Questions {
  readonly #waiting = new Map<string, (answer: McpAnswer) => void>();
  #count = 0;

  ask(send: (id: string) => void, signal: AbortSignal): Promise<McpAnswer> {
    const id = `question-${++this.#count}`;
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#waiting.delete(id);
        reject(new Error('The caller is gone'));
      };
      signal.addEventListener('abort', stop, { once: true });
      this.#waiting.set(id, answer => {
        signal.removeEventListener('abort', stop);
        this.#waiting.delete(id);
        resolve(answer);
      });
      send(id);
    });
  }

  answer(id: unknown, message: Params): void {
    const error = readFields(message.get('error'))?.get('message');
    this.#waiting.get(String(id))?.(
      message.has('error')
        ? { error: typeof error === 'string' ? error : 'The client refused' }
        : { result: readFields(message.get('result')) ?? new Map<string, unknown>() },
    );
  }
}

/**
 * Answers one message of MCP over HTTP: a request by one JSON body, or by a stream if the server sends
 * messages before the answer; a notification or an answer by 202. There are no sessions.
 */
export async function answerMcp(
  server: McpServer,
  questions: Questions,
  request: HostRequest,
  reply: CallerReply,
): Promise<void> {
  const message = readFields(parseJson(request.body));
  if (!message) return reply.send(400, JSON_TYPE, print(null, fail(-32700, 'Send one message of JSON-RPC')));
  const id = readId(message.get('id'));
  const method = message.get('method');
  if (typeof method !== 'string') {
    questions.answer(id, message);
    return reply.send(202, 'text/plain', '');
  }
  if (id === null) return reply.send(202, 'text/plain', '');
  const params = readFields(message.get('params')) ?? new Map<string, unknown>();
  let isStream = false;
  const say = (reported: JsonValue): void => {
    isStream = true;
    reply.write(EVENTS, `event: message\ndata: ${JSON.stringify(reported)}\n\n`);
  };
  const call: McpCall = {
    request,
    params,
    notify: (name, given) => say({ jsonrpc: '2.0', method: name, params: given }),
    ask: (name, given) =>
      questions.ask(number => say({ jsonrpc: '2.0', id: number, method: name, params: given }), request.gone),
  };
  const answer = print(id, await run(server, method, call));
  if (!isStream) return reply.send(200, JSON_TYPE, answer);
  reply.write(EVENTS, `event: message\ndata: ${answer}\n\n`);
  reply.end();
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

/**
 * The result of a tool that returns a value: as a text, and for an object also as `structuredContent` (MCP,
 * "Structured Content").
 */
export function give(value: JsonValue): McpResult {
  if (typeof value === 'string') return say(value);
  const content = [{ type: 'text', text: JSON.stringify(value) }];
  return { result: { content, ...(isRecord(value) ? { structuredContent: value } : {}) } };
}

/** The text of an answer. */
export function print(id: string | number | null, answer: McpResult): string {
  return JSON.stringify({ jsonrpc: '2.0', id, ...answer });
}
