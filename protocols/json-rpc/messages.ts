import { protocolRow } from '../../core/catalog/protocols.ts';
import { findEntry, textIn } from '../../core/values/value.ts';
import type { ProtocolMessages } from '../protocol.ts';
import { jsonRpcShape } from './shape.ts';
import { JSON_RPC_REQUESTS } from './request-schema.ts';

/** The JSON-RPC endpoint of AIP, the twin of AICF-RPC; also any JSON-RPC that belongs to no other protocol. */
export const JSON_RPC_MESSAGES: ProtocolMessages = {
  facts: protocolRow('json-rpc'),
  requestSchema: JSON_RPC_REQUESTS,
  shape: jsonRpcShape,
  order: 6,
  isRpc: true,
  isPlain: value => textIn(findEntry(value, 'method'))?.startsWith('aip.') !== true,
};
