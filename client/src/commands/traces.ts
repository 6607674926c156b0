import { Range, Uri, window } from 'vscode';
import { countOf } from '../../../core/text/count.ts';
import { askInDialog, showWarning } from '../messages.ts';
import type { Services } from '../services.ts';
import { pickFilter } from '../trace/filter-pick.ts';
import { openPayload } from '../trace/open-payload.ts';
import { readCall } from './arguments.ts';
import type { Command } from './command.ts';
import { openOrWarn } from './open-or-warn.ts';

const GONE = 'This call is no longer kept. Send its request again to see it.';

/** Given to `parley.clearTraces` by who clears without a question. */
const UNASKED = 'unasked';

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
  const document = await openOrWarn(Uri.parse(source.uri, true));
  if (!document) return;
  const line = Math.min(source.line, document.lineCount - 1);
  await window.showTextDocument(document, { selection: new Range(line, 0, line, 0) });
};

/** Shows what a call sent, as a read-only document in its language. */
export const openRequest: Command = ({ source, replies }, [target]) =>
  openPayload(source, replies, readCall(target) ?? '', 'request');

/** Shows what came back of a call, as a read-only document in its language. */
export const openReply: Command = ({ source, replies }, [target]) =>
  openPayload(source, replies, readCall(target) ?? '', 'reply');

/**
 * Forgets all traces but for those that are pinned, also on disk, and also those of earlier windows that are not in sight. Asks,
 * for what is gone cannot be had again.
 */
export const clearTraces: Command = async ({ traces, source, pins }, [manner]) => {
  await traces.load();
  const trees = source.trees();
  if (manner === UNASKED || trees.length === 0) {
    traces.clear();
    return;
  }
  const pinned = pins.tracesOf(source);
  const others = trees.filter(({ trace }) => !pinned.has(trace));
  if (others.length === 0) {
    showWarning('All traces are pinned. Unpin what you no longer need, or delete it.', new Map());
    return;
  }
  const stay = trees.length - others.length;
  const detail = `What was on the wire is deleted with them.${stay === 0 ? '' : ` ${stay === 1 ? 'The pinned one stays.' : `The ${stay} pinned ones stay.`}`}`;
  const question = `Clear ${countOf(others.length, 'trace')}?`;
  if ((await askInDialog(question, detail, 'Clear')) !== 'Clear') return;
  traces.clear();
};

/** Forgets the traces of rows: those that are selected, where the row that was asked for is one of them. */
export const deleteTrace: Command = ({ traces, tracesView, source, pins }, [target, selected]) => {
  for (const call of readCalls(tracesView, target, selected)) {
    pins.unpin(call, source);
    traces.delete(call);
  }
};

/** Keeps the traces of rows, on top of the others. */
export const pinTrace: Command = ({ tracesView, pins }, [target, selected]) => {
  for (const call of readCalls(tracesView, target, selected)) pins.pin(call);
};

/** Lets the traces of rows go with the others. */
export const unpinTrace: Command = ({ tracesView, source, pins }, [target, selected]) => {
  for (const call of readCalls(tracesView, target, selected)) pins.unpin(call, source);
};

/** Has a filter of the Traces view typed or picked. */
export const filterTraces: Command = async ({ tracesView, source }) => {
  const filter = await pickFilter(source, tracesView.filter);
  if (filter !== undefined) tracesView.filter = filter;
};

/** Shows all traces again. */
export const clearTraceFilter: Command = ({ tracesView }) => {
  tracesView.filter = '';
};

/** Freezes the Traces view. What comes is kept all the same. */
export const pauseTraces: Command = ({ tracesView }) => tracesView.pause();

/** Lets the Traces view go on. */
export const resumeTraces: Command = ({ tracesView }) => tracesView.resume();

/** Calls of rows: of all that are selected, of the one that was asked for, or of the view's selection without one. */
function readCalls(
  { selection }: Services['tracesView'],
  target: unknown,
  selected: unknown,
): readonly string[] {
  if (Array.isArray(selected)) return selected.flatMap(row => readCall(row) ?? []);
  const call = readCall(target);
  return call === undefined ? selection : [call];
}
