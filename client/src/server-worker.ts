/** A worker, as far as the client's reader and writer need it. */
export interface ScriptWorker {
  onmessage: unknown;
  postMessage(message: unknown): void;
  terminate(): void;
}

/** What a browser's global scope offers here; the room's types know Node only. */
declare const URL: { createObjectURL(blob: unknown): string; revokeObjectURL(url: string): void };
declare const Blob: new (parts: readonly Uint8Array[], options: { readonly type: string }) => unknown;
declare const Worker: new (url: string) => ScriptWorker;

/**
 * The one worker that the language server runs in. The host may not start a worker from another origin, so its script
 * is started from memory. Nothing in the client ends a worker: whoever stops the server ends it here.
 */
export class ServerWorker {
  #end = (): void => undefined;

  /** Ends the worker that runs, if one does, and starts another. */
  start(script: Uint8Array): ScriptWorker {
    this.#end();
    const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
    const worker = new Worker(url);
    // VS Code's own workers read the address late, so it has to live as long as the worker.
    this.#end = () => {
      worker.terminate();
      URL.revokeObjectURL(url);
      this.#end = () => undefined;
    };
    return worker;
  }

  /** Ends the worker, if one runs. */
  end(): void {
    this.#end();
  }
}
