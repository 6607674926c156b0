import type { HeadEvent, WireEvent } from './events.ts';

/** Some of what was on the wire of a call, in order. A long payload comes in more than one piece. */
export interface PayloadPiece {
  readonly call: string;
  readonly events: readonly (HeadEvent | WireEvent)[];
  /** True for the last piece of the call. */
  readonly isLast: boolean;
}

/** What was on the wire of calls, one after the other. */
export async function* readEach(
  calls: readonly string[],
  payload: (call: string) => Promise<readonly (HeadEvent | WireEvent)[]>,
): AsyncGenerator<PayloadPiece, void> {
  for (const call of calls) yield { call, events: await payload(call), isLast: true };
}
