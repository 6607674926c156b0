import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { showBytes } from '../../../tensor/size-words.ts';
import type { HeadEvent, WireEvent } from '../../../core/events/events.ts';
import type { ReplyParts } from '../../../protocols/reply-parts/part.ts';
import { PartsReader } from '../../../protocols/reply-parts/parts-reader.ts';
import { PayloadLimiter, type PayloadLimits } from '../../../trace/payload-limiter.ts';
import type { CallNode } from '../../../trace/fold/tree.ts';
import { runInSlices, SliceTurns } from '../../../core/text/slices.ts';
import { EXTENSION_HOST } from '../base/slices.ts';
import type { TraceSource } from './trace-source.ts';

/** The maximum number of open calls whose reading state is stored. */
const MAX_RETAINED = 8;

/**
 * The pause after reading a call, as a multiple of the time that it took, because growing streams are
 * requested continuously.
 */
const REST = 5;

/** The maximum amount of a call that is read for its parts. */
export const PARTS_LIMITS: PayloadLimits = { characters: 2 ** 26, events: Infinity, of: 'call' };

/** The reading state of a call. */
interface Reading {
  readonly reader: PartsReader;
  count: number;
  last: HeadEvent | WireEvent | undefined;
  /** The earliest time of the next reading, on the clock of this process. */
  restsUntil: number;
}

/** True for a call whose reply may have parts. They are read on demand. */
export function mayHaveParts({ call, traffic }: CallNode): boolean {
  return traffic.bytesIn > 0 && call.protocol !== 'other';
}

/** Reads the parts of replies on demand; for an open call, only new events are read. */
export class CallParts {
  readonly #source: Pick<TraceSource, 'find' | 'payload'>;
  readonly #readings = new Map<string, Reading>();
  #queue: Promise<unknown> = Promise.resolve();

  constructor(source: Pick<TraceSource, 'find' | 'payload'>) {
    this.#source = source;
  }

  /** The current parts of a call; empty if it is not stored. Calls are read one after the other, with pauses. */
  async read(call: string): Promise<ReplyParts> {
    const rest = (this.#readings.get(call)?.restsUntil ?? 0) - performance.now();
    if (rest > 0) await new Promise(resolve => setTimeout(resolve, rest));
    const read = this.#queue.then(() => this.#read(call));
    this.#queue = read.catch(() => undefined);
    return read;
  }

  async #read(call: string): Promise<ReplyParts> {
    const limiter = new PayloadLimiter(PARTS_LIMITS);
    const payload = await this.#source.payload(call, limiter);
    const node = this.#source.find(call);
    if (!node) return { parts: [], notes: [] };
    const { status } = node;
    const begun = performance.now();
    const reading = await this.#readOn(call, node, payload);
    if (status !== 'open') {
      await runInSlices(reading.reader.endSteps(), EXTENSION_HOST);
      this.#readings.delete(call);
    }
    const { parts, notes } = reading.reader.list();
    const leftOut = limiter.leftOutOf('in');
    const ended = performance.now();
    reading.restsUntil = ended + (ended - begun) * REST;
    if (leftOut === 0) return { parts, notes };
    return {
      parts,
      notes: [...notes, `The reply is long: its last ${showBytes(leftOut)} were not read for its parts`],
    };
  }

  async #readOn(call: string, node: CallNode, payload: readonly (HeadEvent | WireEvent)[]): Promise<Reading> {
    const known = this.#readings.get(call);
    const isSame = known !== undefined && isSameEvent(payload[known.count - 1], known.last);
    const reading = isSame
      ? known
      : {
          reader: new PartsReader(ALL_PROTOCOLS.find(node.call.protocol)),
          count: 0,
          last: undefined,
          restsUntil: 0,
        };
    const turns = new SliceTurns(EXTENSION_HOST);
    for (const event of payload.slice(reading.count)) {
      reading.reader.push(event);
      if (turns.isDue) await turns.yield();
    }
    reading.count = payload.length;
    reading.last = payload.at(-1);
    this.#readings.delete(call);
    this.#readings.set(call, reading);
    const [oldest] = this.#readings.keys();
    if (this.#readings.size > MAX_RETAINED && oldest !== undefined) this.#readings.delete(oldest);
    return reading;
  }
}

/** Compares by value, because events that are read from a file are new objects each time. */
function isSameEvent(
  one: HeadEvent | WireEvent | undefined,
  other: HeadEvent | WireEvent | undefined,
): boolean {
  return one?.type === other?.type && one?.at === other?.at && one?.seq === other?.seq;
}
