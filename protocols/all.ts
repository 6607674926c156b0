import type { ProtocolName } from '../core/catalog/protocols.ts';
import { A2A } from './a2a/protocol.ts';
import { AGENT_API } from './agent-api/protocol.ts';
import { AICF } from './aicf/protocol.ts';
import { AICL } from './aicl/protocol.ts';
import { AIO } from './aio/protocol.ts';
import { JSON_RPC } from './json-rpc/protocol.ts';
import { MCP } from './mcp/protocol.ts';
import { Protocols, type Protocol } from './protocol.ts';
import { RESPONSES } from './responses/protocol.ts';

const BY_NAME = {
  aicl: AICL,
  aicf: AICF,
  'json-rpc': JSON_RPC,
  aio: AIO,
  mcp: MCP,
  'agent-api': AGENT_API,
  responses: RESPONSES,
  a2a: A2A,
} satisfies Record<ProtocolName, Protocol>;

/** All protocols that Parley speaks. The extension, the server and the command line pass this list to general code. */
export const ALL_PROTOCOLS = new Protocols(Object.values(BY_NAME));
