import { open } from 'node:fs/promises';
import { Uri, type ExtensionContext } from 'vscode';
import { LanguageClient, TransportKind, type ServerOptions } from 'vscode-languageclient/node';
import { CallSpill, type SpillPlace } from '../../agents/src/store/call-spill.ts';
import { readFields } from '../../protocol/src/text/fields.ts';
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
    openAgents(extension, log, emit) {
      const spill = new CallSpill(findTracePlace(extension), emit);
      return new DesktopAgents(extension, log, event => spill.take(event));
    },
  });
  return activated.api;
}

/** Awaited by VS Code for a few seconds: the server gets the time to end by itself. */
export async function deactivate(): Promise<void> {
  await activated?.stop();
  activated = undefined;
}

/** Where calls stand that are too large for a window to keep: with the workspace, or else with the extension. */
function findTracePlace({ storageUri, globalStorageUri, extension }: ExtensionContext): SpillPlace {
  const version = readFields(extension.packageJSON)?.get('version');
  return {
    folder: Uri.joinPath(storageUri ?? globalStorageUri, 'traces').fsPath,
    producer: typeof version === 'string' ? `parley ${version}` : 'parley',
  };
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
