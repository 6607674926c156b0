/** The API that VS Code provides to the script of a webview. */
interface WebviewApi {
  postMessage(message: unknown): void;
  /** The last value of `setState`; undefined if there is none. */
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): WebviewApi;

/** The connection of a view to the extension: sends messages, and receives messages that pass a guard. */
export interface Host<Out> {
  post(message: Out): void;
  /** The last stored value, also if an earlier page of the same panel stored it; undefined if there is none. */
  stored(): unknown;
  /** Stores a JSON value while the panel is hidden. */
  keep(state: unknown): void;
}

/** Connects to the extension; call it once per page. Messages that do not pass the guard are dropped. */
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
    stored: () => api.getState(),
    keep: state => api.setState(state),
  };
}
