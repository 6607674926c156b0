import { readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import { AICF_PATH } from '../../protocols/aicf/protocol.ts';
import { A2A_PATH, startA2aAgent } from './a2a-agent.ts';
import { AGENT_API_PATH, startAgentApiAgent } from './agent-api-agent.ts';
import { startAiclAgent } from './aicl-agent.ts';
import { answerAioLine, COURIER_PATH, CURATOR_PATH, startAioAgents } from './aio-agents.ts';
import { CHAIN_PATH, LOOP_PATH, startChain, type OpenPassage } from './chain.ts';
import type { HttpHost } from '../serving/http-host.ts';
import { recordPassages } from './passages.ts';
import type { OpenRecorder } from '../proxy/exchange.ts';
import { MCP_PATH, startMcpServer } from './mcp-server.ts';
import { answerOpenstarryLine } from './openstarry-agent.ts';
import { RESPONSES_PATH, startResponsesAgent } from './responses-agent.ts';
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

/** The hosts of the demo agents, and for each the paths of its agents by name. */
const HOSTS: readonly {
  readonly start: (open?: OpenPassage) => Promise<HttpHost>;
  readonly paths: Readonly<Record<string, string>>;
}[] = [
  { start: startToolbox, paths: { toolbox: AICF_PATH } },
  { start: () => startAiclAgent(), paths: { analyst: '/' } },
  { start: startAgentApiAgent, paths: { storyteller: AGENT_API_PATH } },
  { start: startResponsesAgent, paths: { oracle: RESPONSES_PATH } },
  { start: startMcpServer, paths: { librarian: MCP_PATH } },
  { start: startAioAgents, paths: { courier: COURIER_PATH, curator: CURATOR_PATH } },
  { start: startA2aAgent, paths: { herald: A2A_PATH } },
  { start: startChain, paths: { chain: CHAIN_PATH, loop: LOOP_PATH } },
];

/**
 * Starts the demo agents on free ports of the loopback interface. They run until they are closed. The calls of
 * agents that call one another are recorded by the recorders of `openRecorder`.
 */
export async function startDemoAgents(openRecorder?: OpenRecorder): Promise<DemoAgents> {
  const open = openRecorder && recordPassages(openRecorder);
  const running: HttpHost[] = [];
  const addresses = new Map<string, string>();
  const close = async (): Promise<void> => {
    await Promise.all(running.map(host => host.close()));
  };
  try {
    for (const { start, paths } of HOSTS) {
      const host = await start(open);
      running.push(host);
      for (const [name, path] of Object.entries(paths)) addresses.set(name, host.origin + path);
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

/** The demo agent `files`: an MCP server that exposes the tools which its `agent.json` names. */
export function answerAsFiles(readAgentFile: () => Promise<string>): AnswerLine {
  return async line => answerOpenstarryLine(line, await readAgentFile());
}
