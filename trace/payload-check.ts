import type { HeadEvent, WireEvent } from '../core/events/events.ts';
import { sizeOf } from '../core/events/payload.ts';
import type { CallNode, Traffic } from './fold/tree.ts';

/** Why the stored payload of a call may be shorter than its traffic. */
export const WHY_LOST = 'its file was deleted, truncated or could not be written';

/** Compares the stored payload of a call with the number of bytes on its wire so far. */
export class PayloadCheck {
  #missing: number;

  /** Must be created before the payload is read, because more bytes may arrive meanwhile. */
  constructor({ bytesOut, bytesIn, bytesStderr }: Traffic) {
    this.#missing = bytesOut + bytesIn + bytesStderr;
  }

  /** Counts events that were read, in any order. */
  take(events: readonly (HeadEvent | WireEvent)[]): void {
    for (const event of events) if (event.type === 'wire') this.#missing -= sizeOf(event);
  }

  /** False while bytes are missing. */
  get isWhole(): boolean {
    return this.#missing <= 0;
  }
}

/** The part of a call's payload that could be read. */
interface CheckedPayload {
  readonly events: readonly (HeadEvent | WireEvent)[];
  readonly isWhole: boolean;
}

/** Reads the payload of a call, and checks that it is complete. */
export async function readChecked(
  { call, traffic }: CallNode,
  payload: (call: string) => Promise<readonly (HeadEvent | WireEvent)[]>,
): Promise<CheckedPayload> {
  const check = new PayloadCheck(traffic);
  const events = await payload(call.call);
  check.take(events);
  return { events, isWhole: check.isWhole };
}
