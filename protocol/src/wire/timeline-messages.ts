import type { TraceEvent } from '../trace/events.ts';
import { hasShape, isRecord } from './guard.ts';

/** The extension to the timeline view: everything there is to show. Answers `ready`, and comes again for another trace. */
export interface ShowTrace {
  readonly type: 'show';
  readonly trace: string;
  readonly events: readonly TraceEvent[];
  /** The call to select, by its id. */
  readonly selected: string;
}

/** The extension to the timeline view: events of the trace shown, in order, after all those sent before. */
export interface AddEvents {
  readonly type: 'add';
  readonly trace: string;
  readonly events: readonly TraceEvent[];
}

/** The extension to the timeline view: the traces were cleared. */
export interface ClearTrace {
  readonly type: 'clear';
}

export type ToTimeline = ShowTrace | AddEvents | ClearTrace;

/** The timeline view to the extension: its script runs and waits for `show`. */
export interface TimelineReady {
  readonly type: 'ready';
}

/** The timeline view to the extension: the user selected a call. */
export interface CallSelected {
  readonly type: 'selected';
  readonly call: string;
}

/** The timeline view to the extension: show where the call's request stands. */
export interface OpenSource {
  readonly type: 'openSource';
  readonly call: string;
}

export type FromTimeline = TimelineReady | CallSelected | OpenSource;

/** Guards what arrives in the view. The events were guarded where they entered the extension. */
export function isToTimeline(value: unknown): value is ToTimeline {
  if (!isRecord(value)) return false;
  switch (value['type']) {
    case 'show':
      return hasShape(value, { trace: 'string', selected: 'string' }) && hasEvents(value);
    case 'add':
      return hasShape(value, { trace: 'string' }) && hasEvents(value);
    default:
      return value['type'] === 'clear';
  }
}

/** Guards what arrives from the view. */
export function isFromTimeline(value: unknown): value is FromTimeline {
  if (!isRecord(value)) return false;
  const type = value['type'];
  return (
    type === 'ready' || ((type === 'selected' || type === 'openSource') && typeof value['call'] === 'string')
  );
}

function hasEvents(value: Readonly<Record<string, unknown>>): boolean {
  const events = value['events'];
  return (
    Array.isArray(events) &&
    events.every(event => hasShape(event, { type: 'string', call: 'string', at: 'number' }))
  );
}
