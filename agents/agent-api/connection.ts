import { AGENT_API } from '../../protocols/agent-api/protocol.ts';
import type { ResolvedHttpAgent } from '../config/resolve-agent.ts';
import type { Connection } from '../connection.ts';
import { HttpConnection, type HttpLimits } from '../http/http-connection.ts';
import { AGENT_API_APPROVALS } from './approvals.ts';
import { withApprovals } from '../approvals/approving-connection.ts';

/**
 * A connection to an agent of the Agent API (AgentScope, "Agent API Protocol Specification"): one POST of an
 * AgentRequest, answered by events. A failure may have HTTP 200 and an event that is an error instead of a response.
 */
export function connectAgentApi(agent: ResolvedHttpAgent, limits?: HttpLimits): Connection {
  return withApprovals(new HttpConnection(agent, AGENT_API, limits), AGENT_API_APPROVALS);
}
