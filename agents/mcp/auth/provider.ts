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
import type { KeptSignIn } from './kept.ts';

/** How one sign-in goes. */
export interface FlowOptions {
  readonly kept: KeptSignIn;
  readonly server: OAuthServerInfo;
  readonly oauth: OAuthConfig;
  /** Where the answer of the browser comes to; undefined for a client that signs in by itself. */
  readonly redirect: string | undefined;
  /** Hears each secret of it before it is used. */
  learnSecret(value: string): void;
}

/** What the official library asks while it signs in: the memory of one sign-in. What outlives it goes to `kept`. */
export class FlowProvider implements OAuthClientProvider {
  /** What the answer of the browser has to carry (RFC 6749, section 10.12). */
  readonly expectedState = randomBytes(32).toString('hex');
  /** A `clientId` that is an address of https names a document about us (SEP-991). */
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

  /** Where the user signs in; undefined where nobody has to. */
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
      // A program on a user's computer keeps no secret of its own (RFC 8252, section 8.4).
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
    const { kept, redirect, oauth } = this.#options;
    if (oauth.clientId !== undefined && this.clientMetadataUrl === undefined) {
      return {
        client_id: oauth.clientId,
        ...(oauth.clientSecret === undefined ? {} : { client_secret: oauth.clientSecret }),
        ...(context ? { issuer: context.issuer } : {}),
      };
    }
    const known = await kept.get();
    if (known.client?.client_secret !== undefined) this.#options.learnSecret(known.client.client_secret);
    // Whoever was told another address for answers would turn this one away.
    return known.redirect === redirect ? known.client : undefined;
  }

  async saveClientInformation(client: StoredOAuthClientInformation): Promise<void> {
    if (client.client_secret !== undefined) this.#options.learnSecret(client.client_secret);
    // What the agents file says is not kept a second time.
    if (client.client_id !== this.#options.oauth.clientId || this.clientMetadataUrl !== undefined)
      await this.#options.kept.put({ client, redirect: this.#options.redirect });
  }

  async tokens(): Promise<StoredOAuthTokens | undefined> {
    return (await this.#options.kept.get()).tokens;
  }

  async saveTokens(tokens: StoredOAuthTokens): Promise<void> {
    this.#options.learnSecret(tokens.access_token);
    if (tokens.refresh_token !== undefined) this.#options.learnSecret(tokens.refresh_token);
    // A server that grants what was asked for need not say so (RFC 6749, section 5.1).
    const scope = tokens.scope ?? this.#page?.searchParams.get('scope') ?? undefined;
    await this.#options.kept.put({ tokens: { ...tokens, ...(scope === undefined ? {} : { scope }) } });
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
    // It is looked up anew for each sign-in, so that a server may move.
  }

  async invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): Promise<void> {
    if (scope === 'all' || scope === 'client')
      await this.#options.kept.put({ client: undefined, redirect: undefined });
    if (scope === 'all' || scope === 'tokens') await this.#options.kept.put({ tokens: undefined });
  }

  /** Undefined for the usual way, with the code that the browser brought. */
  prepareTokenRequest(scope?: string): URLSearchParams | undefined {
    if (this.#options.redirect !== undefined) return undefined;
    return new URLSearchParams({
      grant_type: 'client_credentials',
      ...(scope === undefined ? {} : { scope }),
    });
  }
}

function isDocument(clientId: string): boolean {
  const url = URL.canParse(clientId) ? new URL(clientId) : undefined;
  return url?.protocol === 'https:' && url.pathname !== '/';
}
