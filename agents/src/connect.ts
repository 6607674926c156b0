import type { ProtocolName } from '../../protocol/src/catalog/protocols.ts';
import { connectAicf } from './aicf/connection.ts';
import { connectAicl } from './aicl/connection.ts';
import type { ResolvedAgent } from './config/resolve-agent.ts';
import type { Connection } from './connection.ts';

const CONNECTORS: Readonly<Record<ProtocolName, (agent: ResolvedAgent) => Connection>> = {
  aicl: agent => connectAicl(agent),
  aicf: agent => connectAicf(agent),
};

/** Makes the connection to an agent. Nothing goes over the network before the first request. */
export function connectAgent(agent: ResolvedAgent): Connection {
  return CONNECTORS[agent.protocol](agent);
}
