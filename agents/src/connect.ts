import type { ProtocolName, StdioProtocolName } from '../../protocol/src/catalog/protocols.ts';
import { connectAicf } from './aicf/connection.ts';
import { connectAicl } from './aicl/connection.ts';
import { AiclStdioConnection } from './aicl/stdio-connection.ts';
import type { ResolvedAgent, ResolvedHttpAgent, ResolvedStdioAgent } from './config/resolve-agent.ts';
import type { Connection } from './connection.ts';

const HTTP_CONNECTORS: Readonly<Record<ProtocolName, (agent: ResolvedHttpAgent) => Connection>> = {
  aicl: agent => connectAicl(agent),
  aicf: agent => connectAicf(agent),
};

const STDIO_CONNECTORS: Readonly<Record<StdioProtocolName, (agent: ResolvedStdioAgent) => Connection>> = {
  aicl: agent => new AiclStdioConnection(agent),
};

/** Makes the connection to an agent. Nothing is started and nothing goes over the network before the first request. */
export function connectAgent(agent: ResolvedAgent): Connection {
  return agent.type === 'stdio'
    ? STDIO_CONNECTORS[agent.protocol](agent)
    : HTTP_CONNECTORS[agent.protocol](agent);
}
