import { openAsTrace as openFileAsTrace, openTraceFile as pickTraceFile } from '../trace/trace-editors.ts';
import { findActivePlace, readUri } from './targets/arguments.ts';
import type { Command } from './command.ts';

/** Asks for a trace file and opens it on the timeline. */
export const openTraceFile: Command = () => pickTraceFile();

/** Opens a file on the timeline: that of the argument, else the one in front. */
export const openAsTrace: Command = async (_, [target]) => {
  const uri = readUri(target) ?? findActivePlace()?.uri;
  await (uri ? openFileAsTrace(uri) : pickTraceFile());
};

/** Asks for another trace of the file in front. */
export const pickTrace: Command = ({ traceEditors }) => traceEditors.pick();
