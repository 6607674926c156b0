import type { HttpFailure } from '../../http/failure.ts';
import type * as Library from '../library.ts';
import { SignInError } from '../../sign-in-host.ts';
import type { Challenge, SignedIn, SignIn, SignInScope } from './sign-in.ts';

/** The call that a request belongs to, as a sign-in needs it. */
export interface SigningCall {
  readonly isOpen: boolean;
  /** Aborted when the call has ended. */
  readonly ended: AbortSignal;
  /** Waits for the user; this time does not count for the call. */
  whileAsking<T>(answer: Promise<T>): Promise<T>;
  note(text: string): void;
  secret(value: string): void;
  failWith(failure: HttpFailure): void;
}

type Extractor = Pick<typeof Library, 'extractWWWAuthenticateParams'>;

/** Options for requests that may require a sign-in. */
export interface SigningOptions<Call extends SigningCall> {
  readonly signIn: SignIn;
  readonly library: Extractor;
  /** The agent's origin; a token is sent nowhere else. */
  readonly origin: string;
  /** The call of the request that is being sent. */
  findCall(): Call | undefined;
  /** Sends a request of a sign-in, which is not part of the agent's protocol. */
  fetchFor(call: Call, url: string | URL, init: RequestInit): Promise<Response>;
}

/**
 * A `fetch` that signs in when the agent requires it, and sends the request again: after 401 once with a
 * renewed token and once after a sign-in, after 403 for a missing scope once. Returns the last response.
 */
export function signingFetch<Call extends SigningCall>(
  inner: typeof fetch,
  options: SigningOptions<Call>,
): typeof fetch {
  const { signIn, library, origin } = options;
  return async (input, init) => {
    if (new URL(input instanceof Request ? input.url : input).origin !== origin) return inner(input, init);
    const call = options.findCall();
    const done = new Map<Challenge['status'], SignedIn>();
    for (;;) {
      const token = await signIn.readToken();
      if (token !== undefined) call?.secret(token);
      const response = await inner(input, withToken(init, token));
      const challenge = readChallenge(response, token, library);
      const before = challenge && done.get(challenge.status);
      if (!challenge || !call?.isOpen || before === 'signed-in') return response;
      // Reading the body lets the exchange end well.
      await response.text().catch(() => undefined);
      const how = before === 'renewed' ? 'anew' : 'renew';
      done.set(challenge.status, await answer(options, challenge, how, call));
    }
  };
}

async function answer<Call extends SigningCall>(
  { signIn, fetchFor }: Pick<SigningOptions<Call>, 'signIn' | 'fetchFor'>,
  challenge: Challenge,
  how: 'renew' | 'anew',
  call: Call,
): Promise<SignedIn> {
  const scope: SignInScope = {
    signal: call.ended,
    fetch: (url, init) => fetchFor(call, url, { ...init, signal: call.ended }),
    note: text => call.note(text),
    learnSecret: value => call.secret(value),
  };
  try {
    return await call.whileAsking(signIn.answer(challenge, how, scope));
  } catch (error) {
    // The library would conclude that the server has another version, and try again.
    if (error instanceof SignInError) {
      const failure = error.kind === 'cancelled' ? CANCELLED : FAILED;
      call.failWith({ ...failure, message: error.message });
    }
    throw error;
  }
}

const CANCELLED = { kind: 'cancelled', code: 'CANCELLED' } as const;
const FAILED = { kind: 'not-http', code: 'HTTP 401' } as const;

function withToken(init: RequestInit | undefined, token: string | undefined): RequestInit | undefined {
  if (token === undefined) return init;
  const headers = new Headers(init?.headers);
  headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers };
}

/** What a response requires (RFC 6750, section 3); undefined if no sign-in would help. */
function readChallenge(
  response: Response,
  token: string | undefined,
  library: Extractor,
): Challenge | undefined {
  const { status } = response;
  if (status !== 401 && status !== 403) return undefined;
  const { error, scope, resourceMetadataUrl } = library.extractWWWAuthenticateParams(response);
  if (status === 403 && error !== 'insufficient_scope') return undefined;
  return {
    status,
    token,
    ...(scope === undefined ? {} : { scope }),
    ...(resourceMetadataUrl ? { resourceMetadataUrl } : {}),
  };
}
