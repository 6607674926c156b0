import type { CommandGroup } from './command.ts';
import { diffFiles } from './trace-diff.ts';
import { exportTraces } from './trace-export.ts';
import { replayFile } from './trace-replay.ts';
import { showTraces } from './trace-show.ts';

/** `parley trace`: commands for recorded traces. */
export const trace: CommandGroup = {
  name: 'trace',
  usage: 'WORD…',
  summary: 'Shows, exports, compares and replays the traces of a file.',
  commands: [showTraces, exportTraces, diffFiles, replayFile],
};
