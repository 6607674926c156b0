import { printCommandLine } from '../../../agents/stdio/command-line.ts';
import { listenLive } from '../../../agents/proxy/live-listener.ts';
import { findLivePlace } from '../../../agents/proxy/live-place.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import { showWarning } from '../messages.ts';

/** Who records processes, and for whom. */
export interface TapPlace {
  /** What tells the recordings of this workspace from those of another one. */
  readonly key: string;
  /** The command line's program. */
  readonly program: string;
  /** Resolves once all that was told until now is kept. */
  readonly settled: () => Promise<void>;
}

/** A recording of a process that another program starts. */
interface ProcessTap {
  /** The command line that starts the process recorded. */
  readonly commandLine: string;
  stop(): Promise<void>;
}

type StartedTap =
  { readonly ok: true; readonly tap: ProcessTap } | { readonly ok: false; readonly message: string };

/**
 * Records a process where it is started: the tap of the command line tells what passes at a local socket of this window, from
 * where it goes to `emit`. Whoever starts the process may do so before or after this, and as often as it likes.
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
    onProblem: message => showWarning(`A recording of ${agent.name} cannot be shown: ${message}.`, new Map()),
  });
  if (!listening.ok) return listening;
  const words = [program, 'record', '--name', agent.name, '--live', place.path, '--'];
  const commandLine = `${printCommandLine('node', words)} ${agent.commandLine}`;
  return { ok: true, tap: { commandLine, stop: () => listening.close() } };
}
