import { Range, Uri, window, workspace } from 'vscode';
import { showWarning } from '../messages.ts';
import { readCall } from './arguments.ts';
import type { Command } from './command.ts';

const GONE = 'This call is no longer kept. Send its request again to see it.';

/** Shows a call on the timeline, with what was on the wire. */
export const openCall: Command = ({ timeline }, [target]) => {
  const call = readCall(target);
  if (call === undefined || !timeline.show(call)) showWarning(GONE, new Map());
};

/** Shows the request of a call where it stands in its file. */
export const openSource: Command = async ({ traces }, [target]) => {
  const source = traces.findCall(readCall(target) ?? '')?.node.call.source;
  if (!source) {
    showWarning(GONE, new Map());
    return;
  }
  const document = await workspace.openTextDocument(Uri.parse(source.uri, true));
  const line = Math.min(source.line, document.lineCount - 1);
  await window.showTextDocument(document, { selection: new Range(line, 0, line, 0) });
};

/** Forgets all traces of this window. */
export const clearTraces: Command = ({ traces }) => traces.clear();
