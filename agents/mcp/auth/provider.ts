import { defined } from '../../../core/text/fields.ts';
import type {
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthServerInfo,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { randomBytes } from 'node:crypto';
import { PRODUCT } from '../../../core/catalog/product.ts';
import type { OAuthConfig } from '../../config/agent-config.ts';
import type { StoredSignIn } from './stored-sign-in.ts';

/** The settings of one sign-in. */
export interface FlowOptions {
  readonly stored: StoredSignIn;
  readonly server: OAuthServerInfo;
  readonly oauth: OAuthConfig;
  /** The address at which the browser's answer arrives; undefined for a client that signs in without a user. */
  readonly redirect: string | undefined;
  /** Receives each secret of the sign-in before it is used. */
  learnSecret(value: string): void;
}

/**
 * Provides the official library with what it needs during one sign-in. What outlives the sign-in is stored in
 * `stored`.
 */
export class FlowProvider implements OAuthClientProvider {
  /** The state that the browser's answer has to carry (RFC 6749, section 10.12). */
  readonly expectedState = randomBytes(32).toString('hex');
  /** A `clientId` that is an https address refers to a document about us (SEP-991). */
  readonly clientMetadataUrl?: string;
  readonly #options: FlowOptions;
  #verifier = '';
  #page: URL | undefined;

  constructor(options: FlowOptions) {
    this.#options = options;
    const { clientId, clientSecret } = options.oauth;
    if (clientSecret !== undefined) options.learnSecret(clientSecret);
    if (clientId !== undefined && isDocument(clientId)) this.clientMetadataUrl = clientId;
  }

  /** The page at which the user signs in; undefined if there is none. */
  get page(): URL | undefined {
    return this.#page;
  }

  get redirectUrl(): string | undefined {
    return this.#options.redirect;
  }

  get clientMetadata(): OAuthClientMetadata {
    const { redirect, server, oauth } = this.#options;
    const methods = server.authorizationServerMetadata?.token_endpoint_auth_methods_supported;
    return {
      client_name: PRODUCT.title,
      redirect_uris: redirect === undefined ? [] : [redirect],
      grant_types: redirect === undefined ? ['client_credentials'] : ['authorization_code', 'refresh_token'],
      response_types: redirect === undefined ? [] : ['code'],
      // A program on a user's computer cannot keep a secret of its own (RFC 8252, section 8.4).
      ...(methods?.includes('none') ? { token_endpoint_auth_method: 'none' } : {}),
      ...(oauth.scope === undefined ? {} : { scope: oauth.scope }),
    };
  }

  state(): string {
    return this.expectedState;
  }

  async clientInformation(
    context?: OAuthClientInformationContext,
  ): Promise<StoredOAuthClientInformation | undefined> {
    const { stored, redirect, oauth } = this.#options;
    if (oauth.clientId !== undefined && this.clientMetadataUrl === undefined) {
      return defined({
        client_id: oauth.clientId,
        client_secret: oauth.clientSecret,
        issuer: context?.issuer,
      });
    }
    const known = await stored.get();
    if (known.client?.client_secret !== undefined) this.#options.learnSecret(known.client.client_secret);
    // A server with another redirect address registered would reject this one.
    return known.redirect === redirect ? known.client : undefined;
  }

  async saveClientInformation(client: StoredOAuthClientInformation): Promise<void> {
    if (client.client_secret !== undefined) this.#options.learnSecret(client.client_secret);
    // The client of the agents file is not stored a second time.
    if (client.client_id !== this.#options.oauth.clientId || this.clientMetadataUrl !== undefined)
      await this.#options.stored.put({ client, redirect: this.#options.redirect });
  }

  async tokens(): Promise<StoredOAuthTokens | undefined> {
    return (await this.#options.stored.get()).tokens;
  }

  async saveTokens(tokens: StoredOAuthTokens): Promise<void> {
    this.#options.learnSecret(tokens.access_token);
    if (tokens.refresh_token !== undefined) this.#options.learnSecret(tokens.refresh_token);
    // A server that grants the requested scope need not return it (RFC 6749, section 5.1).
    const scope = tokens.scope ?? this.#page?.searchParams.get('scope') ?? undefined;
    await this.#options.stored.put({ tokens: defined({ ...tokens, scope }) });
  }

  redirectToAuthorization(page: URL): void {
    this.#page = page;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
    this.#options.learnSecret(verifier);
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  discoveryState(): OAuthServerInfo {
    return this.#options.server;
  }

  saveDiscoveryState(): void {
    // It is discovered again for each sign-in, so that a server may move.
  }

  async invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): Promise<void> {
    if (scope === 'all' || scope === 'client')
      await this.#options.stored.put({ client: undefined, redirect: undefined });
    if (scope === 'all' || scope === 'tokens') await this.#options.stored.put({ tokens: undefined });
  }

  /** Undefined for the usual flow, with the code from the browser. */
  prepareTokenRequest(scope?: string): URLSearchParams | undefined {
    if (this.#options.redirect !== undefined) return undefined;
    return new URLSearchParams(defined({ grant_type: 'client_credentials', scope }));
  }
}

function isDocument(clientId: string): boolean {
  const url = URL.canParse(clientId) ? new URL(clientId) : undefined;
  return url?.protocol === 'https:' && url.pathname !== '/';
}
