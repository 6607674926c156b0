import { Uri, workspace, type ExtensionContext } from 'vscode';
import {
  BrowserMessageReader,
  BrowserMessageWriter,
  LanguageClient,
  type MessageTransports,
} from 'vscode-languageclient/browser';
import { activateExtension, type Activated, type ParleyApi } from './extension.ts';

/** A worker, as far as the client's reader and writer need it. */
interface ScriptWorker {
  onmessage: unknown;
  postMessage(message: unknown): void;
}

/** What a worker's global scope offers here; the room's types know Node only. */
declare const URL: { createObjectURL(blob: unknown): string };
declare const Blob: new (parts: readonly Uint8Array[], options: { readonly type: string }) => unknown;
declare const Worker: new (url: string) => ScriptWorker;

let activated: Activated | undefined;

/** The browser host's entry: a server in a worker. Agents cannot be reached from here, so nothing is sent. */
export function activate(context: ExtensionContext): ParleyApi {
  const bundle = Uri.joinPath(context.extensionUri, 'dist', 'server.browser.js');
  activated = activateExtension(context, {
    createClient: options => new LanguageClient('parley', 'Parley', () => startWorker(bundle), options),
  });
  return activated.api;
}

/** Stops the worker. */
export async function deactivate(): Promise<void> {
  await activated?.stop();
  activated = undefined;
}

/**
 * The host may not start a worker from another origin, so its script is read and started from memory. The host's workers
 * are of a class of their own, which the client does not take for a worker: it gets the two ends of its channel.
 */
async function startWorker(bundle: Uri): Promise<MessageTransports> {
  const script = await workspace.fs.readFile(bundle);
  const worker = new Worker(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })));
  return { reader: new BrowserMessageReader(worker), writer: new BrowserMessageWriter(worker) };
}
