import { Range, Uri, window } from 'vscode';
import { countOf } from '../../../../../core/text/count.ts';
import { askInDialog, showWarning } from '../../../window/messages.ts';
import { pickFilter } from './filter-pick.ts';
import { findCallPlace } from '../call-place.ts';
import { openPayload, type PayloadSide } from '../timeline/open-payload.ts';
import { openSourceLine } from '../timeline/source-line.ts';
import { readCall } from '../../../targets/arguments.ts';
import { openOrWarn } from '../../../window/open-or-warn.ts';
import type { Command } from '../../feature.ts';
import type { TracesParts } from '../parts.ts';

const GONE = 'This call is no longer stored. Send its request again to see it.';

/** The argument of `parley.clearTraces` that skips the question. */
const UNASKED = 'unasked';

/** Shows a call on the timeline, with its payload. */
export const openCall: Command<TracesParts> = ({ timeline }, [target]) => {
  const call = readCall(target);
  if (call === undefined || !timeline.show(call)) showWarning(GONE);
};

/** Shows the request of a call in its file. */
export const openSource: Command<TracesParts> = async (services, [target]) => {
  const place = findCallPlace(services, target);
  const source = place?.source.find(place.call)?.call.source;
  if (place && place.source !== services.source) return openSourceLine(source);
  if (!source) return showWarning(GONE);
  const document = await openOrWarn(Uri.parse(source.uri, true));
  if (!document) return;
  const line = Math.min(source.line, document.lineCount - 1);
  await window.showTextDocument(document, { selection: new Range(line, 0, line, 0) });
};

/** Shows the request of a call as a read-only document in its language. */
export const openRequest: Command<TracesParts> = (services, [target]) =>
  openSide(services, target, 'request');

/** Shows the reply of a call as a read-only document in its language. */
export const openReply: Command<TracesParts> = (services, [target]) => openSide(services, target, 'reply');

function openSide(services: TracesParts, target: unknown, side: PayloadSide): Promise<void> | undefined {
  const place = findCallPlace(services, target);
  if (!place) return showWarning(GONE);
  // The document of a call of another window is not linked to it.
  const call = place.source === services.source ? place.call : undefined;
  return openPayload(place, services.replies, side, call);
}

/**
 * Deletes all traces that are not pinned, also on disk and of earlier windows. Asks first, because they
 * cannot be restored.
 */
export const clearTraces: Command<TracesParts> = async ({ traces, source, pins }, [manner]) => {
  await traces.load();
  const trees = source.trees();
  if (manner === UNASKED || trees.length === 0) {
    traces.clear();
    return;
  }
  const pinned = pins.tracesOf(source);
  const others = trees.filter(({ trace }) => !pinned.has(trace));
  if (others.length === 0)
    return showWarning('All traces are pinned. Unpin what you no longer need, or delete it.');
  const stay = trees.length - others.length;
  const detail = `This also deletes the recorded requests and replies.${stay === 0 ? '' : ` ${stay === 1 ? 'The pinned one stays.' : `The ${stay} pinned ones stay.`}`}`;
  const question = `Clear ${countOf(others.length, 'trace')}?`;
  if ((await askInDialog(question, detail, 'Clear')) !== 'Clear') return;
  traces.clear();
};

/** Deletes the traces of rows: of all selected ones if the clicked row is selected. */
export const deleteTrace: Command<TracesParts> = (
  { traces, tracesView, source, pins },
  [target, selected],
) => {
  for (const call of readCalls(tracesView, target, selected)) {
    pins.unpin(call, source);
    traces.delete(call);
  }
};

/** Pins the traces of rows at the top. */
export const pinTrace: Command<TracesParts> = ({ tracesView, pins }, [target, selected]) => {
  for (const call of readCalls(tracesView, target, selected)) pins.pin(call);
};

/** Unpins the traces of rows. */
export const unpinTrace: Command<TracesParts> = ({ tracesView, source, pins }, [target, selected]) => {
  for (const call of readCalls(tracesView, target, selected)) pins.unpin(call, source);
};

/** Asks for a filter of the Traces view. */
export const filterTraces: Command<TracesParts> = async ({ tracesView, source }) => {
  const filter = await pickFilter(source, tracesView.filter);
  if (filter !== undefined) tracesView.filter = filter;
};

export const clearTraceFilter: Command<TracesParts> = ({ tracesView }) => {
  tracesView.filter = '';
};

/** Pauses the Traces view. New events are still stored. */
export const pauseTraces: Command<TracesParts> = ({ tracesView }) => tracesView.pause();

export const resumeTraces: Command<TracesParts> = ({ tracesView }) => tracesView.resume();

/** The calls of rows: of all selected rows, of the clicked row, or of the view's selection if there is no argument. */
function readCalls(
  { selection }: TracesParts['tracesView'],
  target: unknown,
  selected: unknown,
): readonly string[] {
  if (Array.isArray(selected)) return selected.flatMap(row => readCall(row) ?? []);
  const call = readCall(target);
  return call === undefined ? selection : [call];
}
