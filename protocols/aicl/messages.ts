import { protocolRow } from '../../core/catalog/protocols.ts';
import type { ProtocolMessages } from '../protocol.ts';
import { aiclShape } from './shape.ts';

/** LightAICL 1.0. */
export const AICL_MESSAGES: ProtocolMessages = {
  facts: protocolRow('aicl'),
  shape: aiclShape,
  order: 7,
};
