import type {
  StoredOAuthClientInformation,
  StoredOAuthTokens,
  AuthorizationServerMetadata,
} from '@modelcontextprotocol/client';
import { defined, readFields, type Fields } from '../../../core/text/fields.ts';
import { parseJson } from '../../../core/text/json.ts';
import type { ResolvedHttpAgent } from '../../config/resolve-agent.ts';
import { SILENT } from '../../connection.ts';
import type { SignInHost } from '../../sign-in-host.ts';
import { quote } from '../../../core/text/quote.ts';
import { Redactor } from '../../../core/secrets/redact.ts';
import { makeFetch } from '../../http/fetch.ts';
import { DEFAULT_HTTP_LIMITS } from '../../http/http-connection.ts';

/** What is stored about a sign-in. */
export interface SignInState {
  /** Our client at the authorization server, and the redirect address that it was registered with. */
  readonly client?: StoredOAuthClientInformation;
  readonly redirect?: string;
  readonly tokens?: StoredOAuthTokens;
  /** The origin of the token endpoint that may receive the agent's `oauth.clientSecret`. */
  readonly agreed?: string;
}

/** What is stored about the sign-in to one server, as JSON where secrets are stored. */
export class StoredSignIn {
  readonly #host: SignInHost;
  readonly #key: string;
  #known: SignInState | undefined;

  /**
   * The key has the agent's address, our configured client id, and what the agent trusts besides the usual
   * authorities, because with that another server may answer at this address.
   */
  constructor(host: SignInHost, { url, oauth, tls }: Pick<ResolvedHttpAgent, 'url' | 'oauth' | 'tls'>) {
    this.#host = host;
    const trusted = tls.allowSelfSigned === true ? [true] : tls.ca === undefined ? [] : [tls.ca];
    const place = [`${url.origin}${url.pathname}`, oauth?.clientId ?? null, ...trusted];
    this.#key = `oauth:${JSON.stringify(place)}`;
  }

  /** What is stored; read once. */
  async get(): Promise<SignInState> {
    return (this.#known ??= readStored(await this.#host.read(this.#key)));
  }

  /** The same, read again: another window may have signed in meanwhile. */
  reload(): Promise<SignInState> {
    this.#known = undefined;
    return this.get();
  }

  /** Stores changes; an undefined member is removed. */
  async put(changes: { readonly [Key in keyof SignInState]: SignInState[Key] | undefined }): Promise<void> {
    const members = Object.entries({ ...(await this.get()), ...changes });
    const text = JSON.stringify(Object.fromEntries(members));
    this.#known = readStored(text);
    await (text === '{}' ? this.#host.forget(this.#key) : this.#host.keep(this.#key, text));
  }

  /** Removes everything. Returns what was stored. */
  async forget(): Promise<SignInState> {
    const known = await this.reload();
    this.#known = {};
    await this.#host.forget(this.#key);
    return known;
  }
}

/** Reads what was stored, also by an earlier version. Members of an unexpected form are left out. */
function readStored(text: string | undefined): SignInState {
  const fields = readFields(parseJson(text ?? ''));
  return defined({
    client: readClient(readFields(fields?.get('client'))),
    ...textMember(fields, 'redirect'),
    tokens: readTokens(readFields(fields?.get('tokens'))),
    ...textMember(fields, 'agreed'),
  });
}

function readClient(fields: Fields | undefined): StoredOAuthClientInformation | undefined {
  const id = fields?.get('client_id');
  if (typeof id !== 'string') return undefined;
  return {
    client_id: id,
    ...textMember(fields, 'client_secret'),
    ...textMember(fields, 'token_endpoint_auth_method'),
    ...textMember(fields, 'issuer'),
  };
}

function readTokens(fields: Fields | undefined): StoredOAuthTokens | undefined {
  const [token, type] = [fields?.get('access_token'), fields?.get('token_type')];
  if (typeof token !== 'string' || typeof type !== 'string') return undefined;
  return {
    access_token: token,
    token_type: type,
    ...textMember(fields, 'refresh_token'),
    ...textMember(fields, 'scope'),
    ...textMember(fields, 'issuer'),
  };
}

function textMember<Name extends string>(
  fields: Fields | undefined,
  name: Name,
): { readonly [Key in Name]?: string } {
  const value = fields?.get(name);
  const member: { [Key in Name]?: string } = {};
  if (typeof value === 'string') member[name] = value;
  return member;
}

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
  return makeFetch({
    agent: { url, headers: new Map(), tls },
    limits: DEFAULT_HTTP_LIMITS,
    listener: () => SILENT,
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
