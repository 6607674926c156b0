import { commands, env, UIKind, type SecretStorage } from 'vscode';
import type { SignInHost, SignInQuestion } from '../../../agents/mcp/auth/host.ts';
import { openLoopback } from '../../../agents/mcp/auth/loopback.ts';
import { quote } from '../../../core/text/quote.ts';
import type { SignInUris } from './sign-in-uris.ts';
import { askInDialog } from '../messages.ts';

/**
 * How the user signs in to agents: tokens in VS Code's secret storage, pages in the user's browser once they have agreed. The
 * answer comes to a server on 127.0.0.1 where VS Code runs on the user's own computer, and else, with a remote window or in
 * a browser, by a URI that VS Code opens: nothing on that other computer can be reached from the user's browser.
 */
export function openSignIn(storage: SecretStorage, uris: SignInUris): SignInHost {
  return {
    read: async key => storage.get(key),
    keep: async (key, text) => storage.store(key, text),
    forget: async key => storage.delete(key),
    browser: {
      askLeave,
      openReturn: async known => (isLocal() ? openLoopback(known) : uris.openReturn()),
      // As a text: VS Code writes a Uri anew, and an address inside the address would not survive that.
      open: async url => void (await commands.executeCommand('vscode.open', url.href)),
    },
  };
}

function isLocal(): boolean {
  return env.uiKind === UIKind.Desktop && env.remoteName === undefined;
}

async function askLeave({ agent, resource, server, how }: SignInQuestion): Promise<boolean> {
  const [question, detail, button] =
    how === 'browser'
      ? [
          `Sign in for the agent ${quote(agent)}?`,
          `The agent at ${resource} wants you to sign in at ${server}. That page opens in your browser. Open it if you know that address.`,
          'Open the browser',
        ]
      : [
          `Send the client secret of the agent ${quote(agent)} to ${server}?`,
          `The agent at ${resource} names that address as the token endpoint, which receives the secret. Send it if you know that address.`,
          'Send it',
        ];
  return (await askInDialog(question, detail, button)) === button;
}
