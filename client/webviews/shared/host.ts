/** The API that VS Code provides to the script of a webview. */
interface WebviewApi {
  postMessage(message: unknown): void;
  /** The last value of `setState`; undefined if there is none. */
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): WebviewApi;

/** The connection of a view to the extension: sends messages and receives those of our own code. */
export interface Host<Out> {
  post(message: Out): void;
  /** The last stored value, also if an earlier page of the same panel stored it; undefined if there is none. */
  stored(): unknown;
  /** Stores a JSON value while the panel is hidden. */
  keep(state: unknown): void;
}

/**
 * Connects to the extension; call it once per page. Only the extension can send messages to a page, because the page
 * has no frames and no opener.
 */
export function connectHost<In, Out>(receive: (message: In) => void): Host<Out> {
  const api = acquireVsCodeApi();
  window.addEventListener('message', ({ data }: MessageEvent<In>) => receive(data));
  return {
    post: message => api.postMessage(message),
    stored: () => api.getState(),
    keep: state => api.setState(state),
  };
}
