import { Uri, type ExtensionContext } from 'vscode';
import { LanguageClient, TransportKind, type ServerOptions } from 'vscode-languageclient/node';
import { openRegularFile } from '../../agents/regular-file.ts';
import { StoredTraces, type StoreLocation } from '../../agents/store/stored-traces.ts';
import { TraceIndex } from '../../agents/store/trace-index.ts';
import { readFields } from '../../core/text/fields.ts';
import { Bridges } from './agents/bridges.ts';
import { DesktopAgents } from './agents/desktop-agents.ts';
import type { TapPlace } from './agents/process-taps.ts';
import { Recordings } from './agents/recordings.ts';
import { Telemetry } from './agents/telemetry.ts';
import { currentSettings } from './base/settings.ts';
import { activateExtension, type Activated, type ParleyApi } from './extension.ts';

let activated: Activated | undefined;

/** The entry point in the desktop host: the server runs in a process, and agents are available. */
export function activate(context: ExtensionContext): ParleyApi {
  const module = Uri.joinPath(context.extensionUri, 'dist', 'server.js').fsPath;
  const run = { module, transport: TransportKind.ipc };
  const debug = { ...run, options: { execArgv: ['--nolazy', '--inspect=6009'] } };
  const server: ServerOptions = { run, debug };
  let stored: StoredTraces | undefined;
  activated = activateExtension(context, {
    createClient: options => new LanguageClient('parley', 'Parley', server, options),
    readRange,
    openTraceKeeper(extension, pinned) {
      stored = new StoredTraces(findTracePlace(extension), () => {
        const settings = currentSettings();
        const bytes = settings['trace.keepMegabytes'] * 1e6;
        return { traces: settings['trace.keepTraces'], bytes, pinned: pinned() };
      });
      return stored;
    },
    openTraceFile: path => new TraceIndex(path),
    openAgents(extension, log, emit) {
      const agents = new DesktopAgents(extension, log, emit, stored);
      const taps = {
        ...findTapPlace(extension),
        settled: () => stored?.settled() ?? Promise.resolve(),
      };
      return {
        agents,
        recordings: new Recordings(agents, emit, extension.globalState, taps),
        bridges: new Bridges(agents, emit, extension.globalState, taps),
        telemetry: new Telemetry(extension, emit),
      };
    },
  });
  return activated.api;
}

/** VS Code awaits this for a few seconds, so that the server can shut down in order. */
export async function deactivate(): Promise<void> {
  await activated?.stop();
  activated = undefined;
}

/** The folder for stored traces: in the storage of the workspace, else of the extension. */
function findTracePlace(context: ExtensionContext): StoreLocation {
  return { folder: findFolder(context, 'traces'), producer: nameProducer(context) };
}

function findTapPlace(context: ExtensionContext): Omit<TapPlace, 'settled'> {
  return {
    key: findFolder(context, 'recordings'),
    program: Uri.joinPath(context.extensionUri, 'dist', 'cli.js').fsPath,
  };
}

function findFolder({ storageUri, globalStorageUri }: ExtensionContext, name: string): string {
  return Uri.joinPath(storageUri ?? globalStorageUri, name).fsPath;
}

function nameProducer({ extension }: ExtensionContext): string {
  const version = readFields(extension.packageJSON)?.get('version');
  return typeof version === 'string' ? `parley ${version}` : 'parley';
}

async function readRange(uri: Uri, start: number, end: number): Promise<Uint8Array> {
  const file = await openRegularFile(uri.fsPath);
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
