/** What VS Code gives to the script of a webview. */
interface WebviewApi {
  postMessage(message: unknown): void;
  /** What `setState` was given before the page was hidden; undefined at first. */
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): WebviewApi;

/** The extension as a view talks to it: messages out, and guarded messages in. */
export interface Host<Out> {
  post(message: Out): void;
  /** What was kept last, also by a page of the same panel that is gone; undefined where nothing was. */
  kept(): unknown;
  /** Keeps a value, of what JSON can write, while the panel is hidden. */
  keep(state: unknown): void;
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
  return {
    post: message => api.postMessage(message),
    kept: () => api.getState(),
    keep: state => api.setState(state),
  };
}
