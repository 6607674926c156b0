import { defined } from '../../core/text/fields.ts';
import type {
  AttributesEvent,
  CallEvent,
  CallStatus,
  EndEvent,
  HeadEvent,
  IdentityEvent,
  NoteEvent,
  TokenUsage,
  TraceName,
  WireEvent,
} from '../../core/events/events.ts';
import { compareDetails, InOrder } from '../../core/events/in-order.ts';
import { SequenceCheck } from './sequence.ts';

const NONE: readonly never[] = [];

/** The maximum number of identity events of a call, because each one merges all of them. */
const MAX_LEARNED = 1_000;

/** The end of a call. */
export interface CallEnd {
  readonly at: number;
  readonly seq: number | undefined;
  readonly status: Exclude<CallStatus, 'open'>;
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly usage: TokenUsage | undefined;
}

/** Reads the end of a call from its event. */
export function readEnd({ at, seq, status, code, message, usage }: EndEvent): CallEnd {
  return { at, seq, status, code, message, usage };
}

/**
 * The data of a call besides its beginning, traffic and end. Most calls have none while payloads are stored
 * elsewhere, so they are in an object of their own: with a hundred thousand calls, every field counts.
 */
export class CallDetails {
  #payload: InOrder<HeadEvent | WireEvent> | undefined;
  #sequence: SequenceCheck | undefined;
  /** By text, the earliest note. */
  #noted: Map<string, NoteEvent> | undefined;
  #learned: InOrder<IdentityEvent> | undefined;
  #learnings = 0;
  #reported: InOrder<AttributesEvent> | undefined;
  /** Further ends with another status: the first of each. */
  laterEnds: readonly CallEnd[] = NONE;

  get payload(): readonly (HeadEvent | WireEvent)[] {
    return this.#payload?.all ?? NONE;
  }
  get notes(): readonly string[] {
    return [...(this.#noted?.values() ?? NONE)].sort(compareDetails).map(event => event.text);
  }
  get attributes(): AttributesEvent['attributes'] {
    return this.#reported?.all.flatMap(event => event.attributes) ?? NONE;
  }

  keep(event: HeadEvent | WireEvent): void {
    (this.#payload ??= new InOrder()).add(event);
  }

  /** Drops heads and bytes. */
  dropPayload(): void {
    this.#payload = undefined;
  }

  /** Releases spare list capacity once the call has ended, since few events follow. */
  trim(): void {
    this.#payload?.trim();
  }

  /** True for a new sequence number; at the first call, all numbers before `next` count as received. */
  isNew(seq: number, next: number): boolean {
    this.#sequence ??= new SequenceCheck(next);
    return this.#sequence.take(seq);
  }

  get isOutOfOrder(): boolean {
    return this.#sequence !== undefined;
  }

  note(event: NoteEvent): void {
    const noted = (this.#noted ??= new Map<string, NoteEvent>());
    const known = noted.get(event.text);
    if (!known || compareDetails(known, event) > 0) noted.set(event.text, event);
  }

  addAttributes(event: AttributesEvent): void {
    (this.#reported ??= new InOrder()).add(event);
  }

  /** Stores an identity event; returns false once there are too many. */
  learn(event: IdentityEvent): boolean {
    if (++this.#learnings > MAX_LEARNED) {
      const text = `Details reported more than ${MAX_LEARNED} times is left out`;
      this.note({ type: 'note', call: event.call, at: event.at, text });
      return false;
    }
    (this.#learned ??= new InOrder()).add(event);
    return true;
  }

  /** Merges what was learned later into a call. */
  complete(begun: CallEvent): CallEvent {
    let known = begun;
    const names: TraceName[] = [...(known.names ?? NONE)];
    for (const event of this.#learned?.all ?? NONE) {
      const { title, protocol, agent, from, session } = event;
      for (const name of event.names ?? NONE) names.push(name);
      known = { ...known, ...defined({ title, protocol, agent, from, session }) };
    }
    return names.length === 0 ? known : { ...known, names: names.slice() };
  }
}
