import { RESPONSES } from '../../protocols/responses/protocol.ts';
import { readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import type { ResolvedHttpAgent } from '../config/resolve-agent.ts';
import { withSend, type Connection } from '../connection.ts';
import { HttpConnection, type HttpLimits } from '../http/http-connection.ts';
import { insertMember } from '../converting/insert-member.ts';
import { RESPONSES_APPROVALS } from './approvals.ts';
import { withApprovals } from '../approvals/approving-connection.ts';

/**
 * A connection to a server of OpenAI's Responses: `POST …/responses`, answered by named events or by one
 * body. A request without a model gets the agent's, and one that does not set `stream` gets a stream.
 */
export function connectResponses(agent: ResolvedHttpAgent, limits?: HttpLimits): Connection {
  const inner = new HttpConnection(agent, RESPONSES, limits);
  const completed = withSend(inner, (request, listener, signal) =>
    inner.send({ ...request, wireText: complete(request.wireText, agent.model) }, listener, signal),
  );
  return withApprovals(completed, RESPONSES_APPROVALS);
}

/** Adds missing members before the first one; the rest of the text is unchanged. */
function complete(text: string, model: string | undefined): string {
  if (!readFields(parseJson(text))) return text;
  const streamed = insertMember(text, ['stream'], 'true') ?? text;
  return (
    (model === undefined ? undefined : insertMember(streamed, ['model'], JSON.stringify(model))) ?? streamed
  );
}
