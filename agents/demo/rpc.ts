import { readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import { TOOLBOX, readArguments, type DemoTool, type JsonValue } from './tools.ts';

/** The path of the JSON-RPC endpoint beside the AICF one (AICF-RPC 1.0, "Dual Protocol Support"). */
export const RPC_PATH = '/aip/v1/rpc';

export interface RpcAnswer {
  readonly status: number;
  /** JSON. */
  readonly body: string;
}

type RpcResult =
  | { readonly result: JsonValue }
  | { readonly error: { readonly code: number; readonly message: string } };

type Params = ReadonlyMap<string, unknown>;

const METHODS: ReadonlyMap<string, (params: Params, signal: AbortSignal) => RpcResult | Promise<RpcResult>> =
  new Map<string, (params: Params, signal: AbortSignal) => RpcResult | Promise<RpcResult>>([
    ['aip.handshake', shakeHands],
    ['aip.capabilities.list', listCapabilities],
    ['aip.tool.invoke', invokeTool],
    ['aip.context.get', getContext],
  ]);

/** Answers a JSON-RPC 2.0 request or batch: errors of the application with HTTP 200, invalid JSON with 400. */
export async function answerRpc(body: string, signal: AbortSignal): Promise<RpcAnswer> {
  const value: unknown = parseJson(body);
  if (value === undefined)
    return print(400, null, fail(-32700, 'Parse error: send one JSON-RPC request object'));
  if (!Array.isArray(value) || value.length === 0) return answerOne(value, signal);
  const answers = await Promise.all(value.map(each => answerOne(each, signal)));
  return { status: 200, body: `[${answers.map(answer => answer.body).join(',')}]` };
}

async function answerOne(value: unknown, signal: AbortSignal): Promise<RpcAnswer> {
  const request = readFields(value);
  if (!request) return print(400, null, fail(-32600, 'Invalid request: send one JSON-RPC request object'));
  const id = readId(request.get('id'));
  const method = request.get('method');
  if (request.get('jsonrpc') !== '2.0' || typeof method !== 'string') {
    return print(200, id, fail(-32600, "Invalid request: 'jsonrpc' should be \"2.0\" and 'method' a text"));
  }
  const run = METHODS.get(method);
  if (!run) return print(200, id, fail(-32601, `Method not found: ${method}`));
  return print(200, id, await run(readFields(request.get('params')) ?? new Map(), signal));
}

/** Refuses a request for its credential. */
export function refuseRpcCredential(body: string, why: string): RpcAnswer {
  return print(401, readId(readFields(parseJson(body))?.get('id')), fail(401, why));
}

function shakeHands(): RpcResult {
  return {
    result: {
      version: '1.0.0',
      server: { name: 'toolbox', version: '1.0.0', capabilities: ['tool', 'context'] },
      session: { id: 'demo-session' },
    },
  };
}

function listCapabilities(): RpcResult {
  return { result: { tools: listTools() } };
}

function getContext(): RpcResult {
  return { result: { name: 'toolbox', tools: TOOLBOX.length } };
}

/** Tools as a protocol lists them, by default those of the toolbox. */
export function listTools(tools: readonly DemoTool[] = TOOLBOX): readonly JsonValue[] {
  return tools.map(tool => ({
    name: tool.name,
    description: tool.description,
    inputSchema: schemaOf(tool),
  }));
}

/** The JSON Schema of a tool's arguments. */
function schemaOf(tool: DemoTool): JsonValue {
  return {
    type: 'object',
    properties: Object.fromEntries(tool.arguments.map(each => [each.name, { type: each.type }])),
    required: tool.arguments.filter(each => !each.isOptional).map(each => each.name),
  };
}

async function invokeTool(params: Params, signal: AbortSignal): Promise<RpcResult> {
  const name = params.get('tool');
  const tool = TOOLBOX.find(each => each.name === name);
  if (!tool) return fail(404, `Tool not found: ${typeof name === 'string' ? name : ''}`);
  const check = readArguments(tool, readFields(params.get('arguments')) ?? new Map());
  if (!check.ok) return fail(422, check.message);
  const outcome = tool.run(check.given, signal);
  if (outcome.kind === 'failure') return { result: { success: false, error: outcome.message } };
  if (outcome.kind === 'value') return { result: { success: true, data: outcome.value } };
  const pieces: string[] = [];
  for await (const piece of outcome.pieces) pieces.push(piece);
  return { result: { success: true, data: pieces.join('') } };
}

function fail(code: number, message: string): RpcResult {
  return { error: { code, message } };
}

function print(status: number, id: string | number | null, result: RpcResult): RpcAnswer {
  return { status, body: JSON.stringify({ jsonrpc: '2.0', id, ...result }) };
}

/** The id of a request; null for a value that is none. */
export function readId(id: unknown): string | number | null {
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
