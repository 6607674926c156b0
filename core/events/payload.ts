import { utf8Length } from '../text/utf8.ts';
import type { StoredBytes, WireEvent, HeadEvent } from './events.ts';
import { trimEndOf } from '../text/trim.ts';

/** The content of an event: decompressed if it was compressed, else the bytes themselves. */
export function payloadOf({ bytes, unpacked }: WireEvent): StoredBytes {
  return unpacked ?? bytes;
}

/** The payload of a call as a trace file stores it: without the content that reading adds to compressed bytes. */
export function toStored(payload: readonly (HeadEvent | WireEvent)[]): readonly (HeadEvent | WireEvent)[] {
  let before: number | undefined;
  return payload.flatMap((event): readonly (HeadEvent | WireEvent)[] => {
    const isContinued = event.seq !== undefined && event.seq === before;
    before = event.seq;
    if (isContinued) return [];
    if (event.type === 'head' || !event.unpacked || event.redacted || lengthOf(event.bytes) === 0)
      return [event];
    const { unpacked: _, ...stored } = event;
    return [stored];
  });
}

/** The number of stored characters in the payload of an event. */
export function storedLength({ bytes, unpacked }: WireEvent): number {
  return lengthOf(bytes) + (unpacked ? lengthOf(unpacked) : 0);
}

/** The number of stored bytes. A host with a faster way to count UTF-8 bytes passes `lengthOfText`. */
export function storedSize(stored: StoredBytes, lengthOfText: (text: string) => number = utf8Length): number {
  if ('text' in stored) return lengthOfText(stored.text);
  return Math.floor((trimEndOf(stored.base64, '=').length * 3) / 4);
}

function lengthOf(stored: StoredBytes): number {
  return 'text' in stored ? stored.text.length : stored.base64.length;
}

/** A part of the payload of a call, in order. A long payload is delivered in several pieces. */
export interface PayloadPiece {
  readonly call: string;
  readonly events: readonly (HeadEvent | WireEvent)[];
  /** True for the last piece of the call. */
  readonly isLast: boolean;
}

/** Reads the payloads of several calls, one after the other, each as one piece. */
export async function* readEach(
  calls: readonly string[],
  payload: (call: string) => Promise<readonly (HeadEvent | WireEvent)[]>,
): AsyncGenerator<PayloadPiece, void> {
  for (const call of calls) yield { call, events: await payload(call), isLast: true };
}
