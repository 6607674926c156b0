import { rewriteCard } from './agent-card.ts';
import type { Exchange } from '../exchange.ts';

/** Holds an agent card, the only reply that may be changed, until it is complete. */
export class CardHold {
  readonly #exchange: Exchange;
  readonly #pieces: Buffer[] = [];

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  push(bytes: Buffer): void {
    this.#pieces.push(bytes);
  }

  /** True if this is the reply of that exchange. */
  isOf(exchange: Exchange): boolean {
    return this.#exchange === exchange;
  }

  /** The card with the address of the recording in place of the agent's. */
  rewrite(agent: URL, recording: string): Buffer {
    const { bytes, note } = rewriteCard(this.bytes, agent, recording);
    if (note !== undefined) this.#exchange.note(note);
    return bytes;
  }

  /** The bytes received so far, unchanged. */
  get bytes(): Buffer {
    return Buffer.concat(this.#pieces);
  }
}
