import { protocolRow } from '../../core/catalog/protocols.ts';
import type { ProtocolMessages } from '../protocol.ts';
import { agentApiShape } from './shape.ts';
import { AGENT_API_REQUESTS } from './request-schema.ts';

/** AgentScope's Agent API. */
export const AGENT_API_MESSAGES: ProtocolMessages = {
  facts: protocolRow('agent-api'),
  requestSchema: AGENT_API_REQUESTS,
  shape: agentApiShape,
  order: 5,
  family: 'responses',
};
