import { NO_TOOLS } from '../../language/tools.ts';
import { printAicl } from '../../language/values/aicl-printer.ts';
import { readAiclPieces } from '../../language/values/aicl-reader.ts';
import { TextSink } from '../../language/values/text-layer.ts';
import { AICL_VERSIONS } from '../../core/catalog/aicl.ts';
import { message } from '../../core/message/message.ts';
import { Report } from '../../core/message/report.ts';
import { findEntry, listValue, textIn, textValue } from '../../core/values/value.ts';
import { readAiclDelivery } from '../../language/aicl/replies/reply.ts';
import { Protocols, type VersionNegotiation } from '../protocol.ts';
import { aiclShape } from './shape.ts';

/** The code of an error for a message that the receiver does not accept as part of the protocol. */
const PROTOCOL_ERROR = '1000';

/** The type of the messages of a negotiation. */
const NEGOTIATE = 'protocol_negotiate';

/** How versions of LightAICL are negotiated (LightAICL 1.0, section 8.3). */
export const AICL_NEGOTIATION: VersionNegotiation = {
  title: NEGOTIATE,
  mayHelp: (request, code) => code === PROTOCOL_ERROR && readAiclDelivery(request).messageType !== NEGOTIATE,
  writeOffer(request) {
    const { session } = readAiclDelivery(request);
    const offer = message('negotiate', {
      supported: listValue(AICL_VERSIONS.map(textValue)),
      ...(session === '' ? {} : { session: textValue(session) }),
    });
    const report = new Report();
    const value = aiclShape.write(offer, { report, protocols: new Protocols([]), tools: NO_TOOLS, id: 1 });
    const sink = new TextSink();
    printAicl(value, sink, 'compact', report);
    return sink.toString();
  },
  readSelected(reply) {
    const name = readAiclPieces(reply)
      .pieces.filter(({ value }) => textIn(findEntry(value, 'msg_type')) === NEGOTIATE)
      .map(({ value }) => textIn(findEntry(value, 'selected')))
      .find(selected => selected !== undefined);
    return name === undefined ? undefined : { name, isWritten: AICL_VERSIONS.includes(name) };
  },
};
