import { SignInError, type SignInHost } from '../mcp/auth/host.ts';

/** What is known of earlier sign-ins, for somebody who may use it and sign in no further. */
export interface QuietSignIn {
  readonly host: SignInHost;
  /** True once the user would have had to do something. */
  readonly isWanted: boolean;
}

/**
 * The sign-ins that are kept, without the user: kept tokens are used and renewed, and where that is not enough no page opens and
 * no secret goes to a server that the user did not agree to.
 */
export function keepQuiet(kept: SignInHost): QuietSignIn {
  let isWanted = false;
  const refuse = (): Promise<never> => {
    isWanted = true;
    return Promise.reject(new SignInError('failed', 'The agent wants you to sign in'));
  };
  return {
    host: {
      read: key => kept.read(key),
      keep: (key, text) => kept.keep(key, text),
      forget: key => kept.forget(key),
      browser: { askLeave: refuse, openReturn: refuse, open: refuse },
    },
    get isWanted() {
      return isWanted;
    },
  };
}
