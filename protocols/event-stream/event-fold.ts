import { textValue, type DictValue, type Value } from '../../core/values/value.ts';
import { EventOrder } from './event-order.ts';
import { Tally, type PartListener, type ResponsePart, type RetainedPart } from './response-fold.ts';
import { StreamedText } from './streamed-text.ts';

/**
 * Folds numbered events into one response while they arrive: what the Agent API and Responses have in common. Total:
 * irregularities become notes.
 */
export abstract class EventFold {
  /** Its texts, for display while they arrive. */
  readonly texts = new StreamedText();
  /** True once an event has ended the response. */
  isOver = false;
  protected readonly keeps: RetainedPart;
  protected readonly listener: PartListener | undefined;
  protected readonly tally: Tally;
  readonly #order = new EventOrder(note => this.tally.add(note));
  #hasBegun = false;

  constructor(keeps: RetainedPart, listener?: PartListener) {
    this.keeps = keeps;
    this.listener = listener;
    this.tally = new Tally(listener);
  }

  /** The session's name; undefined until an event has it. */
  abstract get session(): string | undefined;
  /** The whole message or item that an event ends; undefined for any other event. */
  abstract endedItem(event: Value): DictValue | undefined;
  /** Its messages, or items, as they are now, in order; those that only the end of the response contains come last. */
  abstract parts(): readonly ResponsePart[];
  /** Takes an event whose turn it is. */
  protected abstract takeEvent(event: DictValue): void;
  /** The members of the response so far. */
  protected abstract members(): ReadonlyMap<string, Value>;
  /** Adds what `members` lacks as long as the response is not complete. */
  protected abstract complete(members: Map<string, Value>): void;

  /** What a reader should know about it, one sentence each. */
  get notes(): readonly string[] {
    return this.tally.lines;
  }

  push(event: Value): void {
    this.#hasBegun = true;
    for (const due of this.#order.push(event)) this.#take(due);
  }

  /** The response so far, in the form of a whole body; undefined before the first event. */
  whole(): DictValue | undefined {
    for (const due of this.#order.end()) this.#take(due);
    if (!this.#hasBegun) return undefined;
    const members = new Map(this.members());
    if (!members.has('object')) members.set('object', textValue('response'));
    this.complete(members);
    return { kind: 'dict', entries: [...members].map(([key, value]) => ({ key, value })) };
  }

  #take(event: Value): void {
    this.listener?.take(event);
    if (event.kind === 'dict') this.takeEvent(event);
    else this.tally.add('An event of the stream is not an object');
    this.listener?.taken();
  }
}
