import type { HeadEvent, WireEvent } from '../core/events/events.ts';

/** A head with the bytes that followed it in its direction. */
export interface WireMessage {
  readonly head: HeadEvent | undefined;
  readonly wire: readonly WireEvent[];
}

/**
 * Splits one direction of a call into messages: each head begins one, and bytes without a head are one of their own. A connection that made requests of its own before the call has several.
 */
export function splitMessages(
  events: readonly (HeadEvent | WireEvent)[],
  direction: WireEvent['direction'],
): readonly WireMessage[] {
  const messages: { readonly head: HeadEvent | undefined; readonly wire: WireEvent[] }[] = [];
  for (const event of events) {
    if (event.direction !== direction) continue;
    const last =
      event.exchange === undefined
        ? messages.at(-1)
        : messages.findLast(({ head, wire }) => (head ?? wire[0])?.exchange === event.exchange);
    if (event.type === 'head') messages.push({ head: event, wire: [] });
    else if (last) last.wire.push(event);
    else messages.push({ head: undefined, wire: [event] });
  }
  return messages;
}
