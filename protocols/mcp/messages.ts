import { protocolRow } from '../../core/catalog/protocols.ts';
import type { ProtocolMessages } from '../protocol.ts';
import { mcpShape } from './shape.ts';

/** The Model Context Protocol, every version from 2024-11-05 on. */
export const MCP_MESSAGES: ProtocolMessages = {
  facts: protocolRow('mcp'),
  shape: mcpShape,
  order: 3,
  isRpc: true,
};
