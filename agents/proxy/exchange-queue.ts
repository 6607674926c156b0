import type { Exchange, ExchangeOutcome } from './exchange.ts';

/** The exchanges of one connection, in the order in which their replies come. */
export class ExchangeQueue {
  #asking: Exchange | undefined;
  readonly #open: Exchange[] = [];

  /** The one whose request came last, also when it is answered. */
  get asking(): Exchange | undefined {
    return this.#asking;
  }

  /** The one whose reply comes next. */
  get first(): Exchange | undefined {
    return this.#open[0];
  }

  /** The one that bytes are about which nobody asked for. */
  get current(): Exchange | undefined {
    return this.first ?? this.#asking;
  }

  /** True while the reply of that one is not over. */
  isOpen(exchange: Exchange): boolean {
    return this.#open.includes(exchange);
  }

  /** A request begins. */
  ask(exchange: Exchange): void {
    const before = this.#asking;
    this.#asking = exchange;
    this.#open.push(exchange);
    this.#forget(before);
  }

  /** A reply begins that nobody asked for. */
  addUnasked(exchange: Exchange): void {
    this.#open.push(exchange);
  }

  /** The reply of the first one is over. */
  finishFirst(): void {
    const exchange = this.#open.shift();
    exchange?.replyOver();
    this.#forget(exchange);
  }

  /** Nothing more comes for any of them: what is not over will never be. */
  end(outcomeOf: (exchange: Exchange) => ExchangeOutcome): void {
    for (const exchange of this.#open.splice(0)) {
      exchange.fail(outcomeOf(exchange));
      this.#forget(exchange);
    }
  }

  /** No request comes any more. */
  close(): void {
    const last = this.#asking;
    this.#asking = undefined;
    this.#forget(last);
  }

  /** Of an exchange that is answered more may come until another one begins. */
  #forget(exchange: Exchange | undefined): void {
    if (exchange && exchange !== this.#asking && !this.#open.includes(exchange)) exchange.forget();
  }
}
