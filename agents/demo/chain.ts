import { randomBytes } from 'node:crypto';
import { DEEPEST_CALL } from '../../core/catalog/trace-names.ts';
import { describeTooDeep, isTooDeep } from '../../core/events/recursion-guard.ts';
import { message, type Message } from '../../core/message/message.ts';
import { asList, readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import { findEntry, intValue, textIn, textValue } from '../../core/values/value.ts';
import type { CallerRequest, ServedReply } from '../../protocols/serving/serving.ts';
import type { HttpHost } from '../serving/http-host.ts';
import { MCP } from '../../protocols/mcp/protocol.ts';
import { startServedDemo, type DemoHost } from './demo-host.ts';
import { offerTool, reply, serveDemo } from './served.ts';

const GUARD = -33007;
const BAD_DEPTH = -33006;
const NO_TOOL = -32602;
const TRACE = 'x-openstarry-trace-id';
const DEPTH = 'x-openstarry-trace-depth';

/** The next agent for each agent; the last one of the chain answers itself. */
const NEXT: ReadonlyMap<string, string | undefined> = new Map([
  ['chain-a', 'chain-b'],
  ['chain-b', 'chain-c'],
  ['chain-c', undefined],
  ['loop-a', 'loop-b'],
  ['loop-b', 'loop-c'],
  ['loop-c', 'loop-a'],
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
 * Starts the demo agents of the chains: MCP servers which call one another over HTTP and pass on the trace of OpenStarry
 * and its depth. A call that would be too deep is refused. A passage to an agent is opened when another agent calls it
 * for the first time.
 */
export async function startChain(open: OpenPassage = NOTHING_BETWEEN): Promise<DemoHost> {
  const hosts: HttpHost[] = [];
  const addresses = new Map<string, string>();
  const passages = new Map<string, Promise<Passage>>();
  const addressOf = async (name: string): Promise<string> => {
    const passage = passages.get(name) ?? open(nameOf(name), new URL(addresses.get(name) ?? ''));
    passages.set(name, passage);
    return (await passage).address;
  };
  for (const name of NEXT.keys()) {
    const offer = { name, description: 'Asks the next agent', tools: [TOOL] };
    const agent = serveDemo(MCP, offer, (asked, { request }, signal) =>
      passOn(asked, request, { name, addressOf, signal }),
    );
    const host = await startServedDemo(MCP, name, agent);
    hosts.push(host);
    addresses.set(name, host.addresses[name] ?? '');
  }
  const close = async (): Promise<void> => {
    await Promise.all(hosts.map(host => host.close()));
    for (const opened of await Promise.allSettled(passages.values()))
      if (opened.status === 'fulfilled') await opened.value.close();
  };
  const [chain = '', loop = ''] = ['chain-a', 'loop-a'].map(name => addresses.get(name));
  return { origin: new URL(chain).origin, addresses: { chain, loop }, close };
}

/** `loop` is the first agent of the loop, as users know it; `loop-b` and `loop-c` follow it. */
function nameOf(name: string): string {
  return name.replace(/-a$/, '');
}

const TOOL = offerTool({
  name: 'ask',
  description: 'Asks the next agent, and so on; answers what the last one says',
  inputSchema: { type: 'object', properties: { question: { type: 'string' } }, required: ['question'] },
});

/** An agent of a chain, and how it reaches the others. */
interface Member {
  readonly name: string;
  readonly addressOf: (name: string) => Promise<string>;
  readonly signal: AbortSignal;
}

async function passOn(
  { fields }: Message,
  request: CallerRequest,
  { name, addressOf, signal }: Member,
): Promise<ServedReply> {
  const tool = textIn(fields.tool) ?? '';
  if (tool !== TOOL.name) return fail(NO_TOOL, `Tool not found: ${tool}`);
  const chain = readChain(request);
  if (chain === undefined) return fail(BAD_DEPTH, 'The depth of a trace is a whole number from 0');
  const { depth } = chain;
  if (isTooDeep(depth, DEEPEST_CALL))
    return fail(GUARD, `${describeTooDeep(depth, DEEPEST_CALL)}. ${name} made no further call`);
  const question = textIn(findEntry(fields.arguments, 'question')) ?? '';
  const next = NEXT.get(name);
  return next === undefined
    ? say(`${name} says: 42, if the question was ${JSON.stringify(question)}`)
    : callNext(await addressOf(next), question, chain, { name, signal });
}

function say(text: string): ServedReply {
  return reply(message('result', { data: textValue(text) }));
}

function fail(code: number, text: string): ServedReply {
  const error = { protocol: textValue('mcp'), code: intValue(code), text: textValue(text) };
  return reply(message('error', error));
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
function readChain(request: CallerRequest): Chain | undefined {
  const params = readFields(readFields(parseJson(request.body))?.get('params'));
  const meta = readFields(params?.get('_meta'));
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
  question: string,
  { trace = randomBytes(16).toString('hex'), depth, parent }: Chain,
  { name, signal }: Pick<Member, 'name' | 'signal'>,
): Promise<ServedReply> {
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: TOOL.name, arguments: { question } },
  };
  const replied = await fetch(url, {
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
    signal,
  });
  const answer = readFields(parseJson(await replied.text()));
  const error = readFields(answer?.get('error'));
  if (error) return fail(Number(error.get('code')), String(error.get('message')));
  return say(`${name} asked on. ${readText(answer?.get('result'))}`);
}

function readText(result: unknown): string {
  const content = readFields(result)?.get('content');
  const parts = asList(content);
  const text = readFields(parts[0])?.get('text');
  return typeof text === 'string' ? text : '';
}
