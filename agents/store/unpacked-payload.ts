import { readBytes } from '../../core/events/bytes.ts';
import type { HeadEvent, WireEvent } from '../../core/events/events.ts';
import { listPackings } from '../../core/events/headers.ts';
import { bodyKey } from '../../core/events/payload.ts';
import { fitPayload, type PayloadLimiter } from '../../trace/payload-limiter.ts';
import { keepBytes } from '../stored-bytes.ts';
import { Unpacker } from '../unpack.ts';

type PayloadEvent = HeadEvent | WireEvent;

/** A compressed body while it is read. */
interface PackedBody {
  readonly unpacker: Unpacker;
  hasContent: boolean;
}

/**
 * Decompresses the bodies of one call while its payload is read: trace files have only the bytes of a compressed
 * body. The events of the call are passed in order.
 */
class UnpackedPayload {
  readonly #bodies = new Map<string, PackedBody>();

  /** The event with `unpacked`, where its bytes are compressed. More than 1 MiB continues in events without bytes. */
  async *read(event: PayloadEvent): AsyncGenerator<PayloadEvent, void> {
    const key = bodyKey(event.direction, event.exchange);
    const body = this.#bodies.get(key);
    if (event.type === 'head') {
      const packings = listPackings(event.headers);
      const unpacker = packings.length === 0 ? undefined : Unpacker.open(packings);
      this.#close(key);
      if (unpacker) this.#bodies.set(key, { unpacker, hasContent: false });
      yield event;
    } else if (!body) yield event;
    else if (event.unpacked || event.redacted) {
      // The call contains a secret: from here on, its content is stored instead of its bytes.
      this.#close(key);
      yield event;
    } else yield* unpack(event, body);
  }

  /** No more events are read. */
  close(): void {
    for (const key of this.#bodies.keys()) this.#close(key);
  }

  #close(key: string): void {
    this.#bodies.get(key)?.unpacker.close();
    this.#bodies.delete(key);
  }
}

/** The events of one call, in order, each with its content where its bytes are compressed. */
export async function* unpackAll(
  events: Iterable<PayloadEvent> | AsyncIterable<PayloadEvent>,
): AsyncGenerator<PayloadEvent, void> {
  const payload = new UnpackedPayload();
  try {
    for await (const event of events) yield* payload.read(event);
  } finally {
    payload.close();
  }
}

/** The payload of a call, in order and with the content of compressed bytes, as far as `limiter` allows. */
export async function readUnpacked(
  events: Iterable<PayloadEvent> | AsyncIterable<PayloadEvent>,
  limiter?: PayloadLimiter,
): Promise<readonly PayloadEvent[]> {
  const read: PayloadEvent[] = [];
  for await (const event of unpackAll(events)) read.push(...fitPayload([event], limiter));
  return read;
}

async function* unpack(event: WireEvent, body: PackedBody): AsyncGenerator<WireEvent, void> {
  let { bytes } = event;
  for await (const content of body.unpacker.push(readBytes(bytes))) {
    yield { ...event, bytes, unpacked: keepBytes(content) };
    body.hasContent = true;
    bytes = { text: '' };
  }
  if (bytes !== event.bytes) return;
  // Bytes that were never compressed, or cannot be decompressed, are shown as they are.
  const isUnread = body.unpacker.fault !== undefined && !body.hasContent;
  yield isUnread ? event : { ...event, unpacked: { text: '' } };
}
