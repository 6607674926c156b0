import { defined } from '../../../core/text/fields.ts';
import type { FetchLike, OAuthServerInfo } from '@modelcontextprotocol/client';
import { quote } from '../../../core/text/quote.ts';
import type { ResolvedHttpAgent } from '../../config/resolve-agent.ts';
import { HttpError } from '../../http/fetch.ts';
import type * as Library from '../library.ts';
import { SignInError, type SignInBrowser, type SignInHost } from '../../sign-in-host.ts';
import { StoredSignIn } from './stored-sign-in.ts';
import { FlowProvider } from './provider.ts';
import { describeLibraryError } from '../../library-error.ts';
import { whenAborted } from '../../when-aborted.ts';

/** Why a server did not accept a request. */
export interface Challenge {
  /** 401 requires a sign-in, 403 one with more scopes than we have. */
  readonly status: 401 | 403;
  /** The scopes that it requires, separated by blanks. */
  readonly scope?: string;
  /** The address of the document that names its authorization servers. */
  readonly resourceMetadataUrl?: URL;
  /** The token that it did not accept; undefined if none was sent. */
  readonly token: string | undefined;
}

/** What a sign-in needs from the call that it happens for. */
export interface SignInScope {
  /** Ends the sign-in. */
  readonly signal: AbortSignal;
  /** Sends the requests to the authorization server. */
  readonly fetch: FetchLike;
  note(text: string): void;
  /** Receives each secret before it is used. */
  learnSecret(value: string): void;
}

/** `renewed` means without the user. */
export type SignedIn = 'renewed' | 'signed-in';

/** The maximum number of characters shown of a server's words. */
const LONGEST = 200;

/**
 * Signs in to one MCP server with OAuth 2.1 (MCP 2025-11-25, "Authorization") through the official library.
 * With a browser the user signs in. A client with a configured id and secret signs in without the user if the
 * authorization server offers only that, or if there is no browser.
 */
export class SignIn {
  readonly #agent: ResolvedHttpAgent;
  readonly #host: SignInHost;
  readonly #library: typeof Library;
  readonly #stored: StoredSignIn;
  #running: Promise<SignedIn> | undefined;

  constructor(agent: ResolvedHttpAgent, host: SignInHost, library: typeof Library) {
    this.#agent = agent;
    this.#host = host;
    this.#library = library;
    this.#stored = new StoredSignIn(host, agent);
  }

  /** The token of the last sign-in; undefined if there was none. */
  async readToken(): Promise<string | undefined> {
    return (await this.#stored.get()).tokens?.access_token;
  }

  /**
   * Responds to a challenge: renews the token or signs in again. Calls that arrive during a sign-in wait for
   * it. `anew` is for a renewed token that was not accepted either. Rejects with a `SignInError`.
   */
  async answer(challenge: Challenge, how: 'renew' | 'anew', scope: SignInScope): Promise<SignedIn> {
    while (this.#running) {
      // The token shows whether it succeeded.
      await Promise.race([this.#running.catch(() => undefined), whenAborted(scope.signal)]);
      if (scope.signal.aborted) throw new SignInError('cancelled', 'Signing in was cancelled');
      if ((await this.readToken()) !== challenge.token) return 'signed-in';
    }
    this.#running = this.#answer(challenge, how, scope).finally(() => (this.#running = undefined));
    return this.#running;
  }

  async #answer(challenge: Challenge, how: 'renew' | 'anew', scope: SignInScope): Promise<SignedIn> {
    const { tokens } = await this.#stored.reload();
    // Another window has signed in meanwhile.
    if (tokens && tokens.access_token !== challenge.token && how === 'renew') return 'renewed';
    try {
      const server = await this.#discover(challenge, scope);
      const flow = { server, scope, scopes: this.#findScopes(challenge, tokens?.scope) };
      await this.#agreeOnSecret(flow);
      if (this.#signsInAlone(server)) {
        await this.#auth(this.#provide(flow, undefined), flow);
        return 'signed-in';
      }
      const canRenew = how === 'renew' && challenge.status === 401 && tokens?.refresh_token !== undefined;
      if (canRenew && (await this.#renew(flow))) return 'renewed';
      return await this.#signInByBrowser(flow);
    } catch (error) {
      throw this.#explain(error, scope.signal);
    }
  }

  async #discover({ resourceMetadataUrl }: Challenge, scope: SignInScope): Promise<OAuthServerInfo> {
    const { url } = this.#agent;
    const options = defined({ fetchFn: scope.fetch, resourceMetadataUrl });
    try {
      return await this.#library.discoverOAuthServerInfo(url, options);
    } catch (error) {
      if (!(error instanceof this.#library.IssuerMismatchError)) throw error;
      // A server of 2025-03-26 is its own authorization server and may give another path of its origin as its issuer.
      const lenient = { ...options, skipIssuerMetadataValidation: true };
      const found = await this.#library.discoverOAuthServerInfo(url, lenient);
      const issuer = readIssuer(found);
      if (found.resourceMetadata || new URL(issuer).origin !== url.origin) throw error;
      scope.note(
        `The authorization server calls itself ${quote(issuer, LONGEST)}, which is not where it was found; it was accepted, because the agent has the same origin`,
      );
      return found;
    }
  }

  /** For 403, the required scopes are added to the granted ones (MCP, "Step-up authorization flow"). */
  #findScopes({ status, scope }: Challenge, granted: string | undefined): string | undefined {
    const configured = this.#agent.oauth?.scope;
    return status === 401
      ? (configured ?? scope)
      : this.#library.computeScopeUnion(configured, granted, scope);
  }

  #signsInAlone({ authorizationServerMetadata: metadata }: OAuthServerInfo): boolean {
    const { clientId, clientSecret } = this.#agent.oauth ?? {};
    if (clientId === undefined || clientSecret === undefined) return false;
    const grants = metadata?.grant_types_supported;
    return (
      !this.#host.browser ||
      (grants?.includes('client_credentials') === true && !grants.includes('authorization_code'))
    );
  }

  /**
   * The token endpoint receives the configured client secret in each kind of sign-in (RFC 6749, section
   * 2.3.1), and the agent's metadata names this endpoint. So the user agrees to its origin before the secret
   * goes there for the first time.
   */
  async #agreeOnSecret({ server, scope }: Flow): Promise<void> {
    const { browser } = this.#host;
    const { clientId, clientSecret } = this.#agent.oauth ?? {};
    if (!browser || clientId === undefined || clientSecret === undefined) return;
    const endpoint = findTokenEndpoint(server);
    if ((await this.#stored.get()).agreed === endpoint.origin) return;
    await this.#askLeave(browser, endpoint, 'secret', scope.signal);
    await this.#stored.put({ agreed: endpoint.origin });
  }

  /** True if a new token was issued without the user. */
  async #renew(flow: Flow): Promise<boolean> {
    const { redirect } = await this.#stored.get();
    // This address is never used: a page that the library would show is not opened.
    return (await this.#auth(this.#provide(flow, redirect ?? 'http://127.0.0.1/'), flow)) === 'AUTHORIZED';
  }

  async #signInByBrowser(flow: Flow): Promise<SignedIn> {
    const { browser } = this.#host;
    const { signal } = flow.scope;
    if (!browser) throw new SignInError('failed', this.#adviseWithoutBrowser());
    this.#checkRegistration(flow.server);
    const way = await browser.openReturn((await this.#stored.get()).redirect);
    try {
      const provider = this.#provide(flow, way.address);
      await this.#auth(provider, flow, { forceReauthorization: true });
      const { page } = provider;
      if (!page) throw new SignInError('failed', 'The authorization server named no page to sign in at');
      checkPage(page);
      await this.#askLeave(browser, page, 'browser', signal);
      flow.scope.note(`Signing in at ${page.origin}`);
      const coming = way.wait(provider.expectedState, signal);
      const [answer] = await Promise.all([coming, browser.open(page)]);
      const code = readCode(answer, page.origin);
      flow.scope.learnSecret(code);
      const iss = answer.get('iss');
      await this.#auth(provider, flow, { authorizationCode: code, ...(iss === null ? {} : { iss }) });
      flow.scope.note(`Signed in at ${page.origin}`);
      return 'signed-in';
    } finally {
      way.close();
    }
  }

  #provide({ server, scope }: Flow, redirect: string | undefined): FlowProvider {
    return new FlowProvider({
      stored: this.#stored,
      server,
      oauth: this.#agent.oauth ?? {},
      redirect,
      learnSecret: value => scope.learnSecret(value),
    });
  }

  #auth(
    provider: FlowProvider,
    { scope, scopes }: Flow,
    more: Partial<Library.AuthOptions> = {},
  ): Promise<Library.AuthResult> {
    return this.#library.auth(
      provider,
      defined({ serverUrl: this.#agent.url, fetchFn: scope.fetch, scope: scopes, ...more }),
    );
  }

  async #askLeave(
    browser: SignInBrowser,
    { origin: server }: URL,
    how: 'browser' | 'secret',
    signal: AbortSignal,
  ): Promise<void> {
    const question = { agent: this.#agent.name, resource: this.#agent.url.origin, server, how };
    if (!(await browser.askLeave(question, signal)) || signal.aborted)
      throw new SignInError('cancelled', 'Signing in was cancelled');
  }

  /** A server that requires registration by hand is reported before anything else. */
  #checkRegistration({ authorizationServerMetadata: metadata }: OAuthServerInfo): void {
    const clientId = this.#agent.oauth?.clientId;
    if (!metadata || metadata.registration_endpoint !== undefined || clientId !== undefined) return;
    const message = `${quote(metadata.issuer, LONGEST)} accepts only registered clients; register one there and set its name as 'oauth.clientId' of the agent`;
    throw new SignInError('failed', message);
  }

  #adviseWithoutBrowser(): string {
    return `The agent at ${this.#agent.url.origin} requires a sign-in, and there is no browser here; set its 'headers', such as Authorization, or 'oauth.clientId' and 'oauth.clientSecret' of a client that may sign in by itself`;
  }

  #explain(error: unknown, signal: AbortSignal): SignInError {
    if (error instanceof SignInError) return error;
    if (signal.aborted) return new SignInError('cancelled', 'Signing in was cancelled');
    const reported = error instanceof HttpError ? error.message : describeLibraryError(error);
    const start = `Signing in to the agent at ${this.#agent.url.origin} failed: ${reported}`;
    return new SignInError(
      'failed',
      error instanceof HttpError
        ? start
        : `${start}; send again to retry the sign-in, check the agent's 'oauth', or set its 'headers', such as Authorization`,
    );
  }
}

/** One sign-in. */
interface Flow {
  readonly server: OAuthServerInfo;
  readonly scope: SignInScope;
  readonly scopes: string | undefined;
}

function readIssuer({ authorizationServerMetadata, authorizationServerUrl }: OAuthServerInfo): string {
  return authorizationServerMetadata?.issuer ?? authorizationServerUrl;
}

/** Where the library sends token requests, and the client secret with them. */
function findTokenEndpoint({ authorizationServerMetadata, authorizationServerUrl }: OAuthServerInfo): URL {
  return new URL(authorizationServerMetadata?.token_endpoint ?? '/token', authorizationServerUrl);
}

/** Rejects a page whose content others could read or change on the way: users type passwords into it. */
function checkPage({ protocol, hostname, href }: URL): void {
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  if (protocol === 'https:' || (protocol === 'http:' && isHere)) return;
  const message = `The agent names ${quote(href, LONGEST)} as the page to sign in at, which is not of https; it was not opened`;
  throw new SignInError('failed', message);
}

/** The code in an answer (RFC 6749, section 4.1.2). */
function readCode(answer: URLSearchParams, server: string): string {
  const code = answer.get('code');
  if (code !== null && code !== '') return code;
  const reported = [answer.get('error') ?? 'no code', answer.get('error_description') ?? ''].join(' ').trim();
  throw new SignInError(
    answer.get('error') === 'access_denied' ? 'cancelled' : 'failed',
    `${server} did not sign you in: ${quote(reported, LONGEST)}; send again to retry the sign-in`,
  );
}
