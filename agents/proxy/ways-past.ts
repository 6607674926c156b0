import { quote } from '../../core/text/quote.ts';
import { parseJson } from '../../core/text/json.ts';
import { asList, readFields } from '../../core/text/fields.ts';
import type { KeptHeader } from '../../core/events/events.ts';
import { findHeader } from '../../core/events/headers.ts';
import { findEndpoint } from './mcp-transport.ts';
import { redactUrl } from '../../core/secrets/redact.ts';

/**
 * Where a reply names an address that leads past the recording, a sentence for each: a redirect, the endpoint of an
 * older MCP server, the addresses of an A2A agent's card. Bytes pass untouched, so that is all that is done about it. Without a
 * body it is the head that is looked at. `origins` are those that lead to it.
 */
export function findWaysPast(
  origins: readonly string[],
  head: { readonly status: number; readonly headers: readonly KeptHeader[] },
  body?: string,
): readonly string[] {
  const found = body === undefined ? listOfHead(head) : listOfBody(head.headers, body);
  return [...new Set(found)].flatMap(([what, url]) => (isPast(origins, url) ? [describe(what, url)] : []));
}

type Way = readonly [what: string, url: string];

function listOfHead({ status, headers }: { status: number; headers: readonly KeptHeader[] }): readonly Way[] {
  const location = findHeader(headers, 'location');
  return location !== undefined && status >= 300 && status < 400 ? [['The redirect', location]] : [];
}

function listOfBody(headers: readonly KeptHeader[], body: string): readonly Way[] {
  const endpoint = findEndpoint(headers, body);
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
  return `${what} leads to ${quote(redactUrl(url), 120)}: what is sent there does not pass the recording`;
}
