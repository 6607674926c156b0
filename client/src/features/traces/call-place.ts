import { isRecord } from '../../../../core/guard.ts';
import type { CallPlace } from '../../trace/trace-source.ts';
import { readCall } from '../../targets/arguments.ts';
import type { TracesParts } from './parts.ts';

/**
 * The call for a command: the one of a timeline, of a row or an id, else the selected one of the trace file
 * in front, else of the Traces view, else the first call of the newest trace. Returns undefined if there is
 * no call.
 */
export function findCallPlace(
  { source, traceEditors, tracesView }: TracesParts,
  target: unknown,
): CallPlace | undefined {
  const named = readCall(target);
  if (named !== undefined) {
    const file = traceEditors.sources.find(each => isRecord(target) && each === target['source']);
    return { source: file ?? source, call: named };
  }
  const call = tracesView.selection[0] ?? source.trees()[0]?.roots[0]?.call.call;
  return traceEditors.front ?? (call === undefined ? undefined : { source, call });
}
