import { protocolRow } from '../../core/catalog/protocols.ts';
import type { ProtocolMessages } from '../protocol.ts';
import { aioShape } from './shape.ts';
import { AIO_REQUESTS } from './request-schema.ts';

/** AIO-MCP 1.2.1. */
export const AIO_MESSAGES: ProtocolMessages = {
  facts: protocolRow('aio'),
  requestSchema: AIO_REQUESTS,
  shape: aioShape,
  order: 1,
  isRpc: true,
};
