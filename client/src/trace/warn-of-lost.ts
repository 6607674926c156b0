import type { LostPayloads } from '../../../trace/export/lost-payloads.ts';
import { showWarning } from '../messages.ts';

/** Tells the user after work on many calls of which of them not all was read. */
export function warnOfLost(...sources: readonly LostPayloads[]): void {
  for (const { notes } of sources) for (const note of notes) showWarning(`${note}.`, new Map());
}
