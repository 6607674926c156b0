import type { Socket } from 'node:net';
import { AgentReplies, type BrokenReply } from './agent-replies.ts';
import { namesOf } from './agent-card.ts';
import type { CallerConnection } from '../callers.ts';
import { describeNetworkError, type Progress } from '../../http/failure.ts';
import { connectAgent, reset } from './connect-agent.ts';
import { describeBreak } from './break.ts';
import { ExchangeQueue } from './exchange-queue.ts';
import type { Exchange, ExchangeOutcome, ExchangeRecorder } from '../exchange.ts';
import type { LocalAccess, RefusedRequest } from '../../http/local-access.ts';
import { HttpFramer, printHeaders } from './http-framer.ts';
import { frameRequest, listTokens, type FramingResult } from './http-framing.ts';
import type { MessageHead } from './http-head.ts';
import { printLastReply, plainReply } from '../own-reply.ts';
import type { ProxyTarget } from './proxy-target.ts';
import { BAD_FRAMING, reportOwnReply, type Refusal } from './refusal.ts';
import { findRequestFault, offersHttp2, withHost, withoutHttp2 } from './request-head.ts';
import { ASKED_FOR_BODY, CONTINUE, RequestHold } from './request-hold.ts';

/** What a connection needs from its recording. */
export interface ConnectionOptions {
  readonly target: ProxyTarget;
  readonly recorder: ExchangeRecorder;
  /** Which callers the recording admits, and its port. */
  readonly access: LocalAccess;
  /** Reports a request that is refused. */
  readonly onRefused: (refused: RefusedRequest) => void;
}

/** The number of connections so far. */
let count = 0;

/** Milliseconds that a caller has to hang up after a refusal. */
const UNTIL_HANGUP = 1_000;

/**
 * The connection of a caller and the one to the agent that belongs to it. Bytes pass unchanged, with
 * back-pressure, and each half ends when the other side ends it: the recording only observes. In requests,
 * `Host` becomes the agent's, because the agent has another name, and an offer of HTTP/2 is removed.
 */
export class ProxyConnection {
  readonly #client: Socket;
  readonly #options: ConnectionOptions;
  readonly #requests: HttpFramer;
  readonly #replies: AgentReplies;
  #upstream: Socket | undefined;
  #isConnected = false;
  #clientEnded = false;
  /** The current request, while a guard has yet to decide on it. */
  #hold: RequestHold | undefined;
  #refusal: Refusal | undefined;
  #hasRefused = false;
  readonly #exchanges = new ExchangeQueue();
  /** The exchanges whose request asks to change to another protocol. */
  readonly #upgrades = new WeakSet<Exchange>();
  readonly #caller: CallerConnection;

  constructor(client: Socket, options: ConnectionOptions) {
    this.#client = client;
    this.#options = options;
    this.#caller = { connection: ++count, from: client.remotePort ?? 0, to: options.access.port };
    this.#requests = new HttpFramer('requests', {
      head: head => this.#onRequest(head),
      noHead: () => this.#onNoRequest(),
      raw: bytes => this.#pass(bytes),
      body: bytes => this.#onRequestBody(bytes),
      trailers: headers =>
        this.#exchanges.asking?.note(`The request ended with trailers: ${printHeaders(headers)}`),
      over: () => this.#onRequestOver(),
      foreign: bytes => this.#onForeignRequest(bytes),
      broken: fault => this.#onBrokenRequest(fault),
    });
    this.#replies = new AgentReplies({
      ...options,
      exchanges: this.#exchanges,
      origin: this.#origin,
      answer: bytes => this.#answer(bytes),
      mayUpgrade: exchange => this.#upgrades.has(exchange),
      upgraded: () => this.#onUpgraded(),
    });
    client.on('data', (bytes: Buffer) => this.#onRequestBytes(bytes));
    client.on('end', () => this.#onClientEnd());
    client.on('error', () => this.#onClientError());
    client.on('close', () => this.#onClientClose());
    client.on('drain', this.#goOn);
    this.#waitForRecorder(client);
  }

  /** Ends both sides at once. */
  stop(): void {
    this.#replies.flush();
    this.#client.destroy();
    this.#upstream?.destroy();
  }

  /** The origin under which callers reach the recording. */
  get #origin(): string {
    return `http://127.0.0.1:${this.#options.access.port}`;
  }

  #onRequest(head: MessageHead): FramingResult {
    if (this.#refusal) return { framing: 'tunnel' };
    if (!this.#replies.isInStep) {
      this.stop();
      return { framing: 'tunnel' };
    }
    const { target, recorder, access, onRefused } = this.#options;
    const fault = findRequestFault(head, access);
    if (fault) {
      if (fault.access) onRefused(fault.access);
      this.#refuse({ reply: plainReply('403 Forbidden', fault.message) });
      return { framing: 'tunnel' };
    }
    const { asking } = this.#exchanges;
    if (asking && this.#upgrades.has(asking) && this.#exchanges.isOpen(asking))
      return { fault: 'it comes before the answer to a request that changes to another protocol' };
    const framing = frameRequest(head);
    if ('fault' in framing) return framing;
    const [method = '', path = ''] = head.line.split(' ');
    const line = `${method} ${target.url.origin}${path}`;
    const caller = this.#caller;
    const replaced = target.rewritesCards ? { replaced: namesOf(target.url) } : {};
    const request = { method, path, line, headers: head.headers, caller, ...replaced };
    const exchange = recorder.open(request, this.#origin);
    this.#exchanges.ask(exchange);
    if (recorder.isGuarded) this.#hold = new RequestHold(head);
    const bytes = withHost(head.bytes, target.url.host);
    if (offersHttp2(head)) {
      exchange.note('Its offer of HTTP/2 (Upgrade: h2c) was not forwarded, so that all calls can be read');
      this.#pass(withoutHttp2(bytes));
    } else {
      if (listTokens(head.headers, 'upgrade').length > 0) this.#upgrades.add(exchange);
      this.#pass(bytes);
    }
    return framing;
  }

  #onRequestBody(bytes: Buffer): void {
    this.#exchanges.asking?.requestBody(bytes);
    this.#decide();
  }

  #onRequestOver(): void {
    this.#exchanges.asking?.requestOver();
    this.#decide();
  }

  /** Passes a guarded request on, or refuses it, once enough of it is known. */
  #decide(): void {
    const hold = this.#hold;
    const exchange = this.#exchanges.asking;
    const verdict = hold && exchange?.judge();
    if (!hold || !exchange || !verdict || verdict.kind === 'open') return;
    if (verdict.kind === 'passes') {
      this.#hold = undefined;
      for (const bytes of hold.release()) this.#pass(bytes);
      return;
    }
    const { why, reply } = verdict;
    const { code = 'HTTP 508' } = reply;
    this.#refuse({ reply, of: { exchange, outcome: { status: 'error', code, message: why } } });
  }

  /** Requests the body of a held request from a caller that waits for this, once earlier replies are over. */
  #askForBody(): void {
    const exchange = this.#exchanges.first;
    if (!exchange || exchange !== this.#exchanges.asking || !this.#hold?.waits) return;
    this.#hold.bodyRequested();
    this.#answer(CONTINUE);
    exchange.note(ASKED_FOR_BODY);
  }

  /** Refuses bytes that are not a request: they do not say for whom they are. */
  #onNoRequest(): void {
    const why = 'This is not an HTTP/1.1 request; a recording of an agent over HTTP accepts nothing else';
    this.#refuse({ reply: plainReply('400 Bad Request', why) });
  }

  /** Refuses a request whose end is ambiguous: the agent receives no more of it. */
  #onBrokenRequest(fault: string): void {
    if (this.#refusal) return;
    const message = `Parsers could disagree about where this request ends: ${fault}; it is not forwarded`;
    this.#options.onRefused({ kind: 'framing', who: fault, message });
    const { asking } = this.#exchanges;
    const reply = plainReply('400 Bad Request', message);
    if (!asking || !this.#requests.isInBody) {
      this.#refuse({ reply });
      return;
    }
    const outcome = { status: 'error', code: BAD_FRAMING, message } as const;
    this.#refuse({ reply, of: { exchange: asking, outcome }, isCut: true });
    // The caller has already received part of a reply.
    if (asking.hasReply) this.stop();
  }

  #onUpgraded(): void {
    // What followed the request was refused, which cannot be said in the other protocol.
    if (this.#refusal) this.stop();
    else this.#requests.tunnel();
  }

  /** Nothing passes after a refusal, so these bytes belong to no exchange. */
  #onForeignRequest(bytes: Buffer): void {
    if (!this.#refusal) this.#exchanges.current?.foreign('out', bytes);
  }

  /** From here on nothing passes to the agent. The first refusal counts. */
  #refuse(refusal: Refusal): void {
    this.#refusal ??= refusal;
    this.#hold = undefined;
    this.#sendRefusal();
  }

  /** Sends the refusal: the last reply, which waits for those to earlier requests. */
  #sendRefusal(): void {
    const refusal = this.#refusal;
    const { first } = this.#exchanges;
    if (!refusal || this.#hasRefused || this.#upstream?.readableEnded) return;
    if (first && first !== refusal.of?.exchange) return;
    this.#hasRefused = true;
    if (refusal.of) {
      reportOwnReply(refusal.of.exchange, refusal.reply);
      this.#endOpen();
    }
    this.#client.end(printLastReply(refusal.reply));
    if (refusal.isCut && this.#upstream) reset(this.#upstream);
    else this.#upstream?.end();
    // What the caller still sends is read and dropped, so that it receives the reply.
    setTimeout(() => this.#client.destroy(), UNTIL_HANGUP).unref();
  }

  #pass(bytes: Buffer): void {
    if (this.#refusal) return;
    if (this.#hold) {
      this.#hold.push(bytes);
      return;
    }
    this.#upstream ??= this.#connect();
    if (!this.#upstream.write(bytes)) this.#client.pause();
  }

  #onRequestBytes(bytes: Buffer): void {
    this.#requests.push(bytes);
    this.#askForBody();
    this.#waitForRecorder(this.#client);
  }

  /** Pauses reading while traffic arrives faster than it is recorded, as for a slow reader. */
  #waitForRecorder(from: Socket | undefined): void {
    const { recorder } = this.#options;
    if (!recorder.isFull) return;
    from?.pause();
    recorder.whenFree(this.#goOn);
  }

  /** Resumes reading on each side whose bytes can be passed on. */
  readonly #goOn = (): void => {
    const { recorder } = this.#options;
    // The other side may have caught up while the recorder has not; then this waits for the recorder.
    if (recorder.isFull) return recorder.whenFree(this.#goOn);
    if (!this.#client.writableNeedDrain) this.#upstream?.resume();
    if (this.#upstream?.writableNeedDrain !== true) this.#client.resume();
  };

  #connect(): Socket {
    const { url } = this.#options.target;
    const socket = connectAgent(this.#options.target);
    socket.on('data', (bytes: Buffer) => this.#onReplyBytes(bytes));
    socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => (this.#isConnected = true));
    socket.on('drain', this.#goOn);
    socket.on('end', () => this.#onUpstreamEnd());
    socket.on('error', (error: Error) => this.#onUpstreamError(error));
    socket.on('close', () => this.#onUpstreamClose());
    return socket;
  }

  #onReplyBytes(bytes: Buffer): void {
    const isHeld = this.#replies.hold(bytes);
    const { good, broken } = this.#replies.push(bytes);
    if (!isHeld && good > 0) this.#answer(bytes.subarray(0, good));
    if (broken) this.#refuseReply(broken);
    this.#sendRefusal();
    this.#askForBody();
    this.#waitForRecorder(this.#upstream);
  }

  /** Replies in place of the agent, or breaks off if part of its reply has passed. Both sides end. */
  #refuseReply({ message, isCut }: BrokenReply): void {
    const { first } = this.#exchanges;
    const failed = { code: BAD_FRAMING, message };
    if (isCut || !first || this.#hasRefused) {
      this.#endEach(({ hasReply }) => ({ status: hasReply ? 'incomplete' : 'error', ...failed }));
      reset(this.#client);
    } else {
      const reply = plainReply('502 Bad Gateway', message);
      reportOwnReply(first, reply);
      this.#endEach(() => ({ status: 'error', ...failed }));
      this.#refusal = { reply };
      this.#sendRefusal();
    }
    this.#upstream?.destroy();
  }

  #answer(bytes: Buffer): void {
    if (this.#client.writable && !this.#client.write(bytes)) this.#upstream?.pause();
  }

  #onClientEnd(): void {
    this.#clientEnded = true;
    this.#requests.end();
    if (this.#upstream) this.#upstream.end();
    else this.#client.end();
  }

  #onClientError(): void {
    this.#clientEnded = true;
    if (this.#upstream) reset(this.#upstream);
  }

  #onClientClose(): void {
    this.#clientEnded = true;
    this.#replies.flush();
    if (this.#upstream && !this.#upstream.destroyed) this.#upstream.destroy();
    this.#endOpen();
    this.#exchanges.close();
  }

  #onUpstreamEnd(): void {
    // A body that lasts until the connection ends is incomplete if the caller hung up first.
    if (this.#clientEnded) this.#replies.flush();
    else this.#replies.end();
    this.#replies.releaseCard();
    this.#endOpen();
    this.#client.end();
  }

  #onUpstreamError(error: Error): void {
    this.#replies.flush();
    const { method = 'POST' } = this.#exchanges.current ?? {};
    const progress: Progress = {
      method,
      url: this.#options.target.url,
      isConnected: this.#isConnected,
      statusLine: this.#replies.statusLine,
      received: this.#replies.received,
    };
    const { code, message } = describeNetworkError(error, progress);
    const { first } = this.#exchanges;
    if (!this.#isConnected && !this.#replies.hasBegun && first) {
      const reply = plainReply('502 Bad Gateway', message);
      reportOwnReply(first, reply);
      this.#endEach(() => ({ status: 'error', code, message }));
      this.#refusal = { reply };
      this.#sendRefusal();
      return;
    }
    this.#endEach(({ hasReply }) => ({ status: hasReply ? 'incomplete' : 'error', code, message }));
    // The recording's own reply still has to arrive.
    if (!this.#hasRefused) reset(this.#client);
  }

  #onUpstreamClose(): void {
    this.#endOpen();
    if (!this.#client.destroyed && !this.#hasRefused) this.#client.end();
  }

  /** Nothing more arrives: open exchanges end. */
  #endOpen(): void {
    const state = {
      isUpgraded: this.#replies.isUpgraded,
      clientEnded: this.#clientEnded,
      isForeign: this.#replies.isForeign,
    };
    this.#endEach(({ hasReply }) => describeBreak({ ...state, hasReply }));
  }

  #endEach(outcomeOf: (exchange: Exchange) => ExchangeOutcome): void {
    const { of } = this.#refusal ?? {};
    this.#exchanges.end(exchange => (of?.exchange === exchange ? of.outcome : outcomeOf(exchange)));
  }
}
