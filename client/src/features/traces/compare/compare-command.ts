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
  const { source, tracesView } = services;
  const named = readCall(other);
  // For a menu command of a row, VS Code passes the selected rows as the second argument.
  const [one, two, ...more] = tracesView.selection;
  const isMeant = target === undefined || [one, two].includes(readCall(target));
  const isPair = two !== undefined && more.length === 0 && named === undefined && isMeant;
  const first = isPair && one !== undefined ? { source, call: one } : findCallPlace(services, target);
  const second = isPair ? two : named;
  return compareFrom(services, first, second === undefined ? undefined : { source, call: second });
};

/** Compares the trace of a call with another one; without `other`, with one that is picked. */
export async function compareFrom(
  services: TracesParts,
  one: CallPlace | undefined,
  other?: CallPlace,
): Promise<string | undefined> {
  const found = one && findTrace(one);
  if (!one || !found)
    return showWarning('Select a trace in the Traces view, then compare it with another one.');
  const second = other && findTrace(other);
  const sources: readonly TraceSource[] = [
    ...new Set([one.source, services.source, ...services.traceEditors.sources]),
  ];
  return compare(found, second?.tree === found.tree ? undefined : second, sources, services.replies);
}

function findTrace({ source, call }: CallPlace): ComparedTrace | undefined {
  const tree = source.treeOf(call);
  return tree && { source, tree };
}
