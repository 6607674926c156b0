import type { CallReader } from '../../../trace/graph/whole-calls.ts';
import type { TraceCall, TraceModel } from './model.ts';

/** Reads the calls of a model. Open calls last until now. */
export function readerOf(model: TraceModel): CallReader<TraceCall> {
  return {
    state: call => call.state,
    until: call => model.endOf(call),
    children: call => call.children,
  };
}

/** The call that is drawn for another one: itself, or the call whose other side it is. */
export function drawnFor(call: TraceCall): TraceCall {
  let at = call;
  while (at.state.isView && at.parent) at = at.parent;
  return at;
}
