import type { ReportPayload } from '../../../../wire/timeline-messages.ts';
import type { TraceCall } from '../model.ts';

/** The data of a call that is not in its state, as far as it has arrived. */
export type Payload = Pick<ReportPayload, 'names' | 'session' | 'attributes' | 'events' | 'leftOut' | 'own'>;

/** The number of events to leave out of the next request: while a call streams, only the new ones are requested. */
export function countKnown({ state }: TraceCall, known: Payload | undefined): number {
  // Numbered events may arrive out of order, so after the end all of them are requested once more.
  return state.status === 'open' && known?.leftOut === 0 ? known.events.length : 0;
}

/** Joins an answer with the last one. Returns undefined if it does not continue the stored events. */
export function joinPayload(reported: ReportPayload, known: Payload | undefined): Payload | undefined {
  const events = known?.events ?? [];
  if (reported.from > events.length) return undefined;
  return { ...reported, events: [...events.slice(0, reported.from), ...reported.events] };
}
