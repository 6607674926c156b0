import { countOf, showCount } from '../../core/text/count.ts';
import type { HeadEvent, WireEvent } from '../../core/events/events.ts';
import { readChecked, WHY_LOST } from '../payload-check.ts';
import { PayloadRoom, type RoomLimits } from '../payload-room.ts';
import type { CallNode } from '../fold/tree.ts';
import type { ExportSource } from './source.ts';

/** No engine holds a text of 2^29 characters, and what is written of a text may be longer than that is. */
const LONGEST: RoomLimits = { characters: 2 ** 28, events: Infinity, of: 'call' };

/** Where calls are found, and what was on their wire, as far as there is room. */
interface PayloadSource {
  find(call: string): CallNode | undefined;
  payload(call: string, room?: PayloadRoom): Promise<readonly (HeadEvent | WireEvent)[]>;
}

/** Reads what was on the wire of calls, and remembers those of which not all is told. */
export class LostPayloads {
  readonly #source: PayloadSource;
  readonly #lost = new Map<string, CallNode>();
  readonly #long = new Map<string, CallNode>();
  /** All of a call, however long it is. */
  readonly payload: ExportSource['payload'];
  /** The same for who makes a text of it: of a call that is too long for that, its beginning. */
  readonly beginning: ExportSource['payload'];

  constructor(source: PayloadSource) {
    this.#source = source;
    this.payload = call => this.#read(call, undefined);
    this.beginning = call => this.#read(call, new PayloadRoom(LONGEST));
  }

  /** Calls of which less was there than went over their wire, as where their file is gone; in the order in which they were read. */
  get lost(): readonly CallNode[] {
    return [...this.#lost.values()];
  }

  /** Calls of which only the beginning was read. */
  get long(): readonly CallNode[] {
    return [...this.#long.values()];
  }

  /** What to say of them, each a sentence without a full stop. */
  get notes(): readonly string[] {
    const [lost, long] = [this.#lost.size, this.#long.size];
    return [
      ...(lost === 0
        ? []
        : [`Not all that ${countOf(lost, 'call')} sent and got could be read: ${WHY_LOST}`]),
      ...(long === 0 ? [] : [`Of ${countOf(long, 'call')} only the beginning counts here: ${WHY_CUT}`]),
    ];
  }

  async #read(call: string, room: PayloadRoom | undefined): Promise<readonly (HeadEvent | WireEvent)[]> {
    const node = this.#source.find(call);
    if (!node) return this.#source.payload(call, room);
    const { events, isWhole } = await readChecked(node, id => this.#source.payload(id, room));
    if (room?.isSpent === true) this.#long.set(call, node);
    else if (!isWhole) this.#lost.set(call, node);
    return events;
  }
}

/** Why only the beginning of a call is read. */
export const WHY_CUT = `more than ${showCount(LONGEST.characters)} characters went one way; an export as a trace file has all of it`;
