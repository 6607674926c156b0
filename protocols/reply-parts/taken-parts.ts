import type { BodyList, BodyParts } from './body-parts.ts';

/**
 * The parts of the reply to a message that a server accepted with 202. Words such as `Accepted` are no part;
 * an answer that came over another stream begins a piece (MCP of 2024-11-05).
 */
export class TakenParts implements BodyParts {
  readonly #answer: BodyParts;
  #hasBegun = false;

  constructor(answer: BodyParts) {
    this.#answer = answer;
  }

  push(text: string, at: number): void {
    this.#hasBegun ||= /^\s*[{[]/.test(text);
    if (this.#hasBegun) this.#answer.push(text, at);
  }

  endSteps(): Generator<undefined, void> {
    return this.#answer.endSteps();
  }

  list(): BodyList {
    return this.#answer.list();
  }
}
