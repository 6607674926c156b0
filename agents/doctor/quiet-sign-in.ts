import { SignInError, type SignInHost } from '../sign-in-host.ts';

/** Access to stored sign-ins without signing in again. */
export interface QuietSignIn {
  readonly host: SignInHost;
  /** True once an action of the user would have been required. */
  readonly isWanted: boolean;
}

/**
 * Uses the stored sign-ins without the user: stored tokens are used and renewed. If that is not enough, no
 * page opens, and no secret is sent to a server that the user has not agreed to.
 */
export function keepQuiet(inner: SignInHost): QuietSignIn {
  let isWanted = false;
  const refuse = (): Promise<never> => {
    isWanted = true;
    return Promise.reject(new SignInError('failed', 'The agent requires a sign-in'));
  };
  return {
    host: {
      read: key => inner.read(key),
      keep: (key, text) => inner.keep(key, text),
      forget: key => inner.forget(key),
      browser: { askLeave: refuse, openReturn: refuse, open: refuse },
    },
    get isWanted() {
      return isWanted;
    },
  };
}
