import type { StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client';
import { readFields, type Fields } from '../../../core/text/fields.ts';
import { parseJson } from '../../../core/text/json.ts';
import type { ResolvedHttpAgent } from '../../config/resolve-agent.ts';
import type { SignInHost } from './host.ts';

/** What is remembered of a sign-in. */
export interface Kept {
  /** What the authorization server knows us as, and the address that it was told for answers. */
  readonly client?: StoredOAuthClientInformation;
  readonly redirect?: string;
  readonly tokens?: StoredOAuthTokens;
  /** The origin of the token endpoint that may receive the agent's `oauth.clientSecret`. */
  readonly agreed?: string;
}

/** What is remembered of the sign-in to one server, kept as JSON where secrets are kept. */
export class KeptSignIn {
  readonly #host: SignInHost;
  readonly #key: string;
  #known: Kept | undefined;

  /**
   * Of an agent: by its address, our configured name at its authorization server, and what it trusts beside the usual
   * authorities, for whoever answers then need not be who the address says.
   */
  constructor(host: SignInHost, { url, oauth, tls }: Pick<ResolvedHttpAgent, 'url' | 'oauth' | 'tls'>) {
    this.#host = host;
    const trusted = tls.allowSelfSigned === true ? [true] : tls.ca === undefined ? [] : [tls.ca];
    const place = [`${url.origin}${url.pathname}`, oauth?.clientId ?? null, ...trusted];
    this.#key = `oauth:${JSON.stringify(place)}`;
  }

  /** What is remembered; read once. */
  async get(): Promise<Kept> {
    return (this.#known ??= readKept(await this.#host.read(this.#key)));
  }

  /** The same, read anew: another window may have signed in since. */
  reload(): Promise<Kept> {
    this.#known = undefined;
    return this.get();
  }

  /** Remembers more; a member that is undefined is forgotten. */
  async put(changes: { readonly [Key in keyof Kept]: Kept[Key] | undefined }): Promise<void> {
    const members = Object.entries({ ...(await this.get()), ...changes });
    const text = JSON.stringify(Object.fromEntries(members));
    this.#known = readKept(text);
    await (text === '{}' ? this.#host.forget(this.#key) : this.#host.keep(this.#key, text));
  }

  /** Forgets all of it. Answers what was remembered. */
  async forget(): Promise<Kept> {
    const known = await this.reload();
    this.#known = {};
    await this.#host.forget(this.#key);
    return known;
  }
}

/** Reads what an earlier version may have written, too: what is not as it should be is not there. */
function readKept(text: string | undefined): Kept {
  const fields = readFields(parseJson(text ?? ''));
  const client = readClient(readFields(fields?.get('client')));
  const tokens = readTokens(readFields(fields?.get('tokens')));
  return {
    ...(client ? { client } : {}),
    ...textMember(fields, 'redirect'),
    ...(tokens ? { tokens } : {}),
    ...textMember(fields, 'agreed'),
  };
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
