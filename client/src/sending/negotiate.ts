import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import type { VersionNegotiation } from '../../../protocols/protocol.ts';
import { quote } from '../../../core/text/quote.ts';
import type { CallOutcome, CallRequest } from '../services/agent-service.ts';
import { showWarning } from '../window/messages.ts';

/**
 * Offers to negotiate a version if an agent rejects a message with a code that may mean another version, in the session
 * of the request. `send` sends a request.
 */
export function offerNegotiation(
  request: CallRequest,
  outcome: CallOutcome,
  send: (request: CallRequest) => Promise<CallOutcome>,
): void {
  const { negotiation } = ALL_PROTOCOLS.ofLanguage(request.language) ?? {};
  if (!outcome.isProtocol || !negotiation?.mayHelp(request.wireText, outcome.code)) return;
  const negotiate = async (): Promise<void> =>
    reportSelected(await send(toOffer(request, negotiation)), request.agent, negotiation);
  showWarning(
    `${request.agent} does not take this as a message of the protocol (${outcome.code ?? ''}). It may speak another version.`,
    new Map([['Negotiate', negotiate]]),
  );
}

/** The request that lists the supported versions. */
function toOffer(request: CallRequest, { title, writeOffer }: VersionNegotiation): CallRequest {
  const { agent, language, warningPolicy, timeout } = request;
  return { agent, title, wireText: writeOffer(request.wireText), language, warningPolicy, timeout };
}

/** The reply is shown beside; only an unsupported version is reported. */
function reportSelected(
  { text, isProtocol }: CallOutcome,
  agent: string,
  { readSelected }: VersionNegotiation,
): void {
  const selected = isProtocol ? readSelected(text) : undefined;
  if (selected?.isWritten === false)
    showWarning(`${agent} chose ${quote(selected.name)}, which Parley does not write.`);
}
