import { printCommandLine } from '../../../agents/stdio/command-line.ts';
import { listenLive, findLivePlace } from '../../../agents/proxy/live/live-listener.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import { showWarning } from '../window/messages.ts';

/** The context of the process recordings of a workspace. */
export interface TapPlace {
  /** Distinguishes the recordings of this workspace from those of others. */
  readonly key: string;
  /** The path of the command line program. */
  readonly program: string;
  /** Resolves once all events so far are stored. */
  readonly settled: () => Promise<void>;
}

/** A recording of a process that another program starts. */
interface ProcessTap {
  /** The command line that starts the recorded process. */
  readonly commandLine: string;
  stop(): Promise<void>;
}

type StartedTap =
  | { readonly ok: true; readonly tap: ProcessTap }
  | { readonly ok: false; readonly message: string };

/**
 * Records a process that another program starts. The `record` command of the command line sends the traffic
 * to a local socket of this window, from which it goes to `emit`. The process can be started before or after
 * this call, and repeatedly.
 */
export async function startTap(
  { key, program, settled }: TapPlace,
  agent: { readonly name: string; readonly commandLine: string },
  emit: (event: TraceEvent) => void,
): Promise<StartedTap> {
  const place = await findLivePlace(JSON.stringify([key, agent.name]));
  if (!place.ok) return place;
  const listening = await listenLive(place.path, {
    emit,
    settled,
    onProblem: message => showWarning(`A recording of ${agent.name} cannot be shown: ${message}.`),
  });
  if (!listening.ok) return listening;
  const words = [program, 'record', '--name', agent.name, '--live', place.path, '--'];
  const commandLine = `${printCommandLine('node', words)} ${agent.commandLine}`;
  return { ok: true, tap: { commandLine, stop: () => listening.close() } };
}
