import type { StoredHeader } from '../../../core/events/events.ts';
import type { Protocols, RequestByReply } from '../../../protocols/protocol.ts';
import type { RecognisedRequest } from '../../../protocols/recognise/request.ts';
import type { ExchangeOutcome } from '../exchange.ts';

/** The number of characters at the beginning of a reply that are used to recognise its request. */
export const LONGEST_LOOK = 4096;

/** Recognises a request by the beginning of its reply; undefined if that is not possible. */
export function findByReply(
  protocols: Protocols,
  headers: readonly StoredHeader[],
  body: string,
): (RequestByReply & { readonly protocol: string }) | undefined {
  const beginning = body.slice(0, LONGEST_LOOK);
  for (const { facts, requests } of protocols.list) {
    const found = requests.byReply?.(headers, beginning);
    if (found) return { ...found, protocol: facts.name };
  }
  return undefined;
}

/** An endpoint as the path of requests to it. `path` is that of the request for the stream. */
export function pathOfEndpoint(endpoint: string, path: string): string | undefined {
  const base = `http://recording${path}`;
  if (!URL.canParse(endpoint, base)) return undefined;
  const { pathname, search } = new URL(endpoint, base);
  return pathname + search;
}

/** The outcome of a request for an optional feature that the server reports as missing; undefined for all others. */
export function judgeOptionalRequest(
  protocols: Protocols,
  recognised: RecognisedRequest | undefined,
  status: number,
): ExchangeOutcome | undefined {
  if (!recognised) return undefined;
  const { mayLack } = protocols.find(recognised.protocol)?.replies ?? {};
  return mayLack?.(recognised.title, status) ? { status: 'ok' } : undefined;
}
