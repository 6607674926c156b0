import type { Services } from '../services.ts';
import type { CallPlace } from '../trace/trace-source.ts';
import { readCall } from './arguments.ts';

/**
 * The call that a command is about: the one of a row or an id, else the one that is selected in the trace file in front, else in
 * the Traces view, else the first of the newest trace. Undefined where there is no call.
 */
export function findCallPlace(
  { source, traceEditors, tracesView }: Services,
  target: unknown,
): CallPlace | undefined {
  const named = readCall(target);
  if (named !== undefined) return { source, call: named };
  const call = tracesView.selection[0] ?? source.trees()[0]?.roots[0]?.call.call;
  return traceEditors.front ?? (call === undefined ? undefined : { source, call });
}
