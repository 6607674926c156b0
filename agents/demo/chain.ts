import { randomBytes } from 'node:crypto';
import { DEEPEST_CALL } from '../../core/catalog/trace-names.ts';
import { asList, readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import { describeTooDeep, isTooDeep } from '../../core/events/recursion-guard.ts';
import { startDemoHost } from './demo-host.ts';
import type { HttpHost, HostRequest } from '../serving/http-host.ts';
import { answerMcp, fail, say, type McpCall, type McpResult, type McpServer } from './mcp-rpc.ts';

/** The paths of the first agents: in the chain A calls B and B calls C, and in the loop C calls A again. */
export const CHAIN_PATH = '/chain/a';
export const LOOP_PATH = '/loop/a';

const GUARD = -33007;
const BAD_DEPTH = -33006;
const TRACE = 'x-openstarry-trace-id';
const DEPTH = 'x-openstarry-trace-depth';

/** The next agent for each agent; the last one of the chain answers itself. */
const NEXT: ReadonlyMap<string, string | undefined> = new Map([
  ['/chain/a', '/chain/b'],
  ['/chain/b', '/chain/c'],
  ['/chain/c', undefined],
  ['/loop/a', '/loop/b'],
  ['/loop/b', '/loop/c'],
  ['/loop/c', '/loop/a'],
]);

/** What is between the agents of a chain, for example a recording: the address under which they reach each other. */
export interface Passage {
  readonly address: string;
  close(): Promise<void>;
}

/** Opens a passage to an agent, by its name and address. */
export type OpenPassage = (agent: string, url: URL) => Promise<Passage>;

/** The agents call each other directly. */
const NOTHING_BETWEEN: OpenPassage = (_agent, url) =>
  Promise.resolve({ address: url.href, close: () => Promise.resolve() });

/**
 * Starts the demo agents of the chains: MCP servers of OpenStarry's kind with one JSON body per request,
 * which call one another over HTTP and pass on the trace and its depth. A call that would be too deep is
 * refused. A passage to an agent is opened when another agent calls it for the first time.
 */
export async function startChain(open: OpenPassage = NOTHING_BETWEEN): Promise<HttpHost> {
  const passages = new Map<string, Promise<Passage>>();
  const addressOf = async (path: string): Promise<string> => {
    const passage = passages.get(path) ?? open(nameOf(path), new URL(path, host.origin));
    passages.set(path, passage);
    return (await passage).address;
  };
  const host: HttpHost = await startDemoHost({
    maxBytes: 100_000,
    answer: async (request, reply) =>
      NEXT.has(request.path)
        ? answerMcp(memberAt(request.path, addressOf), request, reply)
        : reply.send(
            404,
            'text/plain',
            `There is nothing here; the endpoints are ${CHAIN_PATH} and ${LOOP_PATH}`,
          ),
  });
  const close = async (): Promise<void> => {
    await host.close();
    for (const opened of await Promise.allSettled(passages.values()))
      if (opened.status === 'fulfilled') await opened.value.close();
  };
  return { ...host, close };
}

/** `loop` is the first agent of the loop, as users know it; `loop-b` and `loop-c` follow it. */
function nameOf(path: string): string {
  return path.slice(1).replace(/\/a$/, '').replace('/', '-');
}

const TOOL = {
  name: 'ask',
  description: 'Asks the next agent, and so on; answers what the last one says',
  inputSchema: { type: 'object', properties: { question: { type: 'string' } }, required: ['question'] },
};

function memberAt(path: string, addressOf: (path: string) => Promise<string>): McpServer {
  const name = path.slice(1).replace('/', '-');
  return {
    name,
    capabilities: { tools: {} },
    methods: new Map<string, (call: McpCall) => McpResult | Promise<McpResult>>([
      ['tools/list', () => ({ result: { tools: [TOOL] } })],
      ['tools/call', call => passOn(call, path, name, addressOf)],
    ]),
  };
}

async function passOn(
  { request, params }: McpCall,
  path: string,
  name: string,
  addressOf: (path: string) => Promise<string>,
): Promise<McpResult> {
  if (params.get('name') !== TOOL.name) return fail(-32602, `Tool not found: ${String(params.get('name'))}`);
  const chain = readChain(request, params);
  if (chain === undefined) return fail(BAD_DEPTH, 'The depth of a trace is a whole number from 0');
  const { depth } = chain;
  if (isTooDeep(depth, DEEPEST_CALL))
    return fail(GUARD, `${describeTooDeep(depth, DEEPEST_CALL)}. ${name} made no further call`);
  const question = readFields(params.get('arguments'))?.get('question');
  const next = NEXT.get(path);
  if (next === undefined)
    return say(`${name} says: 42, if the question was ${JSON.stringify(question ?? '')}`);
  return callNext(await addressOf(next), name, question, request, chain);
}

/** The call chain that a request belongs to. */
interface Chain {
  /** The trace id of OpenStarry; undefined for the first call of a trace. */
  readonly trace: string | undefined;
  readonly depth: number;
  /** The trace id of `traceparent`. */
  readonly parent: string | undefined;
}

/**
 * Reads the names of a trace, which are headers or members of `_meta`. A request without a depth has 0; undefined for one
 * whose depth is no whole number, which would pass the guard.
 */
function readChain(request: HostRequest, params: McpCall['params']): Chain | undefined {
  const meta = readFields(params.get('_meta'));
  const find = (header: string, ...keys: readonly string[]): string | undefined => {
    const found =
      request.header(header) ?? keys.map(key => meta?.get(key)).find(value => value !== undefined);
    return found === undefined ? undefined : JSON.stringify(found).replace(/^"(.*)"$/, '$1');
  };
  const depth = find(DEPTH, 'X-OpenStarry-Trace-Depth', 'traceDepth') ?? '0';
  if (!/^\d{1,9}$/.test(depth)) return undefined;
  return {
    trace: find(TRACE, 'X-OpenStarry-Trace-ID', 'traceId'),
    depth: Number(depth),
    parent: /^00-([0-9a-f]{32})-/.exec(find('traceparent', 'traceparent') ?? '')?.[1],
  };
}

async function callNext(
  url: string,
  name: string,
  question: unknown,
  request: HostRequest,
  { trace = randomBytes(16).toString('hex'), depth, parent }: Chain,
): Promise<McpResult> {
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: TOOL.name, arguments: { question } },
  };
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
    signal: request.gone,
  });
  const message = readFields(parseJson(await reply.text()));
  const error = readFields(message?.get('error'));
  if (error) return fail(Number(error.get('code')), String(error.get('message')));
  return say(`${name} asked on. ${readText(message?.get('result'))}`);
}

function readText(result: unknown): string {
  const content = readFields(result)?.get('content');
  const parts = asList(content);
  const text = readFields(parts[0])?.get('text');
  return typeof text === 'string' ? text : '';
}
