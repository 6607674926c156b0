import { CardHold } from './card-hold.ts';
import type { Exchange, ExchangeRecorder } from './exchange.ts';
import type { ExchangeQueue } from './exchange-queue.ts';
import { HttpFramer, printHeaders } from './http-framer.ts';
import { frameReply, statusOf, type FramingResult } from './http-framing.ts';
import type { MessageHead } from './http-head.ts';
import type { ProxyTarget } from './proxy-target.ts';

/** The connection that replies come on. */
export interface ReplyHost {
  readonly target: ProxyTarget;
  readonly recorder: ExchangeRecorder;
  readonly exchanges: ExchangeQueue;
  /** Where callers reach the recording. */
  readonly origin: string;
  /** Passes bytes that were held. */
  readonly answer: (bytes: Buffer) => void;
  /** True where a request asked to change to another protocol. */
  readonly mayUpgrade: (exchange: Exchange) => boolean;
  /** Both sides agreed on another protocol. */
  readonly upgraded: () => void;
}

/** A reply whose end readers could find at different places. */
export interface BrokenReply {
  /** A sentence. */
  readonly message: string;
  /** True where some of it has passed. */
  readonly isCut: boolean;
}

/** What an agent answers on one connection: tells the exchanges, and how far the last reply came. */
export class AgentReplies {
  readonly #host: ReplyHost;
  readonly #framer: HttpFramer;
  /** True while a reply such as `100 Continue` is read, which another one follows. */
  #isInterim = false;
  /** An agent card that is to be rewritten. */
  #card: CardHold | undefined;
  #hasBegun = false;
  #isUpgraded = false;
  #isForeign = false;
  #isOutOfStep = false;
  /** Why what came cannot be passed on; read by `push`. */
  readonly #faults: string[] = [];
  #statusLine: string | undefined;
  #received = 0;

  constructor(host: ReplyHost) {
    this.#host = host;
    const { exchanges } = host;
    this.#framer = new HttpFramer('replies', {
      head: head => this.#onHead(head),
      noHead: bytes => this.#onNoReply(bytes),
      raw: () => undefined,
      body: bytes => this.#onBody(bytes),
      trailers: headers => exchanges.current?.note(`The reply ended with trailers: ${printHeaders(headers)}`),
      over: () => this.#onOver(),
      foreign: bytes => exchanges.current?.foreign('in', bytes),
      broken: fault => void this.#faults.push(fault),
    });
  }

  /** False once bytes came that belong to no request: which reply would be that of the next one is not known. */
  get isInStep(): boolean {
    return !this.#isOutOfStep && !this.#isForeign;
  }

  /** True once the agent said anything. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }
  /** True where the connection speaks another protocol from some place on. */
  get isUpgraded(): boolean {
    return this.#isUpgraded;
  }
  /** True where the agent said something that is no HTTP. */
  get isForeign(): boolean {
    return this.#isForeign;
  }
  /** The status of the reply that is coming; undefined before its head is there. */
  get statusLine(): string | undefined {
    return this.#statusLine;
  }
  /** How much of its body came. */
  get received(): number {
    return this.#received;
  }

  /** Holds bytes that may not pass as they come; false where they may. */
  hold(bytes: Buffer): boolean {
    this.#hasBegun = true;
    const { target, exchanges } = this.#host;
    const { first } = exchanges;
    if (target.rewritesCards && first?.isCard && first.method !== 'HEAD') this.#card ??= new CardHold(first);
    this.#card?.push(Buffer.from(bytes));
    return this.#card !== undefined;
  }

  /** Looks at bytes before they pass, or that are held. Answers how many may pass, and what is wrong with the others. */
  push(bytes: Buffer): { readonly good: number; readonly broken?: BrokenReply } {
    if (this.#faults.length > 0) return { good: 0 };
    const { good, isCut } = this.#framer.push(bytes);
    const [fault] = this.#faults;
    if (fault === undefined) return { good };
    const isHeld = this.#card !== undefined;
    this.#card = undefined;
    const message = `The agent's reply cannot be passed on, because callers may differ in where it ends: ${fault}; correct the agent`;
    return { good, broken: { message, isCut: isCut && !isHeld } };
  }

  /** The connection broke off. */
  flush(): void {
    this.#framer.flush();
  }

  /** The agent has said all. */
  end(): void {
    this.#framer.end();
  }

  /** A card that broke off passes as it came. */
  releaseCard(): void {
    const card = this.#card;
    this.#card = undefined;
    if (card) this.#host.answer(card.bytes);
  }

  /** The card is whole: it goes on as it is written anew. */
  #passCard(exchange: Exchange): void {
    const card = this.#card;
    if (!card?.isOf(exchange)) return;
    this.#card = undefined;
    this.#host.answer(card.rewrite(this.#host.target.url, this.#host.origin));
  }

  #onHead(head: MessageHead): FramingResult {
    const { first } = this.#host.exchanges;
    const framing = frameReply(head, first?.method ?? '');
    if ('fault' in framing) return framing;
    const exchange = first ?? this.#openUnasked();
    const status = statusOf(head.line);
    const line = head.line.slice(head.line.indexOf(' ') + 1).trimEnd();
    this.#statusLine = line;
    this.#isInterim = status < 200 && status !== 101;
    exchange.replyHead(line, status, head.headers);
    if (head.isLoose)
      exchange.note(
        'The head of the reply breaks the grammar of HTTP/1.1 (RFC 9112); some callers refuse it',
      );
    if (status === 101) {
      this.#isUpgraded = true;
      // Where the request did not ask for it, nothing more of the caller passes: nobody read it.
      if (this.#host.mayUpgrade(exchange)) this.#host.upgraded();
      else this.#isOutOfStep = true;
      exchange.note('The connection speaks another protocol from here on; its bytes are kept as they passed');
    }
    return framing;
  }

  /** Some agents say on their own why they hang up. */
  #openUnasked(): Exchange {
    const { target, recorder, exchanges, origin } = this.#host;
    const line = `NOTHING ${target.url.origin}/`;
    const exchange = recorder.open({ method: '', path: '', line, headers: [] }, origin);
    exchanges.addUnasked(exchange);
    this.#isOutOfStep = true;
    return exchange;
  }

  #onNoReply(bytes: Buffer): void {
    const exchange = this.#host.exchanges.current;
    if (!exchange) return;
    this.#isForeign = true;
    exchange.foreign('in', bytes);
    exchange.note('What came is not valid HTTP; it was passed on as it came');
  }

  #onBody(bytes: Buffer): void {
    this.#received += bytes.length;
    this.#host.exchanges.current?.replyBody(bytes);
  }

  #onOver(): void {
    const { exchanges } = this.#host;
    const exchange = exchanges.first;
    if (this.#isInterim || !exchange) return;
    this.#passCard(exchange);
    exchanges.finishFirst();
    // What comes from here on is of the next one.
    this.#statusLine = undefined;
    this.#received = 0;
  }
}
