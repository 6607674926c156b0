import type { Message } from '../../message/message.ts';
import type { DictValue, Value } from '../../message/value.ts';
import type { ProtocolShape, Reading, StreamReader } from '../shape.ts';
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
      this.#hold(before, { step: staged(meant.step), part: meant.part });
      return parts;
    }
    this.#pending = { from: this.#state.stage, held: [] };
    return [...parts, this.#reading.number(meant.part)];
  }

  end(): readonly Message[] {
    return this.#release();
  }

  #restart(): void {
    this.#state = this.#dialect.start;
    this.#pending = { from: this.#state.stage, held: [] };
  }

  /** A response that ends before it began is a whole reply. */
  #readAlone(value: DictValue): Message | undefined {
    if (this.#state !== this.#dialect.start) return undefined;
    const { name } = this.#dialect.classify(value, this.#state);
    if (name !== 'final' && name !== 'failed') return undefined;
    return this.#readWhole(value, this.#reading);
  }

  #hold(before: Stage, one: Held): void {
    const { from, held } = this.#pending;
    this.#pending = held.length === 0 ? { from: before, held: [one] } : { from, held: [...held, one] };
  }

  #release(): readonly Message[] {
    const parts = release(this.#pending, this.#dialect).map(part => this.#reading.number(part));
    this.#pending = { from: this.#state.stage, held: [] };
    return parts;
  }
}
