import { protocolRow } from '../../core/catalog/protocols.ts';
import type { ProtocolMessages } from '../protocol.ts';
import { responsesShape } from './shape.ts';
import { RESPONSES_REQUESTS } from './request-schema.ts';

/** OpenAI's Responses API. */
export const RESPONSES_MESSAGES: ProtocolMessages = {
  facts: protocolRow('responses'),
  requestSchema: RESPONSES_REQUESTS,
  shape: responsesShape,
  order: 4,
  family: 'responses',
};
