import { commands, type ExtensionContext } from 'vscode';
import type { DisposableStore } from '../base/dispose.ts';
import type { ReadRange } from '../base/read-file.ts';
import { describeError } from '../base/log.ts';
import type { DialectChoices } from '../language-client/dialect-choices.ts';
import type { Calling } from '../sending/calling.ts';
import type { StoredCalls } from '../forms/stored-calls.ts';
import type { ComposeTarget } from '../services/compose-target.ts';
import type { MediaFiles } from '../media/media-files.ts';
import type { BridgeService } from '../services/bridge-service.ts';
import type { RecordingService } from '../services/recording-service.ts';
import type { TelemetryService } from '../services/telemetry-service.ts';
import type { TracePins } from '../trace/trace-pins.ts';
import type { OpenTraceFile } from '../trace/trace-reader.ts';
import type { TraceSource } from '../trace/trace-source.ts';
import { showError } from '../window/messages.ts';
import type { Manifest } from './manifest.ts';

/** What several features use. A feature creates everything else itself. */
export interface Shared extends Calling {
  readonly context: ExtensionContext;
  readonly dialects: DialectChoices;
  /** Undefined in a browser, as all that follow. */
  readonly recordings: RecordingService | undefined;
  readonly bridges: BridgeService | undefined;
  readonly telemetry: TelemetryService | undefined;
  /** Reads a part of a local file. */
  readonly readRange: ReadRange | undefined;
  /** Reads a local trace file of any size. */
  readonly openTraceFile: OpenTraceFile | undefined;
  /** The agent that the Compose view sends to. */
  readonly compose: ComposeTarget;
  readonly storedCalls: StoredCalls;
  readonly media: MediaFiles;
  /** The traces of this window, for views. */
  readonly source: TraceSource;
  readonly pins: TracePins;
}

/** Registers the commands, views and everything else of a feature. Called once, when the extension is activated. */
export type ActivateFeature = (shared: Shared, store: DisposableStore) => void;

/**
 * The implementation of a command, with what its feature shares. Arguments can come from anywhere (a lens, a menu, another
 * extension), so each command must validate its own.
 */
export type Command<Parts = Shared> = (parts: Parts, args: readonly unknown[]) => unknown;

/** Registers the commands of a manifest by their names, all of them and no others. */
export function registerCommands<Contributed extends Manifest, Parts extends Pick<Shared, 'log'>>(
  store: DisposableStore,
  parts: Parts,
  implementations: Readonly<Record<Contributed['commands'][number]['name'], Command<Parts>>>,
): void {
  for (const [name, command] of Object.entries<Command<Parts>>(implementations)) {
    const id = `parley.${name}`;
    store.add(commands.registerCommand(id, (...args: unknown[]) => runGuarded(id, command, parts, args)));
  }
}

/** An exception of a command is a bug: it is logged completely, and the user sees one sentence. */
async function runGuarded<Parts extends Pick<Shared, 'log'>>(
  name: string,
  command: Command<Parts>,
  parts: Parts,
  args: readonly unknown[],
): Promise<unknown> {
  try {
    return await command(parts, args);
  } catch (error) {
    parts.log.error(`${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return showError(`The command ${name} failed: ${describeError(error)}`);
  }
}
