import type { ProtocolName, StdioProtocolName } from '../core/catalog/protocols.ts';
import { connectA2a } from './a2a/connection.ts';
import { connectAgentApi } from './agent-api/connection.ts';
import { connectAicf } from './aicf/connection.ts';
import { mindQuirks } from './aicf/quirky-connection.ts';
import { connectAicl } from './aicl/connection.ts';
import { AiclStdioConnection } from './aicl/stdio-connection.ts';
import { connectAio } from './aio/connection.ts';
import type { ResolvedAgent, ResolvedHttpAgent, ResolvedStdioAgent } from './config/resolve-agent.ts';
import type { Connection } from './connection.ts';
import { connectJsonRpc } from './json-rpc/connection.ts';
import type { SignInHost } from './mcp/auth/host.ts';
import { connectMcp } from './mcp/connection.ts';
import { connectResponses } from './responses/connection.ts';

/** What connections need of the program around them. */
export interface ConnectOptions {
  /** How the user signs in to agents that want it; without it nobody is asked. */
  readonly signIn?: SignInHost;
}

type Connector<Agent> = (agent: Agent, options: ConnectOptions) => Connection;

const HTTP_CONNECTORS: Readonly<Record<ProtocolName, Connector<ResolvedHttpAgent>>> = {
  aicl: agent => connectAicl(agent),
  aicf: agent => mindQuirks(connectAicf(agent), agent),
  'json-rpc': agent => connectJsonRpc(agent),
  aio: agent => connectAio(agent),
  mcp: (agent, options) => connectMcp(agent, options),
  'agent-api': agent => connectAgentApi(agent),
  responses: agent => connectResponses(agent),
  a2a: agent => connectA2a(agent),
};

const STDIO_CONNECTORS: Readonly<Record<StdioProtocolName, Connector<ResolvedStdioAgent>>> = {
  aicl: agent => new AiclStdioConnection(agent),
  aio: agent => connectAio(agent),
  mcp: agent => connectMcp(agent),
};

/** Makes the connection to an agent. Nothing is started and nothing goes over the network before the first request. */
export function connectAgent(agent: ResolvedAgent, options: ConnectOptions = {}): Connection {
  return agent.type === 'stdio'
    ? STDIO_CONNECTORS[agent.protocol](agent, options)
    : HTTP_CONNECTORS[agent.protocol](agent, options);
}
