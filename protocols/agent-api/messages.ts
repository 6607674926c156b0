import { protocolRow } from '../../core/catalog/protocols.ts';
import type { ProtocolMessages } from '../protocol.ts';
import { agentApiShape } from './shape.ts';

/** AgentScope's Agent API. */
export const AGENT_API_MESSAGES: ProtocolMessages = {
  facts: protocolRow('agent-api'),
  shape: agentApiShape,
  order: 5,
  family: 'responses',
};
