import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client';
import { readFields } from '../../../core/text/fields.ts';
import { quote } from '../../../core/text/quote.ts';
import { Redactor } from '../../../core/secrets/redact.ts';
import type { ResolvedHttpAgent } from '../../config/resolve-agent.ts';
import { makeFetch } from '../../http/fetch.ts';
import { DEFAULT_HTTP_LIMITS } from '../../http/http-connection.ts';
import type { Kept } from './kept.ts';

/** How long a server may take to answer, in milliseconds: who signs out does not wait for one that hangs. */
const LONGEST_WAIT = 10_000;
/** How much of what a server says is shown. */
const LONGEST = 200;

/**
 * Asks the server that gave tokens to take them back (RFC 7009), where its metadata names an address for that: first the one
 * that renews, with which many servers end all that came of it. They go to nobody but the server that gave them. Answers why
 * they may still be good, as words that go on after "but"; undefined where they no longer are. Each answer may take
 * `longestWait` milliseconds. Never rejects.
 */
export async function revokeTokens(
  { tokens, client }: Kept,
  agent: Pick<ResolvedHttpAgent, 'url' | 'tls' | 'oauth'>,
  longestWait = LONGEST_WAIT,
): Promise<string | undefined> {
  if (!tokens) return undefined;
  const { access_token: access, refresh_token: refresh, issuer } = tokens;
  if (issuer === undefined) return 'it is not known which server gave them';
  const secrets = [access, refresh ?? '', client?.client_secret ?? ''];
  try {
    const { discoverAuthorizationServerMetadata: discover } = await import('../library.ts');
    const fetch = openFetch(agent, longestWait);
    const metadata = await discover(issuer, { fetchFn: fetch });
    const endpoint = findEndpoint(metadata);
    if (endpoint === undefined) return `${issuer} names no address at which it takes tokens back`;
    if (typeof endpoint === 'string') return endpoint;
    const known = client ?? { client_id: agent.oauth?.clientId ?? '' };
    for (const [token, hint] of [
      [refresh, 'refresh_token'],
      [access, 'access_token'],
    ] as const) {
      const status = token && (await revoke(fetch, endpoint, { token, token_type_hint: hint }, known));
      if (status)
        return `${endpoint.origin} did not take the ${hint.replace('_', ' ')} back: it answered ${status}`;
    }
    return undefined;
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return `${issuer} could not be asked to take them back: ${quote(new Redactor(secrets).redactText(said), LONGEST)}`;
  }
}

/** Requests without the agent's headers, which are for the agent alone, and with what it trusts. */
function openFetch({ url, tls }: Pick<ResolvedHttpAgent, 'url' | 'tls'>, longestWait: number): typeof fetch {
  const silent = {
    head: () => undefined,
    bytes: () => undefined,
    note: () => undefined,
    progress: () => undefined,
  };
  return makeFetch({
    agent: { url, headers: new Map(), tls },
    limits: DEFAULT_HTTP_LIMITS,
    listener: () => silent,
    total: () => longestWait,
  });
}

/** Where tokens are taken back: the server that gave them and no other, and nowhere that others can read along. */
function findEndpoint(metadata: AuthorizationServerMetadata | undefined): URL | string | undefined {
  const endpoint = readFields(metadata)?.get('revocation_endpoint');
  if (!metadata || typeof endpoint !== 'string') return undefined;
  const url = URL.parse(endpoint);
  const own = [metadata.issuer, metadata.token_endpoint].map(each => URL.parse(each)?.origin);
  return url && own.includes(url.origin)
    ? url
    : `${metadata.issuer} names ${quote(endpoint, LONGEST)} to take tokens back, which is another server; they were not sent there`;
}

/** The status where a token was not taken back; undefined where it was, or never was one. */
async function revoke(
  send: typeof fetch,
  endpoint: URL,
  form: Readonly<Record<string, string>>,
  client: NonNullable<Kept['client']>,
): Promise<string | undefined> {
  const { client_id: id, client_secret: secret } = client;
  const method = readFields(client)?.get('token_endpoint_auth_method');
  // A client with a secret says it as it did to get the token (RFC 6749, section 2.3.1).
  const isBasic = secret !== undefined && method !== 'client_secret_post';
  const body = new URLSearchParams(form);
  if (!isBasic) body.set('client_id', id);
  if (!isBasic && secret !== undefined) body.set('client_secret', secret);
  const pair = `${id}:${secret ?? ''}`;
  const response = await send(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(isBasic ? { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } : {}),
    },
    body: body.toString(),
  });
  await response.text();
  return response.ok ? undefined : `${response.status} ${response.statusText}`.trim();
}
