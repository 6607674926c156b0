import type { MessageKind } from '../../../core/catalog/message-kinds.ts';
import type { Protocol } from '../../protocol.ts';
import type { ToolTable } from '../../../language/tools.ts';
import { CardReader } from '../../a2a/card.ts';
import type { Report } from '../../../core/message/report.ts';
import { ReplyReader } from './reply-reader.ts';

/** What an agent of A2A is sent in place of a message where its card is asked for (A2A 1.0, section 8.2). */
export const CARD_REQUEST = 'GET /.well-known/agent-card.json';

/**
 * True where agents of a protocol answer a request by what they publish of themselves. Tools that are published are what an
 * agent recommends itself for: it takes other requests as well.
 */
export function isPublished({ calls }: Protocol, kind: MessageKind): boolean {
  return calls.publishes?.includes(kind) === true;
}

/** Reads the reply to a request of a kind. */
export function openReply(
  kind: MessageKind,
  protocol: Protocol,
  tools: ToolTable,
  report: Report,
): Pick<ReplyReader, 'push' | 'end' | 'endSteps' | 'isProtocol'> {
  return isPublished(protocol, kind) ? new CardReader(report) : new ReplyReader(protocol, tools, report);
}
