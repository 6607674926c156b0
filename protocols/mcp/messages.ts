import { protocolRow } from '../../core/catalog/protocols.ts';
import type { ProtocolMessages } from '../protocol.ts';
import { mcpShape } from './shape.ts';
import { MCP_REQUESTS } from './request-schema.ts';

/** The Model Context Protocol, every version from 2024-11-05 on. */
export const MCP_MESSAGES: ProtocolMessages = {
  facts: protocolRow('mcp'),
  requestSchema: MCP_REQUESTS,
  shape: mcpShape,
  order: 3,
  isRpc: true,
};
