import type { Protocols } from '../../../protocols/protocol.ts';
import { quote } from '../../../core/text/quote.ts';
import { parseJson } from '../../../core/text/json.ts';
import { asList, readFields } from '../../../core/text/fields.ts';
import type { StoredHeader } from '../../../core/events/events.ts';
import { findHeader } from '../../../core/events/headers.ts';
import { findByReply } from './by-reply.ts';
import { redactUrl } from '../../../core/secrets/redact.ts';

/**
 * Reports the addresses in a reply that lead past the recording, in one sentence each: a redirect, the
 * endpoint of an older MCP server, the addresses of an A2A agent's card. They are not changed, because bytes
 * pass untouched. Without `body` the head is examined. `origins` are those of the recording.
 */
export function findWaysPast(
  protocols: Protocols,
  origins: readonly string[],
  head: { readonly status: number; readonly headers: readonly StoredHeader[] },
  body?: string,
): readonly string[] {
  const found = body === undefined ? listOfHead(head) : listOfBody(protocols, head.headers, body);
  return [...new Set(found)].flatMap(([what, url]) => (isPast(origins, url) ? [describe(what, url)] : []));
}

type Way = readonly [what: string, url: string];

function listOfHead({
  status,
  headers,
}: {
  status: number;
  headers: readonly StoredHeader[];
}): readonly Way[] {
  const location = findHeader(headers, 'location');
  return location !== undefined && status >= 300 && status < 400 ? [['The redirect', location]] : [];
}

function listOfBody(protocols: Protocols, headers: readonly StoredHeader[], body: string): readonly Way[] {
  const endpoint = findByReply(protocols, headers, body)?.endpoint;
  if (endpoint !== undefined) return [['The endpoint that the server names', endpoint]];
  const card = body.includes('"skills"') ? readFields(parseJson(body)) : undefined;
  const interfaces = ['additionalInterfaces', 'supportedInterfaces'].flatMap(key => asList(card?.get(key)));
  return [card, ...interfaces.map(readFields)].flatMap((each): readonly Way[] => {
    const url = each?.get('url');
    return typeof url === 'string' ? [['The agent card', url]] : [];
  });
}

function isPast(origins: readonly string[], url: string): boolean {
  return URL.canParse(url) && !origins.includes(new URL(url).origin);
}

function describe(what: string, url: string): string {
  return `${what} leads to ${quote(redactUrl(url), 120)}: requests sent there bypass the recording`;
}
