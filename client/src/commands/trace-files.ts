import { openAsTrace as openFileAsTrace, openTraceFile as pickTraceFile } from '../trace/trace-editors.ts';
import { findActivePlace, readUri } from './arguments.ts';
import type { Command } from './command.ts';

/** Has a file picked that holds traces, and opens it on the timeline. */
export const openTraceFile: Command = () => pickTraceFile();

/** Opens a file on the timeline: the one that was asked for, else the one in front. */
export const openAsTrace: Command = async (_, [target]) => {
  const uri = readUri(target) ?? findActivePlace()?.uri;
  await (uri ? openFileAsTrace(uri) : pickTraceFile());
};

/** Has another trace of the file in front picked. */
export const pickTrace: Command = ({ traceEditors }) => traceEditors.pick();
