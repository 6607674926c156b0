import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { AICL } from '../../../protocols/aicl/protocol.ts';
import { AICL_VERSIONS } from '../../../core/catalog/aicl.ts';
import { writeConverted } from '../../../protocols/convert/calls/convertible-request.ts';
import { readMessages } from '../../../protocols/convert/read-text.ts';
import { Report } from '../../../core/message/report.ts';
import { readAiclDelivery } from '../../../language/aicl/replies/reply.ts';
import type { ToolTable } from '../../../language/tools.ts';
import { message } from '../../../core/message/message.ts';
import { listValue, textIn, textValue } from '../../../core/values/value.ts';
import { quote } from '../../../core/text/quote.ts';
import type { CallOutcome, CallRequest } from '../services/agent-service.ts';
import { showWarning } from '../window/messages.ts';

const NO_TOOLS: ToolTable = { isComplete: false, tools: new Map() };

/** The code of LightAICL for a message that the receiver does not accept as part of the protocol. */
const PROTOCOL_ERROR = '1000';

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

const NEGOTIATE = 'protocol_negotiate';

/** The message that lists the supported versions. */
function toNegotiation({ agent, wireText, warningPolicy, timeout }: CallRequest): CallRequest {
  const { session } = readAiclDelivery(wireText);
  const requestMessage = message('negotiate', {
    supported: listValue(AICL_VERSIONS.map(textValue)),
    ...(session === '' ? {} : { session: textValue(session) }),
  });
  const { text } = writeConverted(requestMessage, AICL, NO_TOOLS);
  return { agent, title: NEGOTIATE, wireText: text, language: 'aicl', warningPolicy, timeout };
}

/** The reply is shown beside; only an unsupported version is reported. */
function reportSelected({ text, isProtocol }: CallOutcome, agent: string): void {
  const messages = isProtocol
    ? readMessages(text, { protocols: ALL_PROTOCOLS, from: 'aicl', report: new Report() }).messages
    : [];
  const selected = messages
    .map(each => textIn(each.message.fields.selected))
    .find(each => each !== undefined);
  if (selected !== undefined && !AICL_VERSIONS.includes(selected))
    showWarning(`${agent} chose ${quote(selected)}, which Parley does not write.`, new Map());
}
