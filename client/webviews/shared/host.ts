/** What VS Code gives to the script of a webview. */
interface WebviewApi {
  postMessage(message: unknown): void;
}

declare function acquireVsCodeApi(): WebviewApi;

/** The extension as a view talks to it: messages out, and guarded messages in. */
export interface Host<Out> {
  post(message: Out): void;
}

/** Connects to the extension. Called once a page; what does not pass the guard is dropped. */
export function connectHost<In, Out>(
  isMessage: (value: unknown) => value is In,
  receive: (message: In) => void,
): Host<Out> {
  const api = acquireVsCodeApi();
  window.addEventListener('message', event => {
    const message: unknown = event.data;
    if (isMessage(message)) receive(message);
  });
  return { post: message => api.postMessage(message) };
}
