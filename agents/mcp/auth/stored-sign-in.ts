import type { StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client';
import { readFields, type Fields } from '../../../core/text/fields.ts';
import { parseJson } from '../../../core/text/json.ts';
import type { ResolvedHttpAgent } from '../../config/resolve-agent.ts';
import type { SignInHost } from './host.ts';

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
