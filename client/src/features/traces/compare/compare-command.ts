import { compareTraces as compare, type ComparedTrace } from './compare-traces.ts';
import { showWarning } from '../../../window/messages.ts';
import type { CallPlace, TraceSource } from '../../../trace/trace-source.ts';
import { readCall } from '../../../targets/arguments.ts';
import { findCallPlace } from '../call-place.ts';
import type { Command } from '../../feature.ts';
import type { TracesParts } from '../parts.ts';

/**
 * Compares two traces and returns the differences: the two selected in the Traces view, or the trace of a
 * row, a call or the trace file in front with one that is picked.
 */
export const compareTraces: Command<TracesParts> = (services, [target, other]) => {
  const { source, tracesView, traceEditors } = services;
  const place = findCallPlace(services, target);
  const named = readCall(other);
  // For a menu command of a row, VS Code passes the selected rows as the second argument.
  const [one, two, ...more] = tracesView.selection;
  const isSelected = place?.source === source && [one, two].includes(place.call);
  const isPair =
    two !== undefined && more.length === 0 && named === undefined && (target === undefined || isSelected);
  const first = isPair && one !== undefined ? { source, call: one } : place;
  const second = isPair ? two : named;
  const found = first && findTrace(first);
  if (!found) return showWarning('Select a trace in the Traces view, then compare it with another one.');
  const compared = second === undefined ? undefined : findTrace({ source, call: second });
  const sources = [...new Set<TraceSource>([first.source, source, ...traceEditors.sources])];
  return compare(found, compared?.tree === found.tree ? undefined : compared, sources, services.replies);
};

function findTrace({ source, call }: CallPlace): ComparedTrace | undefined {
  const tree = source.treeOf(call);
  return tree && { source, tree };
}
