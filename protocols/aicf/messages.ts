import { protocolRow } from '../../core/catalog/protocols.ts';
import type { ProtocolMessages } from '../protocol.ts';
import { aicfMessageSteps } from './reader.ts';
import { writeAicfMessage } from './writer.ts';

/** AICF-RPC 1.0. Its messages are lines: as a value, a message is the text of its line. */
export const AICF_MESSAGES: ProtocolMessages = {
  facts: protocolRow('aicf'),
  shape: undefined,
  lines: { readSteps: aicfMessageSteps, write: writeAicfMessage },
  order: 8,
};
