import { countOf, showCount } from '../../core/text/count.ts';
import type { HeadEvent, WireEvent } from '../../core/events/events.ts';
import { readChecked, WHY_LOST } from '../payload-check.ts';
import { PayloadLimiter, type PayloadLimits } from '../payload-limiter.ts';
import type { CallNode } from '../fold/tree.ts';
import type { ExportSource } from './source.ts';

/** Half of the maximum length of a string, 2^29 characters, because the written text may be longer. */
const LONGEST: PayloadLimits = { characters: 2 ** 28, events: Infinity, of: 'call' };

/** Finds calls, and reads their payload up to a limit. */
interface PayloadSource {
  find(call: string): CallNode | undefined;
  payload(call: string, limiter?: PayloadLimiter): Promise<readonly (HeadEvent | WireEvent)[]>;
}

/** Reads the payloads of calls, and records the calls whose payload is incomplete. */
export class LostPayloads {
  readonly #source: PayloadSource;
  readonly #lost = new Map<string, CallNode>();
  readonly #long = new Map<string, CallNode>();
  /** Reads the whole payload of a call, however long it is. */
  readonly payload: ExportSource['payload'];
  /** The same for a caller that makes a text of it: of a call that is too long for a text, only the beginning. */
  readonly beginning: ExportSource['payload'];

  constructor(source: PayloadSource) {
    this.#source = source;
    this.payload = call => this.#read(call, undefined);
    this.beginning = call => this.#read(call, new PayloadLimiter(LONGEST));
  }

  /** Calls whose stored payload is shorter than their traffic, as after loss of their file; in the order of reading. */
  get lost(): readonly CallNode[] {
    return [...this.#lost.values()];
  }

  /** Calls of which only the beginning was read. */
  get long(): readonly CallNode[] {
    return [...this.#long.values()];
  }

  /** Notes on these calls, each a sentence without a full stop. */
  get notes(): readonly string[] {
    const [lost, long] = [this.#lost.size, this.#long.size];
    return [
      ...(lost === 0 ? [] : [`Not all payloads of ${countOf(lost, 'call')} could be read: ${WHY_LOST}`]),
      ...(long === 0 ? [] : [`Only the beginning of ${countOf(long, 'call')} is used: ${WHY_CUT}`]),
    ];
  }

  async #read(
    call: string,
    limiter: PayloadLimiter | undefined,
  ): Promise<readonly (HeadEvent | WireEvent)[]> {
    const node = this.#source.find(call);
    if (!node) return this.#source.payload(call, limiter);
    const { events, isWhole } = await readChecked(node, id => this.#source.payload(id, limiter));
    if (limiter?.isSpent === true) this.#long.set(call, node);
    else if (!isWhole) this.#lost.set(call, node);
    return events;
  }
}

/** Why only the beginning of a call is read. */
export const WHY_CUT = `more than ${showCount(LONGEST.characters)} characters were sent in one direction; an export as a trace file has all of it`;
