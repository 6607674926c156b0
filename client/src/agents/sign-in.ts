import { commands, env, UIKind, type SecretStorage } from 'vscode';
import type { SignInHost, SignInQuestion } from '../../../agents/sign-in-host.ts';
import { openLoopback } from './sign-in-loopback.ts';
import { quote } from '../../../core/text/quote.ts';
import type { SignInUris } from './sign-in-uris.ts';
import { askInDialog } from '../window/messages.ts';

/**
 * Signing in to agents: tokens are stored in VS Code's secret storage, and pages open in the user's browser
 * after consent. If VS Code runs on the user's own computer, the answer arrives at a server on 127.0.0.1.
 * With a remote window or in a web browser it arrives as a URI that VS Code opens, because the user's browser
 * cannot reach that computer.
 */
export function openSignIn(storage: SecretStorage, uris: SignInUris): SignInHost {
  return {
    read: async key => storage.get(key),
    keep: async (key, text) => storage.store(key, text),
    forget: async key => storage.delete(key),
    browser: {
      askLeave,
      openReturn: async known => {
        const isLocal = env.uiKind === UIKind.Desktop && env.remoteName === undefined;
        return isLocal ? openLoopback(known) : uris.openReturn();
      },
      // Passed as a string, because a Uri object would be encoded again, which breaks an address nested in the query.
      open: async url => void (await commands.executeCommand('vscode.open', url.href)),
    },
  };
}

async function askLeave({ agent, resource, server, how }: SignInQuestion): Promise<boolean> {
  const [question, detail, button] =
    how === 'browser'
      ? [
          `Sign in for the agent ${quote(agent)}?`,
          `The agent at ${resource} requires a sign-in at ${server}. That page opens in your browser. Open it if you know that address.`,
          'Open the browser',
        ]
      : [
          `Send the client secret of the agent ${quote(agent)} to ${server}?`,
          `The agent at ${resource} names that address as the token endpoint, which receives the secret. Send it if you know that address.`,
          'Send',
        ];
  return (await askInDialog(question, detail, button)) === button;
}
