import type { Exchange, ExchangeOutcome } from '../exchange.ts';

/** The exchanges of one connection, in the order of their replies. */
export class ExchangeQueue {
  #asking: Exchange | undefined;
  readonly #open: Exchange[] = [];

  /** The exchange with the latest request, also after its reply. */
  get asking(): Exchange | undefined {
    return this.#asking;
  }

  /** The exchange whose reply is next. */
  get first(): Exchange | undefined {
    return this.#open[0];
  }

  /** The exchange that bytes outside any expected reply are reported to. */
  get current(): Exchange | undefined {
    return this.first ?? this.#asking;
  }

  /** True while the reply of an exchange is not complete. */
  isOpen(exchange: Exchange): boolean {
    return this.#open.includes(exchange);
  }

  /** Adds an exchange whose request begins. */
  ask(exchange: Exchange): void {
    const before = this.#asking;
    this.#asking = exchange;
    this.#open.push(exchange);
    this.#forget(before);
  }

  /** Adds an exchange for a reply without a request. */
  addUnrequested(exchange: Exchange): void {
    this.#open.push(exchange);
  }

  /** The reply of the first exchange is complete. */
  finishFirst(): void {
    const exchange = this.#open.shift();
    exchange?.replyOver();
    this.#forget(exchange);
  }

  /** Fails all open exchanges, because nothing more arrives for them. */
  end(outcomeOf: (exchange: Exchange) => ExchangeOutcome): void {
    for (const exchange of this.#open.splice(0)) {
      exchange.fail(outcomeOf(exchange));
      this.#forget(exchange);
    }
  }

  /** No more requests arrive. */
  close(): void {
    const last = this.#asking;
    this.#asking = undefined;
    this.#forget(last);
  }

  /** Releases an exchange. An answered one stays until the next begins, because more of it may arrive until then. */
  #forget(exchange: Exchange | undefined): void {
    if (exchange && exchange !== this.#asking && !this.#open.includes(exchange)) exchange.forget();
  }
}
