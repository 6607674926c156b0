import { readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import { startDemoHost, type DemoHost, type DemoReply, type DemoRequest } from './http-host.ts';
import { listTools } from './rpc.ts';
import { readArguments, TOOLBOX, type JsonValue } from './tools.ts';

/** The paths at which the AIO agents take requests. */
export const COURIER_PATH = '/courier';
export const CURATOR_PATH = '/curator';

/** The description of an AIO agent, with its methods. */
interface AioAgent {
  readonly name: string;
  readonly kind: 'http' | 'mcp' | 'stdio';
  readonly methods: readonly string[];
}

const TOOLS = ['tools.list', 'tools.call'];
const COURIER: AioAgent = {
  name: 'courier',
  kind: 'http',
  methods: ['help', 'input', 'sampling.start', ...TOOLS],
};
const CURATOR: AioAgent = {
  name: 'curator',
  kind: 'mcp',
  methods: ['help', 'resources.list', 'resources.get', ...TOOLS],
};

/** The agents by the paths at which they listen. */
const AGENTS: ReadonlyMap<string, AioAgent> = new Map([
  [COURIER_PATH, COURIER],
  [CURATOR_PATH, CURATOR],
]);

/** Starts the demo agents `courier`, of the AIO kind `http`, and `curator`, of the kind `mcp`. */
export function startAioAgents(): Promise<DemoHost> {
  return startDemoHost({ maxBytes: 1_000_000, answer });
}

async function answer(request: DemoRequest, reply: DemoReply): Promise<void> {
  const agent = AGENTS.get(request.path);
  if (!agent)
    return reply.send(
      404,
      'text/plain',
      `There is nothing here; the endpoints are ${[...AGENTS.keys()].join(' and ')}`,
    );
  reply.send(200, 'application/json; charset=utf-8', await answerAio(agent, request.body, request.signal));
}

/** Answers one AIO request as the demo agent of the kind `stdio`: a line of JSON for a line of JSON. */
export function answerAioLine(line: string, signal: AbortSignal): Promise<string> {
  return answerAio({ ...COURIER, kind: 'stdio' }, line, signal);
}

type AioResult =
  | { readonly result: JsonValue }
  | { readonly error: { readonly code: number; readonly message: string } };

async function answerAio(agent: AioAgent, body: string, signal: AbortSignal): Promise<string> {
  const request = readFields(parseJson(body));
  if (!request) return JSON.stringify({ jsonrpc: '2.0', id: null, ...fail(-32700, 'Send one JSON object') });
  const given = request.get('method');
  const method = typeof given === 'string' ? given.replace(/^.*::/, '') : '';
  const params = readFields(request.get('params')) ?? new Map<string, unknown>();
  const result = agent.methods.includes(method)
    ? await run(agent, method, params, signal)
    : fail(-32601, `${agent.name} has no method '${method}'; it has ${agent.methods.join(', ')}`);
  const trace = request.get('trace_id');
  return JSON.stringify({
    jsonrpc: '2.0',
    id: request.get('id') ?? null,
    ...result,
    ...(typeof trace === 'string' ? { trace_id: trace } : {}),
  });
}

async function run(
  agent: AioAgent,
  method: string,
  params: ReadonlyMap<string, unknown>,
  signal: AbortSignal,
): Promise<AioResult> {
  switch (method) {
    case 'help':
      return { result: describe(agent) };
    case 'tools.list':
      return { result: { tools: listTools() } };
    case 'tools.call':
      return callTool(params, signal);
    case 'resources.list':
      return { result: { resources: [{ id: 'map', title: 'A map of the demo agents', type: 'text' }] } };
    case 'resources.get':
      return {
        result: { type: 'text', value: 'toolbox, analyst, storyteller, oracle, librarian, courier, curator' },
      };
    default:
      return { result: { type: 'text', value: `Delivered: ${readText(params.get('input'))}` } };
  }
}

function describe({ name, kind, methods }: AioAgent): JsonValue {
  const modules = { resources: kind === 'mcp', prompts: false, tools: true, sampling: kind !== 'mcp' };
  return { name, version: '1.0.0', type: kind, methods, modalities: ['text', 'file'], mcp: modules };
}

async function callTool(params: ReadonlyMap<string, unknown>, signal: AbortSignal): Promise<AioResult> {
  const name = params.get('tool');
  const tool = TOOLBOX.find(each => each.name === name);
  if (!tool) return fail(-32601, `Tool not found: ${typeof name === 'string' ? name : ''}`);
  const check = readArguments(tool, readFields(params.get('args')) ?? new Map<string, unknown>());
  if (!check.ok) return fail(-32602, check.message);
  const outcome = tool.run(check.given, signal);
  if (outcome.kind === 'failure') return fail(-32603, outcome.message);
  if (outcome.kind === 'value') return { result: outcome.value };
  const pieces: string[] = [];
  for await (const piece of outcome.pieces) pieces.push(piece);
  return { result: { type: 'text', value: pieces.join('') } };
}

function readText(input: unknown): string {
  const value = readFields(input)?.get('value') ?? input;
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

function fail(code: number, message: string): AioResult {
  return { error: { code, message } };
}
