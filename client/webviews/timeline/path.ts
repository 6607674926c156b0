import { findCriticalPath, type PathSegment } from '../../../trace/graph/critical-path.ts';
import type { CriticalPath, TraceCall, TraceModel } from './model.ts';

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
