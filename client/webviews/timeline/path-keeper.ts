import { findCriticalPath, type PathSegment } from '../../../trace/graph/critical-path.ts';
import type { CriticalPath, TraceCall, TraceModel } from './model.ts';

/** With more calls than this, work on all of them waits until the trace is quiet for a moment. */
const MANY = 3000;
const QUIET_MS = 250;

/** Finds the critical path of a trace: at once where its calls are few, else when nothing came for a moment. */
export class PathKeeper {
  readonly #onFound: (path: CriticalPath) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(onFound: (path: CriticalPath) => void) {
    this.#onFound = onFound;
  }

  /** The trace changed. */
  follow(model: TraceModel): void {
    clearTimeout(this.#timer);
    if (model.size <= MANY) this.#onFound(findPath(model));
    else this.#timer = setTimeout(() => this.#onFound(findPath(model)), QUIET_MS);
  }
}

function findPath(model: TraceModel): CriticalPath {
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
