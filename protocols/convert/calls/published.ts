import type { MessageKind } from '../../../core/catalog/message-kinds.ts';
import type { Protocol, PublishedReader } from '../../protocol.ts';
import { ReplyReader, type ReplyContext } from './reply-reader.ts';

/**
 * True where agents of a protocol answer a request with a published document. Published tools are
 * recommendations: such an agent accepts other requests as well.
 */
export function isPublished({ calls }: Protocol, kind: MessageKind): boolean {
  return calls.publishes?.kinds.includes(kind) === true;
}

/** Opens a reader for the reply to a request of a kind. */
export function openReply(kind: MessageKind, protocol: Protocol, context: ReplyContext): PublishedReader {
  const { publishes } = protocol.calls;
  return publishes?.kinds.includes(kind)
    ? publishes.open(context.report)
    : new ReplyReader(protocol, context);
}
