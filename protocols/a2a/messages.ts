import { protocolRow } from '../../core/catalog/protocols.ts';
import type { ProtocolMessages } from '../protocol.ts';
import { a2aShape } from './shape.ts';
import { A2A_REQUESTS } from './request-schema.ts';

/** Agent2Agent, versions 0.3 and 1.0, over JSON-RPC and over HTTP+JSON. */
export const A2A_MESSAGES: ProtocolMessages = {
  facts: protocolRow('a2a'),
  requestSchema: A2A_REQUESTS,
  shape: a2aShape,
  order: 2,
  isRpc: true,
};
