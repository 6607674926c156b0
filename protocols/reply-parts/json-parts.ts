import type { Value } from '../../core/values/value.ts';
import type { BodyList, BodyParts } from './body-parts.ts';
import { JsonBody } from './json-body.ts';
import type { TimeSpan } from './piece-times.ts';

/** Reads the values of a reply in JSON in the words of one protocol, while they come. */
export interface ValueParts {
  take(value: Value, span: TimeSpan): void;
  /** Nothing more comes. */
  end?(): void;
  /** The parts as they stand, of a body that came so far. */
  list(body: JsonBody): BodyList;
}

/** The parts of a reply in JSON. */
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
