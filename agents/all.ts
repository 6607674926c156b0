import type { ProtocolName, StdioProtocolName } from '../core/catalog/protocols.ts';
import { quote } from '../core/text/quote.ts';
import { connectA2a } from './a2a/connection.ts';
import { connectAgentApi } from './agent-api/connection.ts';
import { A2A_PASTED } from './a2a/pasted.ts';
import type { PastedReader } from './adding/pasted.ts';
import { connectAicf } from './aicf/connection.ts';
import { mindQuirks } from './aicf/quirky-connection.ts';
import { connectAicl } from './aicl/connection.ts';
import { AiclStdioConnection } from './aicl/stdio-connection.ts';
import { connectAio } from './aio/connection.ts';
import type { AgentsFile } from './config/agent-config.ts';
import type { ResolvedHttpAgent, ResolvedStdioAgent } from './config/resolve-agent.ts';
import type { Connect, Connection, ConnectOptions } from './connection.ts';
import { connectJsonRpc } from './json-rpc/connection.ts';
import { connectMcp } from './mcp/connection.ts';
import { MCP_PASTED } from './mcp/pasted.ts';
import { MCP_FILE, readMcpFile } from './mcp/servers-file.ts';
import { connectResponses } from './responses/connection.ts';

type Connector<Agent> = (agent: Agent, options: ConnectOptions) => Connection;

/** The transports over HTTP, by protocol. */
const HTTP = {
  aicl: agent => connectAicl(agent),
  aicf: agent => mindQuirks(connectAicf(agent), agent),
  'json-rpc': agent => connectJsonRpc(agent),
  aio: agent => connectAio(agent),
  mcp: (agent, options) => connectMcp(agent, options),
  'agent-api': agent => connectAgentApi(agent),
  responses: agent => connectResponses(agent),
  a2a: agent => connectA2a(agent),
} satisfies Record<ProtocolName, Connector<ResolvedHttpAgent>>;

/** The transports over standard input and output. */
const STDIO = {
  aicl: agent => new AiclStdioConnection(agent),
  aio: agent => connectAio(agent),
  mcp: agent => connectMcp(agent),
} satisfies Record<StdioProtocolName, Connector<ResolvedStdioAgent>>;

const HTTP_BY_NAME: ReadonlyMap<string, Connector<ResolvedHttpAgent>> = new Map(Object.entries(HTTP));
const STDIO_BY_NAME: ReadonlyMap<string, Connector<ResolvedStdioAgent>> = new Map(Object.entries(STDIO));

/** Files of a folder in which other programs list agents of a protocol. */
export const SERVER_FILES: readonly {
  readonly path: string;
  readonly read: (text: string) => AgentsFile;
}[] = [{ path: MCP_FILE, read: readMcpFile }];

/** The readers of what other programs list or publish about agents, tried in this order on pasted JSON and commands. */
export const PASTED_READERS: readonly PastedReader[] = [MCP_PASTED, A2A_PASTED];

/** The transports of all protocols. The extension and the command line pass this function to general code. */
export const connectAgent: Connect = (agent, options = {}) => {
  const { name, protocol } = agent;
  const connection =
    agent.type === 'http'
      ? HTTP_BY_NAME.get(protocol)?.(agent, options)
      : STDIO_BY_NAME.get(protocol)?.(agent, options);
  if (!connection)
    throw new Error(`The agent ${quote(name)} speaks ${quote(protocol)}, for which there is no transport`);
  return connection;
};
