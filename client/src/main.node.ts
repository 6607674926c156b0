import { open } from 'node:fs/promises';
import { Uri, type ExtensionContext } from 'vscode';
import { LanguageClient, TransportKind, type ServerOptions } from 'vscode-languageclient/node';
import { DesktopAgents } from './agents/desktop-agents.ts';
import { activateExtension, type Activated, type ParleyApi } from './extension.ts';

let activated: Activated | undefined;

/** The desktop host's entry: a server process, and agents. */
export function activate(context: ExtensionContext): ParleyApi {
  const module = Uri.joinPath(context.extensionUri, 'dist', 'server.js').fsPath;
  const run = { module, transport: TransportKind.ipc };
  const debug = { ...run, options: { execArgv: ['--nolazy', '--inspect=6009'] } };
  const server: ServerOptions = { run, debug };
  activated = activateExtension(context, {
    createClient: options => new LanguageClient('parley', 'Parley', server, options),
    readRange,
    openAgents: (extension, log, emit) => new DesktopAgents(extension, log, emit),
  });
  return activated.api;
}

/** Awaited by VS Code for a few seconds: the server gets the time to end by itself. */
export async function deactivate(): Promise<void> {
  await activated?.stop();
  activated = undefined;
}

async function readRange(uri: Uri, start: number, end: number): Promise<Uint8Array> {
  const file = await open(uri.fsPath);
  try {
    const bytes = new Uint8Array(end - start);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length, start + length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return bytes.subarray(0, length);
  } finally {
    await file.close();
  }
}
