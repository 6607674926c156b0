import { Uri, workspace, type ExtensionContext } from 'vscode';
import {
  BrowserMessageReader,
  BrowserMessageWriter,
  LanguageClient,
  type MessageTransports,
} from 'vscode-languageclient/browser';
import type { EncodingName } from '../../core/catalog/costs.ts';
import { ENCODING_SCRIPT } from '../../wire/cost-requests.ts';
import { activateExtension, type Activated, type ParleyApi } from './extension.ts';
import { ServerWorker } from './language-client/server-worker.ts';

const worker = new ServerWorker();
let activated: Activated | undefined;

/**
 * The entry point in the browser host: the server runs in a worker. Agents cannot be reached, so nothing can
 * be sent.
 */
export function activate(context: ExtensionContext): ParleyApi {
  const bundle = Uri.joinPath(context.extensionUri, 'dist', 'server.browser.js');
  activated = activateExtension(context, {
    createClient: options => {
      const client = new LanguageClient('parley', 'Parley', () => startWorker(bundle), options);
      client.onRequest(ENCODING_SCRIPT, ({ encoding }: { readonly encoding: EncodingName }) =>
        readEncodingScript(context.extensionUri, encoding),
      );
      return client;
    },
  });
  return activated.api;
}

/** Stops the server and ends its worker. */
export async function deactivate(): Promise<void> {
  await activated?.stop();
  worker.end();
  activated = undefined;
}

/** The script of an encoding, which the server cannot read itself. */
async function readEncodingScript(extension: Uri, encoding: EncodingName): Promise<string> {
  const bundle = Uri.joinPath(extension, 'dist', `tokens-${encoding}.js`);
  return new TextDecoder().decode(await workspace.fs.readFile(bundle));
}

/** The client does not recognise the host's worker class, so it gets a reader and a writer for the worker's channel. */
async function startWorker(bundle: Uri): Promise<MessageTransports> {
  const script = await workspace.fs.readFile(bundle);
  const started = worker.start(script);
  return { reader: new BrowserMessageReader(started), writer: new BrowserMessageWriter(started) };
}
