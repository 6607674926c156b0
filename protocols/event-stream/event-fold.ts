import { textValue, type DictValue, type Value } from '../../core/values/value.ts';
import { EventOrder } from './event-order.ts';
import {
  Tally,
  type PartListener,
  type ResponseFold,
  type ResponsePart,
  type RetainedPart,
} from './response-fold.ts';
import { StreamedText } from './streamed-text.ts';

/** A fold of numbered events into one response: what the Agent API and Responses have in common. */
export abstract class EventFold implements ResponseFold {
  readonly texts = new StreamedText();
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

  abstract get session(): string | undefined;
  abstract endedItem(event: Value): DictValue | undefined;
  abstract parts(): readonly ResponsePart[];
  /** Takes an event whose turn it is. */
  protected abstract takeEvent(event: DictValue): void;
  /** The members of the response so far. */
  protected abstract members(): ReadonlyMap<string, Value>;
  /** Adds what `members` lacks as long as the response is not complete. */
  protected abstract complete(members: Map<string, Value>): void;

  get notes(): readonly string[] {
    return this.tally.lines;
  }

  push(event: Value): void {
    this.#hasBegun = true;
    for (const due of this.#order.push(event)) this.#take(due);
  }

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
