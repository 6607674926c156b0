import { join } from 'node:path';
import { printCommandLine } from '../../../agents/src/stdio/command-line.ts';
import { followFile, type FollowedFile } from '../../../agents/src/store/follow-file.ts';
import type { TraceEvent } from '../../../protocol/src/trace/events.ts';
import { showWarning } from '../messages.ts';

/** Where recordings of processes are, and who makes them. */
export interface TapPlace {
  /** The folder of their files. */
  readonly folder: string;
  /** The command line's program. */
  readonly program: string;
  /** Our name with its version. */
  readonly producer: string;
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
 * Records a process where it is started: the tap of the command line writes what passes to a file of ours, and what comes to
 * the file goes to `emit`. Whoever starts the process may do so before or after this, and as often as it likes.
 */
export async function startTap(
  { folder, program, producer }: TapPlace,
  agent: { readonly name: string; readonly commandLine: string },
  emit: (event: TraceEvent) => void,
): Promise<StartedTap> {
  const file = join(folder, `${nameFile(agent.name)}.agenttrace.jsonl`);
  const followed: FollowedFile = await followFile(file, producer, {
    emit,
    onProblem: message =>
      showWarning(`The recording of ${agent.name} cannot be shown: ${message}.`, new Map()),
  });
  if (!followed.ok) return followed;
  const tap = printCommandLine('node', [program, 'record', '--name', agent.name, '--out', file, '--']);
  return { ok: true, tap: { commandLine: `${tap} ${agent.commandLine}`, stop: () => followed.stop() } };
}

/** An agent's name as the name of a file on every system, another one for each. */
function nameFile(name: string): string {
  return encodeURIComponent(name).replace(/[*.]/g, character => `%${character.charCodeAt(0).toString(16)}`);
}
