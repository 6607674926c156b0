import type { CallReader } from '../../../trace/graph/whole-calls.ts';
import type { TraceCall, TraceModel } from './model.ts';

/** Reads the calls of a model; open ones last until now. */
export function readerOf(model: TraceModel): CallReader<TraceCall> {
  return {
    state: call => call.state,
    until: call => model.endOf(call),
    children: call => call.children,
  };
}

/** The call that is drawn for one: itself, or the one of which it is another side. */
export function drawnFor(call: TraceCall): TraceCall {
  let at = call;
  while (at.state.isView && at.parent) at = at.parent;
  return at;
}
