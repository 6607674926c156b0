import type { Message } from '../../core/message/message.ts';
import type { DictValue, Value } from '../../core/values/value.ts';
import type { EventRange, ProtocolShape, Reading, StreamReader } from '../message/shape.ts';
import { afterPart, type StreamDialect, type StreamState } from './dialect.ts';
import { interpret } from './meaning.ts';
import { release, staged, type Held, type Pending } from './pending.ts';
import type { Stage } from './stages.ts';

/** Reads events one by one. */
export class EventReader implements StreamReader {
  readonly #dialect: StreamDialect;
  readonly #reading: Reading;
  readonly #readWhole: ProtocolShape['read'];
  #state: StreamState;
  #pending: Pending;
  readonly #events = new WeakMap<Message, EventRange>();

  constructor(dialect: StreamDialect, reading: Reading, readWhole: ProtocolShape['read']) {
    this.#dialect = dialect;
    this.#reading = reading;
    this.#readWhole = readWhole;
    this.#state = dialect.start;
    this.#pending = { from: this.#state.stage, held: [] };
  }

  push(value: Value): readonly Message[] {
    if (value.kind !== 'dict') return [];
    if (this.#state.stage.at === 'ended') this.#restart();
    const whole = this.#readAlone(value);
    if (whole) return [whole];
    const meant = interpret(value, this.#state, this.#pending, this.#dialect, this.#reading);
    const parts = meant.isApart ? this.#release() : [];
    const before = this.#state.stage;
    this.#state = afterPart(this.#dialect.observe(this.#state, meant.event, meant.step), meant.part);
    if (meant.isHeld) {
      this.#hold(before, { step: staged(meant.step), part: meant.part, event: value });
      return parts;
    }
    const { held } = this.#pending;
    this.#pending = { from: this.#state.stage, held: [] };
    return [...parts, this.#number(meant.part, held, value)];
  }

  end(): readonly Message[] {
    return this.#release();
  }

  eventsOf(part: Message): EventRange | undefined {
    return this.#events.get(part);
  }

  /** Gives a part its number, and keeps which events it stands for: those that led to it, and the last one. */
  #number(part: Message, held: readonly Held[], last: Value | undefined): Message {
    const numbered = this.#reading.number(part);
    const first = held[0]?.event ?? last;
    if (first && last) this.#events.set(numbered, { first, last });
    return numbered;
  }

  #restart(): void {
    this.#state = this.#dialect.start;
    this.#pending = { from: this.#state.stage, held: [] };
  }

  /** A response that ends before it began is a whole reply. */
  #readAlone(value: DictValue): Message | undefined {
    if (this.#state !== this.#dialect.start) return undefined;
    const { name } = this.#dialect.classify(value, this.#state);
    if ((name !== 'final' && name !== 'failed') || !this.#dialect.isWhole(value)) return undefined;
    return this.#readWhole(value, this.#reading);
  }

  #hold(before: Stage, one: Held): void {
    const { from, held } = this.#pending;
    this.#pending = held.length === 0 ? { from: before, held: [one] } : { from, held: [...held, one] };
  }

  #release(): readonly Message[] {
    const parts = release(this.#pending, this.#dialect).map(({ part, held }) =>
      this.#number(part, held, held.at(-1)?.event),
    );
    this.#pending = { from: this.#state.stage, held: [] };
    return parts;
  }
}
