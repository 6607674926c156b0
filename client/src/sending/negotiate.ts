import {
  isWritten,
  NEGOTIATE,
  PROTOCOL_ERROR,
  readSelected,
  writeNegotiation,
} from '../../../protocols/aicl/negotiation.ts';
import { readAiclDelivery } from '../../../language/aicl/replies/reply.ts';
import { quote } from '../../../core/text/quote.ts';
import type { CallOutcome, CallRequest } from '../services/agent-service.ts';
import { showWarning } from '../window/messages.ts';

/**
 * Offers to negotiate a version if an agent of LightAICL rejects a message with this code, in the session of
 * the request (LightAICL 1.0, section 8.3). `send` sends a request.
 */
export function offerNegotiation(
  request: CallRequest,
  outcome: CallOutcome,
  send: (request: CallRequest) => Promise<CallOutcome>,
): void {
  if (request.language !== 'aicl' || outcome.code !== PROTOCOL_ERROR || !outcome.isProtocol) return;
  if (readAiclDelivery(request.wireText).messageType === NEGOTIATE) return;
  const negotiate = async (): Promise<void> =>
    reportSelected(await send(toNegotiation(request)), request.agent);
  showWarning(
    `${request.agent} does not take this as a message of the protocol (1000). It may speak another version.`,
    new Map([['Negotiate', negotiate]]),
  );
}

/** The request that lists the supported versions. */
function toNegotiation({ agent, wireText, warningPolicy, timeout }: CallRequest): CallRequest {
  const text = writeNegotiation(wireText);
  return { agent, title: NEGOTIATE, wireText: text, language: 'aicl', warningPolicy, timeout };
}

/** The reply is shown beside; only an unsupported version is reported. */
function reportSelected({ text, isProtocol }: CallOutcome, agent: string): void {
  const selected = isProtocol ? readSelected(text) : undefined;
  if (selected !== undefined && !isWritten(selected))
    showWarning(`${agent} chose ${quote(selected)}, which Parley does not write.`, new Map());
}
