import type { BodyList, BodyParts } from './body-parts.ts';

/**
 * The parts of the reply to a message that a server accepted with 202. Words such as `Accepted` are no part;
 * the messages that came over another stream follow them (MCP of 2024-11-05).
 */
export class TakenParts implements BodyParts {
  readonly #answer: BodyParts;
  #hasBegun = false;

  constructor(answer: BodyParts) {
    this.#answer = answer;
  }

  push(text: string, at: number): void {
    // A piece may hold such words and the beginning of the answer.
    const from = this.#hasBegun ? 0 : text.search(/[{[]/);
    if (from < 0) return;
    this.#hasBegun = true;
    this.#answer.push(text.slice(from), at);
  }

  endSteps(): Generator<undefined, void> {
    return this.#answer.endSteps();
  }

  list(): BodyList {
    return this.#answer.list();
  }
}
