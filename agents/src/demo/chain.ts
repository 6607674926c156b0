import { randomBytes } from 'node:crypto';
import { readFields } from '../../../protocol/src/text/fields.ts';
import { parseJson } from '../../../protocol/src/text/json.ts';
import { startDemoHost, type DemoHost, type DemoRequest } from './http-host.ts';
import { answerMcp, fail, Questions, say, type McpCall, type McpResult, type McpServer } from './mcp-rpc.ts';

/** Where the chains begin: A asks B and B asks C, and in a loop C asks A again. */
export const CHAIN_PATH = '/chain/a';
export const LOOP_PATH = '/loop/a';

/** So many calls may stand above one; the next one is refused (reading of OpenStarry, section 5). */
const DEEPEST = 5;
const GUARD = -33007;
const TRACE = 'x-openstarry-trace-id';
const DEPTH = 'x-openstarry-trace-depth';

/** Whom each agent asks; the last one of a chain answers itself. */
const NEXT: ReadonlyMap<string, string | undefined> = new Map([
  ['/chain/a', '/chain/b'],
  ['/chain/b', '/chain/c'],
  ['/chain/c', undefined],
  ['/loop/a', '/loop/b'],
  ['/loop/b', '/loop/c'],
  ['/loop/c', '/loop/a'],
]);

/**
 * Starts the demo agents of the chains: MCP servers of OpenStarry's kind, one JSON body a request, that call one another
 * over HTTP and carry the trace and its depth. Where a call would be too deep it is refused.
 */
export async function startChain(): Promise<DemoHost> {
  const questions = new Questions();
  const host: DemoHost = await startDemoHost({
    maxBytes: 100_000,
    answer: async (request, reply) =>
      NEXT.has(request.path)
        ? answerMcp(
            memberAt(request.path, () => host.origin),
            questions,
            request,
            reply,
          )
        : reply.send(
            404,
            'text/plain',
            `There is nothing here; the endpoints are ${CHAIN_PATH} and ${LOOP_PATH}`,
          ),
  });
  return host;
}

const TOOL = {
  name: 'ask',
  description: 'Asks the next agent, and so on; answers what the last one says',
  inputSchema: { type: 'object', properties: { question: { type: 'string' } }, required: ['question'] },
};

function memberAt(path: string, origin: () => string): McpServer {
  const name = path.slice(1).replace('/', '-');
  return {
    name,
    capabilities: { tools: {} },
    methods: new Map<string, (call: McpCall) => McpResult | Promise<McpResult>>([
      ['tools/list', () => ({ result: { tools: [TOOL] } })],
      ['tools/call', call => passOn(call, path, name, origin())],
    ]),
  };
}

async function passOn(
  { request, params }: McpCall,
  path: string,
  name: string,
  origin: string,
): Promise<McpResult> {
  if (params.get('name') !== TOOL.name) return fail(-32602, `Tool not found: ${String(params.get('name'))}`);
  const depth = readDepth(request);
  if (depth > DEEPEST)
    return fail(
      GUARD,
      `Recursion guard: ${depth} calls stand above this one, and ${DEEPEST} may; ${name} calls nobody`,
    );
  const question = readFields(params.get('arguments'))?.get('question');
  const next = NEXT.get(path);
  if (next === undefined)
    return say(`${name} says: 42, if the question was ${JSON.stringify(question ?? '')}`);
  return callNext(`${origin}${next}`, name, question, request, depth);
}

/** No number counts as 0, and so does what is none. */
function readDepth(request: DemoRequest): number {
  const text = request.header(DEPTH) ?? '0';
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

async function callNext(
  url: string,
  name: string,
  question: unknown,
  request: DemoRequest,
  depth: number,
): Promise<McpResult> {
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: TOOL.name, arguments: { question } },
  };
  const trace = request.header(TRACE) ?? randomBytes(16).toString('hex');
  const parent = /^00-([0-9a-f]{32})-/.exec(request.header('traceparent') ?? '')?.[1];
  const reply = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      [TRACE]: trace,
      [DEPTH]: String(depth + 1),
      ...(parent === undefined ? {} : { traceparent: `00-${parent}-${randomBytes(8).toString('hex')}-01` }),
    },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: request.signal,
  });
  const message = readFields(parseJson(await reply.text()));
  const error = readFields(message?.get('error'));
  if (error) return fail(Number(error.get('code')), String(error.get('message')));
  return say(`${name} asked on. ${readText(message?.get('result'))}`);
}

function readText(result: unknown): string {
  const content = readFields(result)?.get('content');
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  const text = readFields(parts[0])?.get('text');
  return typeof text === 'string' ? text : '';
}
