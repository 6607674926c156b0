import { readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import { AIO_METHODS, fail, type AioResult } from './aio-modules.ts';
import { startDemoHost, type DemoHost } from './demo-host.ts';
import type { HostRequest } from '../serving/http-host.ts';
import type { CallerReply } from '../../protocols/serving/serving.ts';
import type { JsonValue } from './tools.ts';

/** The description of an AIO agent, with its methods. */
interface AioAgent {
  readonly name: string;
  readonly kind: 'http' | 'mcp' | 'stdio';
  readonly methods: readonly string[];
}

const COURIER: AioAgent = {
  name: 'courier',
  kind: 'http',
  methods: ['help', 'input', 'sampling.start', 'tools.list', 'tools.call'],
};
const CURATOR: AioAgent = {
  name: 'curator',
  kind: 'mcp',
  methods: ['help', ...[...AIO_METHODS.keys()].filter(method => method !== 'input')],
};

/** The agents by the paths at which they listen. */
const AGENTS: ReadonlyMap<string, AioAgent> = new Map([
  ['/courier', COURIER],
  ['/curator', CURATOR],
]);

/** Starts the demo agents `courier`, of the AIO kind `http`, and `curator`, of the kind `mcp` with all modules. */
export async function startAioAgents(): Promise<DemoHost> {
  const host = await startDemoHost({ maxBytes: 10_000_000, answer });
  const addresses = [...AGENTS].map(([path, { name }]) => [name, host.origin + path] as const);
  return { ...host, addresses: Object.fromEntries(addresses) };
}

async function answer(request: HostRequest, reply: CallerReply): Promise<void> {
  const agent = AGENTS.get(request.path);
  if (!agent)
    return reply.send(
      404,
      'text/plain',
      `There is nothing here; the endpoints are ${[...AGENTS.keys()].join(' and ')}`,
    );
  reply.send(200, 'application/json; charset=utf-8', await answerAio(agent, request.body, request.gone));
}

/** Answers one AIO request as the demo agent of the kind `stdio`: a line of JSON for a line of JSON. */
export function answerAioLine(line: string, signal: AbortSignal): Promise<string> {
  return answerAio({ ...COURIER, kind: 'stdio' }, line, signal);
}

async function answerAio(agent: AioAgent, body: string, signal: AbortSignal): Promise<string> {
  const request = readFields(parseJson(body));
  if (!request) return JSON.stringify({ jsonrpc: '2.0', id: null, ...fail(-32700, 'Send one JSON object') });
  const given = request.get('method');
  const method = typeof given === 'string' ? given.replace(/^.*::/, '') : '';
  const params = readFields(request.get('params')) ?? new Map<string, unknown>();
  const trace = request.get('trace_id');
  return JSON.stringify({
    jsonrpc: '2.0',
    id: request.get('id') ?? null,
    ...(await run(agent, method, params, signal)),
    ...(typeof trace === 'string' ? { trace_id: trace } : {}),
  });
}

async function run(
  agent: AioAgent,
  method: string,
  params: ReadonlyMap<string, unknown>,
  signal: AbortSignal,
): Promise<AioResult> {
  if (method === 'help') return { result: describe(agent) };
  const found = agent.methods.includes(method) ? AIO_METHODS.get(method) : undefined;
  if (!found)
    return fail(-32601, `${agent.name} has no method '${method}'; it has ${agent.methods.join(', ')}`);
  return found(params, signal);
}

const MODALITIES = ['text', 'image', 'audio', 'video', 'file'];

function describe({ name, kind, methods }: AioAgent): JsonValue {
  const has = (module: string): boolean => methods.some(method => method.startsWith(`${module}.`));
  const modules = ['resources', 'prompts', 'tools', 'sampling'].map(module => [module, has(module)] as const);
  return {
    name,
    version: '1.0.0',
    type: kind,
    methods,
    modalities: MODALITIES,
    mcp: Object.fromEntries(modules),
  };
}
