import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client';
import { readFields } from '../../../core/text/fields.ts';
import { quote } from '../../../core/text/quote.ts';
import { Redactor } from '../../../core/secrets/redact.ts';
import type { ResolvedHttpAgent } from '../../config/resolve-agent.ts';
import { makeFetch } from '../../http/fetch.ts';
import { DEFAULT_HTTP_LIMITS } from '../../http/http-connection.ts';
import type { SignInState } from './stored-sign-in.ts';

/** Milliseconds for a server's reply: signing out does not wait for a server that hangs. */
const LONGEST_WAIT = 10_000;
/** The maximum number of characters shown of a server's words. */
const LONGEST = 200;

/**
 * Asks the server that issued tokens to revoke them (RFC 7009), if its metadata has an endpoint for that. The
 * refresh token is first: many servers then also revoke the access tokens that came from it. Tokens are sent
 * only to the server that issued them. Returns why they may still be valid, as words that follow "but";
 * undefined if they are not. Each reply may take `longestWait` milliseconds. Never rejects.
 */
export async function revokeTokens(
  { tokens, client }: SignInState,
  agent: Pick<ResolvedHttpAgent, 'url' | 'tls' | 'oauth'>,
  longestWait = LONGEST_WAIT,
): Promise<string | undefined> {
  if (!tokens) return undefined;
  const { access_token: access, refresh_token: refresh, issuer } = tokens;
  if (issuer === undefined) return 'it is not known which server issued them';
  const secrets = [access, refresh ?? '', client?.client_secret ?? ''];
  try {
    const { discoverAuthorizationServerMetadata: discover } = await import('../library.ts');
    const fetch = openFetch(agent, longestWait);
    const metadata = await discover(issuer, { fetchFn: fetch });
    const endpoint = findEndpoint(metadata);
    if (endpoint === undefined) return `${issuer} names no revocation endpoint`;
    if (typeof endpoint === 'string') return endpoint;
    const known = client ?? { client_id: agent.oauth?.clientId ?? '' };
    for (const [token, hint] of [
      [refresh, 'refresh_token'],
      [access, 'access_token'],
    ] as const) {
      const status = token && (await revoke(fetch, endpoint, { token, token_type_hint: hint }, known));
      if (status)
        return `${endpoint.origin} did not revoke the ${hint.replace('_', ' ')}: it answered ${status}`;
    }
    return undefined;
  } catch (error) {
    const reported = error instanceof Error ? error.message : String(error);
    return `${issuer} could not be asked to revoke them: ${quote(new Redactor(secrets).redactText(reported), LONGEST)}`;
  }
}

/**
 * Sends requests without the agent's headers, which are meant for the agent alone, and with its trusted
 * certificates.
 */
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

/** The revocation endpoint, if it is at the server that issued the tokens; a text says why it is not used. */
function findEndpoint(metadata: AuthorizationServerMetadata | undefined): URL | string | undefined {
  const endpoint = readFields(metadata)?.get('revocation_endpoint');
  if (!metadata || typeof endpoint !== 'string') return undefined;
  const url = URL.parse(endpoint);
  const own = [metadata.issuer, metadata.token_endpoint].map(each => URL.parse(each)?.origin);
  return url && own.includes(url.origin)
    ? url
    : `${metadata.issuer} names ${quote(endpoint, LONGEST)} as its revocation endpoint, which is on another server; the tokens were not sent there`;
}

/** The status if a token was not revoked; undefined if it was, or was never valid. */
async function revoke(
  send: typeof fetch,
  endpoint: URL,
  form: Readonly<Record<string, string>>,
  client: NonNullable<SignInState['client']>,
): Promise<string | undefined> {
  const { client_id: id, client_secret: secret } = client;
  const method = readFields(client)?.get('token_endpoint_auth_method');
  // A client with a secret sends it as it did to get the token (RFC 6749, section 2.3.1).
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
