import { joinPayload } from './export/payload-text.ts';
import type { HeadEvent, WireEvent } from '../core/events/events.ts';
import type { Protocol } from '../protocols/protocol.ts';
import { splitMessages } from './messages.ts';

type Payload = readonly (HeadEvent | WireEvent)[];

/** The request of a call, and what answers it, without the requests that its connection sent for itself. */
export interface OwnExchange {
  readonly request: readonly WireEvent[];
  readonly reply: readonly WireEvent[];
}

/**
 * Finds the request of a call among all that its connection sent, by the rule of its protocol for replays, and the last
 * reply with content: a handshake comes before it, and a task may be polled until it is done.
 */
export function findOwnExchange(payload: Payload, protocol: Protocol | undefined): OwnExchange {
  const sent = splitMessages(payload, 'out').filter(({ wire }) => wire.length > 0);
  const replies = splitMessages(payload, 'in').filter(({ wire }) => wire.length > 0);
  const texts = sent.map(({ wire }) => {
    const joined = joinPayload(wire, 'out');
    return joined && 'text' in joined ? joined.text : undefined;
  });
  const found = sent.length > 1 ? protocol?.replay?.pick?.(texts) : undefined;
  const request = sent[found ?? sent.length - 1];
  const exchange = request?.head?.exchange;
  const own = exchange === undefined ? undefined : replies.find(({ head }) => head?.exchange === exchange);
  return { request: request?.wire ?? [], reply: (own ?? replies.at(-1))?.wire ?? [] };
}
