import type { ProtocolName } from '../core/catalog/protocols.ts';
import { A2A_MESSAGES } from './a2a/messages.ts';
import { A2A } from './a2a/protocol.ts';
import { AGENT_API_MESSAGES } from './agent-api/messages.ts';
import { AGENT_API } from './agent-api/protocol.ts';
import { AICF_MESSAGES } from './aicf/messages.ts';
import { AICF } from './aicf/protocol.ts';
import { AICL_MESSAGES } from './aicl/messages.ts';
import { AICL } from './aicl/protocol.ts';
import { AIO_MESSAGES } from './aio/messages.ts';
import { AIO } from './aio/protocol.ts';
import { JSON_RPC_MESSAGES } from './json-rpc/messages.ts';
import { JSON_RPC } from './json-rpc/protocol.ts';
import { MCP_MESSAGES } from './mcp/messages.ts';
import { MCP } from './mcp/protocol.ts';
import { Protocols, type Protocol, type ProtocolMessages } from './protocol.ts';
import { RESPONSES_MESSAGES } from './responses/messages.ts';
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

/**
 * All protocols that Parley supports. The extension, the server and the command line pass this list to
 * general code.
 */
export const ALL_PROTOCOLS = /* @__PURE__ */ new Protocols(/* @__PURE__ */ Object.values(BY_NAME));

const MESSAGES_BY_NAME = {
  aicl: AICL_MESSAGES,
  aicf: AICF_MESSAGES,
  'json-rpc': JSON_RPC_MESSAGES,
  aio: AIO_MESSAGES,
  mcp: MCP_MESSAGES,
  'agent-api': AGENT_API_MESSAGES,
  responses: RESPONSES_MESSAGES,
  a2a: A2A_MESSAGES,
} satisfies Record<ProtocolName, ProtocolMessages>;

/**
 * The messages of all protocols, for a program that converts but runs no agents: its bundle has nothing else
 * of them.
 */
export const ALL_MESSAGES = /* @__PURE__ */ new Protocols<ProtocolMessages>(
  /* @__PURE__ */ Object.values(MESSAGES_BY_NAME),
);
