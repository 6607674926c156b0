import { readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import { MCP } from '../../protocols/mcp/protocol.ts';
import { startA2aAgent } from './a2a-agent.ts';
import { startAgentApiAgent } from './agent-api-agent.ts';
import { startAiclAgent } from './aicl-agent.ts';
import { answerAioLine, startAioAgents } from './aio-agents.ts';
import { startChain, type OpenPassage } from './chain.ts';
import { openServer, type DemoHost } from './demo-host.ts';
import { recordPassages } from './passages.ts';
import type { OpenRecorder } from '../proxy/exchange.ts';
import { startMcpServer } from './mcp-server.ts';
import { makeFilesAgent } from './openstarry-agent.ts';
import { startResponsesAgent } from './responses-agent.ts';
import { startToolbox } from './toolbox.ts';
import { checkUrl, type AgentConfig } from '../config/agent-config.ts';

/** The environment variable with the addresses of running demo agents, as JSON: `{"toolbox":"http://…"}`. */
export const DEMO_VARIABLE = 'PARLEY_DEMO';

/**
 * The demo agent that is a process: `${demo:clerk}` is the path of the command line, which is an AIO agent of
 * the kind `stdio` when started as `demo --stdio`.
 */
export const DEMO_PROCESS = 'clerk';

/** The running demo agents. */
export interface DemoAgents {
  /** The address of each, by its name. */
  readonly addresses: ReadonlyMap<string, string>;
  close(): Promise<void>;
}

/** Start the hosts of the demo agents. */
const HOSTS: readonly ((open?: OpenPassage) => Promise<DemoHost>)[] = [
  startToolbox,
  () => startAiclAgent(),
  startAgentApiAgent,
  startResponsesAgent,
  startMcpServer,
  startAioAgents,
  startA2aAgent,
  startChain,
];

/**
 * Starts the demo agents on free ports of the loopback interface. They run until they are closed. The calls of
 * agents that call one another are recorded by the recorders of `openRecorder`.
 */
export async function startDemoAgents(openRecorder?: OpenRecorder): Promise<DemoAgents> {
  const open = openRecorder && recordPassages(openRecorder);
  const running: DemoHost[] = [];
  const addresses = new Map<string, string>();
  const close = async (): Promise<void> => {
    await Promise.all(running.map(host => host.close()));
  };
  try {
    for (const start of HOSTS) {
      const host = await start(open);
      running.push(host);
      for (const [name, address] of Object.entries(host.addresses)) addresses.set(name, address);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { addresses, close };
}

/**
 * The addresses of running demo agents, from the environment. Undefined if it has none; invalid addresses are
 * ignored.
 */
export function demoAddressesFrom(
  env: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, string> | undefined {
  const fields = readFields(parseJson(env[DEMO_VARIABLE] ?? ''));
  if (!fields) return undefined;
  const addresses = new Map<string, string>();
  for (const [name, url] of fields) {
    if (typeof url === 'string' && checkUrl(url) === undefined) addresses.set(name, url);
  }
  return addresses.size > 0 ? addresses : undefined;
}

/**
 * The variable, followed by at most a path: `${demo:x}@example.org` and `${demo:x}.example.org` would be
 * other hosts.
 */
const DEMO_URL = /^\$\{demo:[^{}]*\}(?:[/?#][^\\]*)?$/;

const DEMO_COMMAND = [`\${demo:${DEMO_PROCESS}}`, 'demo'];

/** True for an agent that can only be one of Parley's demo agents on this computer: calling it needs no consent. */
export function isDemoAgent(agent: AgentConfig<string>): boolean {
  if (agent.type === 'http') return DEMO_URL.test(agent.url);
  const { command, args, env, cwd } = agent;
  return command === 'node' && isDemoCommand(args) && env.size === 0 && cwd === undefined;
}

/** The arguments of `clerk`, or of `files`, which only reads the file that it gets. */
function isDemoCommand([program, command, option, file, ...others]: readonly string[]): boolean {
  if (program !== DEMO_COMMAND[0] || command !== DEMO_COMMAND[1] || others.length > 0) return false;
  return option === '--stdio' ? file === undefined : option === '--agent-file' && file !== undefined;
}

/** Answers a line of standard input with a line, or not at all. */
export type AnswerLine = (line: string, signal: AbortSignal) => Promise<string | undefined>;

/** The demo agent `clerk`: an agent of AIO's kind `stdio`. */
export const answerAsClerk: AnswerLine = answerAioLine;

/**
 * The demo agent `files`: an MCP server over standard input and output that exposes the tools which its `agent.json`
 * names. The file is read for each request.
 */
export function answerAsFiles(readAgentFile: () => Promise<string>): AnswerLine {
  const sent: string[] = [];
  const server = openServer(MCP, makeFilesAgent(readAgentFile));
  const lines = server?.openLines?.(line => sent.push(line));
  return async (line, signal) => {
    const request = { method: '', path: '', header: () => undefined, body: line, gone: signal };
    await lines?.take(line, request, { drained: () => undefined, note: () => undefined });
    return sent.length === 0 ? undefined : sent.splice(0).join('\n');
  };
}
