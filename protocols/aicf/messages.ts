import { protocolRow } from '../../core/catalog/protocols.ts';
import type { ProtocolMessages } from '../protocol.ts';

/** AICF-RPC 1.0. Its messages are lines: as a value, a message is the text of its line. */
export const AICF_MESSAGES: ProtocolMessages = {
  facts: protocolRow('aicf'),
  shape: undefined,
  order: 8,
};
