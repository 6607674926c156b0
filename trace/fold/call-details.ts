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
import { SequenceCheck } from '../../core/events/sequence.ts';

const NONE: readonly never[] = [];

/** So often something may be learned of a call: each time all of it is put together. */
const MOST_LEARNED = 1_000;

/** How a call ended. */
export interface CallEnd {
  readonly at: number;
  readonly seq: number | undefined;
  readonly status: Exclude<CallStatus, 'open'>;
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly usage: TokenUsage | undefined;
}

/** The end that an event tells. */
export function readEnd({ at, seq, status, code, message, usage }: EndEvent): CallEnd {
  return { at, seq, status, code, message, usage };
}

/**
 * What is told of a call beyond its beginning, its traffic and its end. Most calls have nothing of it while their payload is
 * kept elsewhere, so it stands apart: of a hundred thousand calls each word counts.
 */
export class CallDetails {
  #payload: InOrder<HeadEvent | WireEvent> | undefined;
  #sequence: SequenceCheck | undefined;
  /** The first note of each text. */
  #noted: Map<string, NoteEvent> | undefined;
  #learned: InOrder<IdentityEvent> | undefined;
  #learnings = 0;
  #told: InOrder<AttributesEvent> | undefined;
  /** Ends after the one that counts: the first of each other status. */
  laterEnds: readonly CallEnd[] = NONE;

  get payload(): readonly (HeadEvent | WireEvent)[] {
    return this.#payload?.all ?? NONE;
  }
  get notes(): readonly string[] {
    return [...(this.#noted?.values() ?? NONE)].sort(compareDetails).map(event => event.text);
  }
  get attributes(): AttributesEvent['attributes'] {
    return this.#told?.all.flatMap(event => event.attributes) ?? NONE;
  }

  keep(event: HeadEvent | WireEvent): void {
    (this.#payload ??= new InOrder()).add(event);
  }

  /** Forgets heads and bytes. */
  dropPayload(): void {
    this.#payload = undefined;
  }

  /** Gives back the room that lists have for more: the call ended, and few events come then, if any. */
  trim(): void {
    this.#payload?.trim();
  }

  /** True the first time that a number comes; all before `next` came before this was asked. */
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

  tell(event: AttributesEvent): void {
    (this.#told ??= new InOrder()).add(event);
  }

  /** Answers false where it is too much. */
  learn(event: IdentityEvent): boolean {
    if (++this.#learnings > MOST_LEARNED) {
      const text = `What was told of it more than ${MOST_LEARNED} times is left out`;
      this.note({ type: 'note', call: event.call, at: event.at, text });
      return false;
    }
    (this.#learned ??= new InOrder()).add(event);
    return true;
  }

  /** A call with what was learned in place. */
  complete(begun: CallEvent): CallEvent {
    let known = begun;
    const names: TraceName[] = [...(known.names ?? NONE)];
    for (const event of this.#learned?.all ?? NONE) {
      const { title, protocol, agent, from, session } = event;
      for (const name of event.names ?? NONE) names.push(name);
      known = {
        ...known,
        ...(title === undefined ? {} : { title }),
        ...(protocol === undefined ? {} : { protocol }),
        ...(agent === undefined ? {} : { agent }),
        ...(from === undefined ? {} : { from }),
        ...(session === undefined ? {} : { session }),
      };
    }
    return names.length === 0 ? known : { ...known, names: names.slice() };
  }
}
