import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { showBytes } from '../../../tensor/size-words.ts';
import type { HeadEvent, WireEvent } from '../../../core/events/events.ts';
import type { ReplyParts } from '../../../protocols/reply-parts/part.ts';
import { PartsReader } from '../../../protocols/reply-parts/parts-reader.ts';
import { PayloadRoom, type RoomLimits } from '../../../trace/payload-room.ts';
import type { CallNode } from '../../../trace/fold/tree.ts';
import { runInSlices, SliceTurns } from '../../../core/text/slices.ts';
import { EXTENSION_HOST } from '../slices.ts';
import type { TraceSource } from './trace-source.ts';

/** So many calls that are open are read on from where they were read to. */
const MOST_KEPT = 8;

/** How many times as long as the last reading of a call took, it is left alone: a stream that goes on is asked for all the time. */
const REST = 5;

/** So much of a call is read for its parts. */
export const PARTS_ROOM: RoomLimits = { characters: 2 ** 26, events: Infinity, of: 'call' };

/** How far a call was read. */
interface Reading {
  readonly reader: PartsReader;
  count: number;
  last: HeadEvent | WireEvent | undefined;
  /** When it may be read again at the earliest, on the clock of this process. */
  restsUntil: number;
}

/** True for a call of which something came back that may have parts. Its parts are read when somebody looks. */
export function mayHaveParts({ call, traffic }: CallNode): boolean {
  return traffic.bytesIn > 0 && call.protocol !== 'other';
}

/** Reads what came back for calls, part by part, when it is asked for: of a call that goes on only what is new. */
export class CallParts {
  readonly #source: Pick<TraceSource, 'find' | 'payload'>;
  readonly #readings = new Map<string, Reading>();
  #queue: Promise<unknown> = Promise.resolve();

  constructor(source: Pick<TraceSource, 'find' | 'payload'>) {
    this.#source = source;
  }

  /** The parts of a call as they stand; none where it is not kept. One call is read after the other, with rests between. */
  async read(call: string): Promise<ReplyParts> {
    const rest = (this.#readings.get(call)?.restsUntil ?? 0) - performance.now();
    if (rest > 0) await new Promise(resolve => setTimeout(resolve, rest));
    const read = this.#queue.then(() => this.#read(call));
    this.#queue = read.catch(() => undefined);
    return read;
  }

  async #read(call: string): Promise<ReplyParts> {
    const room = new PayloadRoom(PARTS_ROOM);
    const payload = await this.#source.payload(call, room);
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
    const leftOut = room.leftOutOf('in');
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
    if (this.#readings.size > MOST_KEPT && oldest !== undefined) this.#readings.delete(oldest);
    return reading;
  }
}

/** Events may be other objects each time, where they are read from a file. */
function isSameEvent(
  one: HeadEvent | WireEvent | undefined,
  other: HeadEvent | WireEvent | undefined,
): boolean {
  return one?.type === other?.type && one?.at === other?.at && one?.seq === other?.seq;
}
