import { env, Uri, window, type Disposable, type UriHandler } from 'vscode';
import { limitWait, type SignInReturn } from '../../../agents/sign-in-host.ts';
import { hasState } from './sign-in-loopback.ts';

/** The extension's id, and the URI path of sign-in answers. */
const ADDRESS = 'parley.parley/signed-in';

/** Receives sign-in answers as URIs that VS Code opens (`vscode://parley.parley/signed-in?…`). */
export class SignInUris implements UriHandler, Disposable {
  #registration: Disposable | undefined;
  readonly #waiting = new Set<(answer: URLSearchParams) => void>();

  handleUri(uri: Uri): void {
    if (uri.path !== '/signed-in') return;
    const answer = new URLSearchParams(uri.query);
    for (const take of this.#waiting) take(answer);
  }

  /** Opens a return address, which is valid until it is closed. */
  async openReturn(): Promise<SignInReturn> {
    // An extension can register only one URI handler, so it is registered at the first sign-in.
    this.#registration ??= window.registerUriHandler(this);
    const address = await env.asExternalUri(Uri.parse(`${env.uriScheme}://${ADDRESS}`));
    let take: ((answer: URLSearchParams) => void) | undefined;
    return {
      address: address.toString(true),
      wait: (state, signal) => {
        const answer = new Promise<URLSearchParams>(resolve => {
          take = given => {
            if (hasState(given, state)) resolve(given);
          };
          this.#waiting.add(take);
        });
        return limitWait(answer, signal);
      },
      close: () => void (take && this.#waiting.delete(take)),
    };
  }

  dispose(): void {
    this.#registration?.dispose();
  }
}
