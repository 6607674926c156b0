import type { LostPayloads } from '../../../trace/export/lost-payloads.ts';
import { showWarning } from '../window/messages.ts';

/** Warns after work on many calls about those that were not read completely. */
export function warnOfLost(...sources: readonly LostPayloads[]): void {
  for (const { notes } of sources) for (const note of notes) showWarning(`${note}.`);
}
