import type { HeadEvent, WireEvent } from '../../core/events/events.ts';

/** An HTTP request with its reply. */
export interface HttpExchange {
  readonly request: HeadEvent;
  readonly response?: HeadEvent;
  readonly wire: readonly WireEvent[];
  /** When its last byte arrived, in milliseconds since 1970. */
  readonly until: number;
}

/** `POST http://…`: a method and a URL. */
const REQUEST_LINE = /^[!#$%&'*+.^_`|~\w-]+ https?:\/\/\S/i;

/** The HTTP exchanges of a call, in order; none for other transports. */
export function listExchanges(payload: readonly (HeadEvent | WireEvent)[]): readonly HttpExchange[] {
  const found: { request: HeadEvent; response?: HeadEvent; wire: WireEvent[]; until: number }[] = [];
  for (const event of payload) {
    if (event.type === 'head' && event.direction === 'out') {
      if (REQUEST_LINE.test(event.line)) found.push({ request: event, wire: [], until: event.at });
      continue;
    }
    const last =
      event.exchange === undefined
        ? found.at(-1)
        : found.findLast(({ request }) => request.exchange === event.exchange);
    if (!last) continue;
    last.until = Math.max(last.until, event.at);
    if (event.type === 'wire') last.wire.push(event);
    else last.response = event;
  }
  return found;
}
