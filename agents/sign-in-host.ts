/** What a sign-in needs from the surrounding program. */
export interface SignInHost {
  /** Reads a text from where secrets are stored. */
  read(key: string): Promise<string | undefined>;
  keep(key: string, text: string): Promise<void>;
  forget(key: string): Promise<void>;
  /** How the user signs in with a browser; absent if the user cannot be asked. */
  readonly browser?: SignInBrowser;
}

/** Signing in with a browser. */
export interface SignInBrowser {
  /** Whether we may continue; asked before a browser opens or a secret goes to a server for the first time. */
  askLeave(question: SignInQuestion, signal: AbortSignal): Promise<boolean>;
  /**
   * Prepares to receive the answer. `known` is the address of the last sign-in, which the server may have
   * registered.
   */
  openReturn(known: string | undefined): Promise<SignInReturn>;
  /** Opens an address in the user's browser. */
  open(url: URL): Promise<void>;
}

/** What the user is asked before a sign-in continues. */
export interface SignInQuestion {
  readonly agent: string;
  /**
   * Origins: of the agent, and of the page where the user signs in, or of the token endpoint that receives
   * the secret.
   */
  readonly resource: string;
  readonly server: string;
  /** `browser` opens a page there; `secret` sends the agent's `oauth.clientSecret` there. */
  readonly how: 'browser' | 'secret';
}

/** The way back from a browser to us. */
export interface SignInReturn {
  /** The `redirect_uri` at which the answer arrives. */
  readonly address: string;
  /** The answer with this state; any other is rejected. Rejects with a `SignInError`. */
  wait(state: string, signal: AbortSignal): Promise<URLSearchParams>;
  close(): void;
}

/** Why a sign-in failed, as one sentence for the user. */
export class SignInError extends Error {
  readonly kind: 'cancelled' | 'failed';

  constructor(kind: 'cancelled' | 'failed', message: string) {
    super(message);
    this.name = 'SignInError';
    this.kind = kind;
  }
}

/** Milliseconds that the user has to sign in. */
const SIGN_IN_TIME = 300_000;
const LATE =
  'The sign-in timed out, because no answer came from the browser within 5 minutes; send again to retry';

/** Waits for an answer for SIGN_IN_TIME at most. Rejects with a `SignInError`. */
export function limitWait<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
    };
    const cancel = (): void => {
      end();
      reject(new SignInError('cancelled', 'Signing in was cancelled'));
    };
    const timer = setTimeout(() => {
      end();
      reject(new SignInError('failed', LATE));
    }, SIGN_IN_TIME);
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    void answer.then(resolve, reject).finally(end);
  });
}
