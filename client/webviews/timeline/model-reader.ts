import type { CallReader } from '../../../trace/graph/whole-calls.ts';
import { findCriticalPath, type PathSegment } from '../../../trace/graph/critical-path.ts';
import type { CriticalPath, TraceCall, TraceModel } from './model.ts';

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

/** Finds the critical path of a trace, grouped by call. */
export function findPath(model: TraceModel): CriticalPath {
  const path = findCriticalPath<TraceCall>(model.roots, {
    at: call => call.state.at,
    until: call => model.endOf(call),
    children: call => call.children,
  });
  const segments = new Map<TraceCall, PathSegment<TraceCall>[]>();
  for (const segment of path) {
    const known = segments.get(segment.call);
    if (known) known.push(segment);
    else segments.set(segment.call, [segment]);
  }
  return segments;
}
