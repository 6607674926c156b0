import { rewriteCard } from './agent-card.ts';
import type { Exchange } from './exchange.ts';

/** The one reply that may be changed, held until it is whole. */
export class CardHold {
  readonly #exchange: Exchange;
  readonly #pieces: Buffer[] = [];

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  push(bytes: Buffer): void {
    this.#pieces.push(bytes);
  }

  /** True where this is the reply of that exchange. */
  isOf(exchange: Exchange): boolean {
    return this.#exchange === exchange;
  }

  /** The card with the address of the recording in the place of the agent's. */
  rewrite(agent: URL, recording: string): Buffer {
    const { bytes, note } = rewriteCard(this.bytes, agent, recording);
    if (note !== undefined) this.#exchange.note(note);
    return bytes;
  }

  /** As far as it came, as it came. */
  get bytes(): Buffer {
    return Buffer.concat(this.#pieces);
  }
}
