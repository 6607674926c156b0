import type { OnReadOpts, Socket } from 'node:net';
import { AgentReplies, type BrokenReply } from './agent-replies.ts';
import { namesOf } from './agent-card.ts';
import type { CallerConnection } from './callers.ts';
import { describeNetworkError, type Progress } from '../http/failure.ts';
import { connectAgent, reset } from './connect-agent.ts';
import { describeBreak } from './break.ts';
import { ExchangeQueue } from './exchange-queue.ts';
import type { Exchange, ExchangeOutcome, ExchangeRecorder } from './exchange.ts';
import type { LocalAccess } from '../http/local-access.ts';
import { HttpFramer, printHeaders } from './http-framer.ts';
import { frameRequest, listTokens, type FramingResult } from './http-framing.ts';
import type { MessageHead } from './http-head.ts';
import { printLastReply, sayPlainly } from './own-reply.ts';
import type { ProxyTarget } from './proxy-target.ts';
import { BAD_FRAMING, tellOwnReply, type Refusal } from './refusal.ts';
import type { RefusedRequest } from './refused-requests.ts';
import { findRequestFault, offersHttp2, withHost, withoutHttp2 } from './request-head.ts';
import { ASKED_FOR_BODY, CONTINUE, RequestHold } from './request-hold.ts';
import type { ReadMemory } from './shared-pages.ts';

/** What a connection needs of the recording that it belongs to. */
export interface ConnectionOptions {
  readonly target: ProxyTarget;
  readonly recorder: ExchangeRecorder;
  /** What the recording admits, with its port. */
  readonly access: LocalAccess;
  /** Reports a request that is refused and belongs to no call. */
  readonly onRefused: (refused: RefusedRequest) => void;
}

/** Connections so far. */
let count = 0;

/** How long a caller may take to hang up after a refusal, in milliseconds. */
const UNTIL_HANGUP = 1_000;

/**
 * One connection of a caller and the one to the agent that belongs to it. Bytes pass as they come, with back-pressure, and
 * each half ends as the other side ended it: what is recorded is only looked at. Of a request the value of `Host` alone is
 * written anew, because the agent is known by another name.
 */
export class ProxyConnection {
  readonly #client: Socket;
  readonly #options: ConnectionOptions;
  readonly #requests: HttpFramer;
  readonly #replies: AgentReplies;
  #upstream: Socket | undefined;
  #isConnected = false;
  #clientEnded = false;
  /** The request that is coming, where a guard has yet to decide on it. */
  #hold: RequestHold | undefined;
  #refusal: Refusal | undefined;
  #hasRefused = false;
  readonly #exchanges = new ExchangeQueue();
  /** Those whose request asks to change to another protocol. */
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

  /** Where callers reach the recording. */
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
      this.#refuse({ reply: sayPlainly('403 Forbidden', fault.message) });
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
      exchange.note(
        'The agent does not get the offer of HTTP/2 in it (Upgrade: h2c), so that all calls can be read',
      );
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

  /** Passes a guarded request on once it is known what it is, or refuses it. */
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

  /** A caller that waits to be asked for the body of a held request is asked once the replies before it are over. */
  #askForBody(): void {
    const exchange = this.#exchanges.first;
    if (!exchange || exchange !== this.#exchanges.asking || !this.#hold?.waits) return;
    this.#hold.asked();
    this.#answer(CONTINUE);
    exchange.note(ASKED_FOR_BODY);
  }

  /** Bytes that are no request: where the caller does not say for whom they are, nothing is passed on. */
  #onNoRequest(): void {
    const why = 'What came is no request of HTTP/1.1; a recording of an agent over HTTP takes nothing else';
    this.#refuse({ reply: sayPlainly('400 Bad Request', why) });
  }

  /** The rest of a request could be read in several ways: none of it passes, and the agent gets no more of what came before. */
  #onBrokenRequest(fault: string): void {
    if (this.#refusal) return;
    const message = `Readers could differ in where this request ends: ${fault}; nothing of that is passed on`;
    this.#options.onRefused({ kind: 'framing', who: fault, message });
    const { asking } = this.#exchanges;
    const reply = sayPlainly('400 Bad Request', message);
    if (!asking || !this.#requests.isInBody) {
      this.#refuse({ reply });
      return;
    }
    const outcome = { status: 'error', code: BAD_FRAMING, message } as const;
    this.#refuse({ reply, of: { exchange: asking, outcome }, isCut: true });
    // The caller has some of a reply already.
    if (asking.hasReply) this.stop();
  }

  #onUpgraded(): void {
    // What came behind the request was refused, and in the other protocol that cannot be said.
    if (this.#refusal) this.stop();
    else this.#requests.tunnel();
  }

  /** Of what follows a refusal nothing passes, so it is nobody's. */
  #onForeignRequest(bytes: Buffer): void {
    if (!this.#refusal) this.#exchanges.current?.foreign('out', bytes);
  }

  /** From here on nothing passes to the agent. The first reason counts. */
  #refuse(refusal: Refusal): void {
    this.#refusal ??= refusal;
    this.#hold = undefined;
    this.#sayRefusal();
  }

  /** Replies stand in the order of their requests: a refusal is the last one, and waits for those before it. */
  #sayRefusal(): void {
    const refusal = this.#refusal;
    const { first } = this.#exchanges;
    if (!refusal || this.#hasRefused || this.#upstream?.readableEnded) return;
    if (first && first !== refusal.of?.exchange) return;
    this.#hasRefused = true;
    if (refusal.of) {
      tellOwnReply(refusal.of.exchange, refusal.reply);
      this.#endOpen();
    }
    this.#client.end(printLastReply(refusal.reply));
    if (refusal.isCut && this.#upstream) reset(this.#upstream);
    else this.#upstream?.end();
    // What the caller still sends is read and dropped, so that it gets the answer.
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

  /** What comes faster than it is recorded is held back, as it is for a slow reader. */
  #waitForRecorder(from: Socket | undefined): void {
    const { recorder } = this.#options;
    if (!recorder.isFull) return;
    from?.pause();
    recorder.whenFree(this.#goOn);
  }

  /** Reads on where there is room for what comes. */
  readonly #goOn = (): void => {
    const { recorder } = this.#options;
    // A reader may have caught up while the recorder has not: then the recorder is what this waits for.
    if (recorder.isFull) return recorder.whenFree(this.#goOn);
    if (!this.#client.writableNeedDrain) this.#upstream?.resume();
    if (this.#upstream?.writableNeedDrain !== true) this.#client.resume();
  };

  #connect(): Socket {
    const { url } = this.#options.target;
    const memory = this.#options.recorder.openMemory();
    const socket = connectAgent(this.#options.target, memory && this.#readTo(memory));
    if (memory) socket.on('close', () => memory.close());
    else socket.on('data', (bytes: Buffer) => this.#onReplyBytes(bytes));
    socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => (this.#isConnected = true));
    socket.on('drain', this.#goOn);
    socket.on('end', () => this.#onUpstreamEnd());
    socket.on('error', (error: Error) => this.#onUpstreamError(error));
    socket.on('close', () => this.#onUpstreamClose());
    return socket;
  }

  #readTo(memory: ReadMemory): OnReadOpts {
    return {
      buffer: () => memory.next(),
      callback: length => {
        this.#onReplyBytes(memory.take(length), memory);
        return true;
      },
    };
  }

  #onReplyBytes(bytes: Buffer, memory?: ReadMemory): void {
    const isHeld = this.#replies.hold(bytes);
    const { good, broken } = this.#replies.push(bytes);
    if (!isHeld && good > 0) this.#answer(good === bytes.length ? bytes : bytes.subarray(0, good), memory);
    if (broken) this.#refuseReply(broken);
    this.#sayRefusal();
    this.#askForBody();
    this.#waitForRecorder(this.#upstream);
  }

  /** The recording answers in the place of the agent, or breaks off where the caller has some of the reply. Both sides end. */
  #refuseReply({ message, isCut }: BrokenReply): void {
    const { first } = this.#exchanges;
    const failed = { code: BAD_FRAMING, message };
    if (isCut || !first || this.#hasRefused) {
      this.#endEach(({ hasReply }) => ({ status: hasReply ? 'incomplete' : 'error', ...failed }));
      reset(this.#client);
    } else {
      const reply = sayPlainly('502 Bad Gateway', message);
      tellOwnReply(first, reply);
      this.#endEach(() => ({ status: 'error', ...failed }));
      this.#refusal = { reply };
      this.#sayRefusal();
    }
    this.#upstream?.destroy();
  }

  #answer(bytes: Buffer, memory?: ReadMemory): void {
    if (!this.#client.writable) return;
    memory?.writing();
    if (!this.#client.write(bytes, memory?.written)) this.#upstream?.pause();
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
    // A body that only the end of the connection ends is not over where the caller hung up before.
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
      const reply = sayPlainly('502 Bad Gateway', message);
      tellOwnReply(first, reply);
      this.#endEach(() => ({ status: 'error', code, message }));
      this.#refusal = { reply };
      this.#sayRefusal();
      return;
    }
    this.#endEach(({ hasReply }) => ({ status: hasReply ? 'incomplete' : 'error', code, message }));
    // What the recording says itself still has to arrive.
    if (!this.#hasRefused) reset(this.#client);
  }

  #onUpstreamClose(): void {
    this.#endOpen();
    if (!this.#client.destroyed && !this.#hasRefused) this.#client.end();
  }

  /** Nothing more comes: what is not over will never be. */
  #endOpen(): void {
    const stand = {
      isUpgraded: this.#replies.isUpgraded,
      clientEnded: this.#clientEnded,
      isForeign: this.#replies.isForeign,
    };
    this.#endEach(({ hasReply }) => describeBreak({ ...stand, hasReply }));
  }

  #endEach(outcomeOf: (exchange: Exchange) => ExchangeOutcome): void {
    const { of } = this.#refusal ?? {};
    this.#exchanges.end(exchange => (of?.exchange === exchange ? of.outcome : outcomeOf(exchange)));
  }
}
