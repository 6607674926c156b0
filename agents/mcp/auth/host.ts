/** What a sign-in needs of the program around it. */
export interface SignInHost {
  /** A text that is kept where secrets are kept. */
  read(key: string): Promise<string | undefined>;
  keep(key: string, text: string): Promise<void>;
  forget(key: string): Promise<void>;
  /** How the user signs in with a browser; absent where nobody can be asked. */
  readonly browser?: SignInBrowser;
}

/** Signing in with a browser. */
export interface SignInBrowser {
  /** Whether we may go on; asked before a browser opens or a secret goes to a server for the first time. */
  askLeave(question: SignInQuestion, signal: AbortSignal): Promise<boolean>;
  /** Gets ready to hear the answer. `known` is the address of the last time, which the server may have been told. */
  openReturn(known: string | undefined): Promise<SignInReturn>;
  /** Shows an address in the user's browser. */
  open(url: URL): Promise<void>;
}

/** What the user is asked. */
export interface SignInQuestion {
  readonly agent: string;
  /** Origins: of the agent, and of the page where the user signs in, or of the token endpoint that receives the secret. */
  readonly resource: string;
  readonly server: string;
  /** `browser` opens a page there; `secret` sends the agent's `oauth.clientSecret` there. */
  readonly how: 'browser' | 'secret';
}

/** The way back from a browser. */
export interface SignInReturn {
  /** The `redirect_uri` that the answer comes to. */
  readonly address: string;
  /** The answer that carries this state; any other is turned away. Rejects with a `SignInError`. */
  wait(state: string, signal: AbortSignal): Promise<URLSearchParams>;
  close(): void;
}

/** Why a sign-in came to nothing, as one sentence for a person. */
export class SignInError extends Error {
  readonly kind: 'cancelled' | 'failed';

  constructor(kind: 'cancelled' | 'failed', message: string) {
    super(message);
    this.name = 'SignInError';
    this.kind = kind;
  }
}

/** How long the user has to sign in, in milliseconds. */
const SIGN_IN_TIME = 300_000;
const LATE =
  'Signing in was given up, because no answer came from the browser within 5 minutes; send again to sign in anew';

/** Waits for an answer, for as long as the user has to sign in. Rejects with a `SignInError`. */
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
