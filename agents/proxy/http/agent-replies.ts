import { CardHold } from './card-hold.ts';
import type { Exchange, ExchangeRecorder } from '../exchange.ts';
import type { ExchangeQueue } from './exchange-queue.ts';
import { HttpFramer, printHeaders } from './http-framer.ts';
import { frameReply, statusOf, type FramingResult } from './http-framing.ts';
import type { MessageHead } from './http-head.ts';
import type { ProxyTarget } from './proxy-target.ts';

/** The connection on which the replies arrive. */
export interface ReplyHost {
  readonly target: ProxyTarget;
  readonly recorder: ExchangeRecorder;
  readonly exchanges: ExchangeQueue;
  /** The origin under which callers reach the recording. */
  readonly origin: string;
  /** Passes held bytes on to the caller. */
  readonly answer: (bytes: Buffer) => void;
  /** True if a request asked to change to another protocol. */
  readonly mayUpgrade: (exchange: Exchange) => boolean;
  /** Called when both sides have agreed on another protocol. */
  readonly upgraded: () => void;
}

/** A reply whose end is ambiguous: readers could find it at different places. */
export interface BrokenReply {
  /** One sentence. */
  readonly message: string;
  /** True if part of it has already been passed on. */
  readonly isCut: boolean;
}

/** Reads an agent's replies on one connection, reports them to their exchanges and tracks the last one. */
export class AgentReplies {
  readonly #host: ReplyHost;
  readonly #framer: HttpFramer;
  /** True while an interim reply such as `100 Continue` is read: another reply follows it. */
  #isInterim = false;
  /** An agent card that is to be rewritten. */
  #card: CardHold | undefined;
  #hasBegun = false;
  #isUpgraded = false;
  #isForeign = false;
  #isOutOfStep = false;
  /** Why received bytes cannot be passed on; read by `push`. */
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

  /** False once bytes arrived that belong to no request: later replies could not be matched to their requests. */
  get isInStep(): boolean {
    return !this.#isOutOfStep && !this.#isForeign;
  }

  /** True once the agent has sent anything. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }
  /** True once the connection has changed to another protocol. */
  get isUpgraded(): boolean {
    return this.#isUpgraded;
  }
  /** True once the agent has sent something that is not HTTP. */
  get isForeign(): boolean {
    return this.#isForeign;
  }
  /** The status of the current reply; undefined before its head has arrived. */
  get statusLine(): string | undefined {
    return this.#statusLine;
  }
  /** The number of body bytes received so far. */
  get received(): number {
    return this.#received;
  }

  /** Holds bytes that must not pass unchanged; returns false if they may. */
  hold(bytes: Buffer): boolean {
    this.#hasBegun = true;
    const { target, exchanges } = this.#host;
    const { first } = exchanges;
    if (target.rewritesCards && first?.isCard && first.method !== 'HEAD') this.#card ??= new CardHold(first);
    this.#card?.push(Buffer.from(bytes));
    return this.#card !== undefined;
  }

  /** Reads bytes that are held or about to pass. Returns how many may pass, and what is wrong with the others. */
  push(bytes: Buffer): { readonly good: number; readonly broken?: BrokenReply } {
    if (this.#faults.length > 0) return { good: 0 };
    const { good, isCut } = this.#framer.push(bytes);
    const [fault] = this.#faults;
    if (fault === undefined) return { good };
    const isHeld = this.#card !== undefined;
    this.#card = undefined;
    const message = `The agent's reply cannot be forwarded, because callers could disagree about where it ends: ${fault}; correct the agent`;
    return { good, broken: { message, isCut: isCut && !isHeld } };
  }

  /** The connection has broken off. */
  flush(): void {
    this.#framer.flush();
  }

  /** The agent sends nothing more. */
  end(): void {
    this.#framer.end();
  }

  /** Passes an incomplete card on as it was received. */
  releaseCard(): void {
    const card = this.#card;
    this.#card = undefined;
    if (card) this.#host.answer(card.bytes);
  }

  /** Passes a complete card on after its addresses were replaced. */
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
    const exchange = first ?? this.#openUnrequested();
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
      // If the request did not ask for it, nothing more from the caller passes, because nothing has parsed it.
      if (this.#host.mayUpgrade(exchange)) this.#host.upgraded();
      else this.#isOutOfStep = true;
      exchange.note('The connection switches to another protocol here; its bytes are recorded unchanged');
    }
    return framing;
  }

  /** Opens an exchange for a reply without a request: some agents report on their own why they hang up. */
  #openUnrequested(): Exchange {
    const { target, recorder, exchanges, origin } = this.#host;
    const line = `NOTHING ${target.url.origin}/`;
    const exchange = recorder.open({ method: '', path: '', line, headers: [] }, origin);
    exchanges.addUnrequested(exchange);
    this.#isOutOfStep = true;
    return exchange;
  }

  #onNoReply(bytes: Buffer): void {
    const exchange = this.#host.exchanges.current;
    if (!exchange) return;
    this.#isForeign = true;
    exchange.foreign('in', bytes);
    exchange.note('The reply is not valid HTTP; it was forwarded unchanged');
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
    // Everything from here on belongs to the next reply.
    this.#statusLine = undefined;
    this.#received = 0;
  }
}
