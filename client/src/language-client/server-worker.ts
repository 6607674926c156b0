/** The part of a worker that the client's reader and writer use. */
export interface ScriptWorker {
  onmessage: unknown;
  postMessage(message: unknown): void;
  terminate(): void;
}

/** Browser globals, because this project's types include only those of Node. */
declare const URL: { createObjectURL(blob: unknown): string; revokeObjectURL(url: string): void };
declare const Blob: new (parts: readonly Uint8Array[], options: { readonly type: string }) => unknown;
declare const Worker: new (url: string) => ScriptWorker;

/**
 * The worker of the language server. It is started from memory, because the host cannot start a worker from
 * another origin. The client does not end workers, so it is ended here.
 */
export class ServerWorker {
  #end = (): void => undefined;

  /** Ends a running worker and starts another one. */
  start(script: Uint8Array): ScriptWorker {
    this.#end();
    const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
    const worker = new Worker(url);
    // VS Code's workers read the URL late, so it is revoked only with the worker.
    this.#end = () => {
      worker.terminate();
      URL.revokeObjectURL(url);
      this.#end = () => undefined;
    };
    return worker;
  }

  end(): void {
    this.#end();
  }
}
