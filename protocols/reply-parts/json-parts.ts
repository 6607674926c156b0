import type { Value } from '../../core/values/value.ts';
import type { BodyList, BodyParts } from './body-parts.ts';
import { JsonBody } from './json-body.ts';
import type { TimeSpan } from './piece-times.ts';

/** Reads the values of a JSON reply of one protocol as parts, while they arrive. */
export interface ValueParts {
  take(value: Value, span: TimeSpan): void;
  /** Ends the reply. */
  end?(): void;
  /** The parts so far; `body` is their source. */
  list(body: JsonBody): BodyList;
}

/** The parts of a JSON reply. */
export class JsonParts implements BodyParts {
  readonly #values: ValueParts;
  readonly #body: JsonBody;

  constructor(values: ValueParts) {
    this.#values = values;
    this.#body = new JsonBody((value, span) => values.take(value, span));
  }

  push(text: string, at: number): void {
    this.#body.push(text, at);
  }

  *endSteps(): Generator<undefined, void> {
    yield* this.#body.endSteps();
    this.#values.end?.();
  }

  list(): BodyList {
    return this.#values.list(this.#body);
  }
}
