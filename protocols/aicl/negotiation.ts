import { NO_TOOLS } from '../../language/tools.ts';
import { AICL_VERSIONS } from '../../core/catalog/aicl.ts';
import { message } from '../../core/message/message.ts';
import { Report } from '../../core/message/report.ts';
import { listValue, textIn, textValue } from '../../core/values/value.ts';
import { readAiclDelivery } from '../../language/aicl/replies/reply.ts';
import { AICL } from './protocol.ts';
import { writeConverted } from '../convert/calls/convertible-request.ts';
import { readMessages } from '../convert/read-text.ts';
import { Protocols } from '../protocol.ts';

/** The code of LightAICL for a message that the receiver does not accept as part of the protocol. */
export const PROTOCOL_ERROR = '1000';

/** The title of a negotiation in lists of calls. */
export const NEGOTIATE = 'protocol_negotiate';

/** The message that offers the supported versions in the session of a request (LightAICL 1.0, section 8.3). */
export function writeNegotiation(wireText: string): string {
  const { session } = readAiclDelivery(wireText);
  const offer = message('negotiate', {
    supported: listValue(AICL_VERSIONS.map(textValue)),
    ...(session === '' ? {} : { session: textValue(session) }),
  });
  return writeConverted(offer, AICL, NO_TOOLS).text;
}

/** The version that an agent selected in its reply; undefined if it selected none. */
export function readSelected(reply: string): string | undefined {
  const options = { protocols: new Protocols([AICL]), from: 'aicl', report: new Report() } as const;
  return readMessages(reply, options)
    .messages.map(each => textIn(each.message.fields.selected))
    .find(each => each !== undefined);
}

/** True for a version that we write. */
export function isWritten(version: string): boolean {
  return AICL_VERSIONS.includes(version);
}
