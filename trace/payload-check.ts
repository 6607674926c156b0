import type { HeadEvent, WireEvent } from '../core/events/events.ts';
import { sizeOf } from '../core/events/marks.ts';
import type { CallNode, Traffic } from './fold/tree.ts';

/** Why less may be read of a call than went over its wire. */
export const WHY_LOST = 'the file that held it is gone, was cut or could not be written';

/** Holds what is read of a call against the bytes that went over its wire until now. */
export class PayloadCheck {
  #missing: number;

  /** Begun before the call is read: more may come meanwhile. */
  constructor({ bytesOut, bytesIn, bytesStderr }: Traffic) {
    this.#missing = bytesOut + bytesIn + bytesStderr;
  }

  /** Takes what was read, in any order. */
  take(events: readonly (HeadEvent | WireEvent)[]): void {
    for (const event of events) if (event.type === 'wire') this.#missing -= sizeOf(event);
  }

  /** False while something is missing. */
  get isWhole(): boolean {
    return this.#missing <= 0;
  }
}

/** What could be read of a call. */
interface CheckedPayload {
  readonly events: readonly (HeadEvent | WireEvent)[];
  readonly isWhole: boolean;
}

/** Reads what was on the wire of a call, and whether that is all of it. */
export async function readChecked(
  { call, traffic }: CallNode,
  payload: (call: string) => Promise<readonly (HeadEvent | WireEvent)[]>,
): Promise<CheckedPayload> {
  const check = new PayloadCheck(traffic);
  const events = await payload(call.call);
  check.take(events);
  return { events, isWhole: check.isWhole };
}
