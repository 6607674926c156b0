import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StoredHeader } from '../../core/events/events.ts';
import {
  describeCancelled,
  describeCut,
  describeNetworkError,
  describePacked,
  describeTimeout,
  describeTooLong,
  type HttpFailure,
  type Progress,
} from './failure.ts';
import { cutBytes } from '../stored-bytes.ts';
import { capTimer } from '../timer.ts';
import type { SocketPool } from './socket-pool.ts';
import { findPacking } from './packing.ts';

/** The maximum number of bytes of a request's body that the listener receives in one turn of the event loop. */
const PIECE = 2 ** 18;

/** A packet may hold thousands of chunks: those below this number of bytes are joined. */
const SMALL = 1024;

/** The HTTP methods that protocols use. */
export type HttpMethod = 'POST' | 'GET' | 'DELETE';

/** How long to wait, in milliseconds. */
export interface TimeLimits {
  /** For the connection to be established, including TLS. */
  readonly connect: number;
  /** For the reply to begin, and then between two pieces of it. */
  readonly idle: number;
  /** For the whole exchange; undefined: no limit as long as pieces arrive. */
  readonly total: number | undefined;
  /** The limit to report instead of `total`, if that is only what is left of a call's time. */
  readonly allowed?: number | undefined;
}

/** Certificates for https, each as PEM text. */
export interface TlsOptions {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly allowSelfSigned?: boolean;
}

/** One request. */
export interface HttpRequest {
  readonly method: HttpMethod;
  readonly url: URL;
  readonly headers: ReadonlyMap<string, string>;
  /** Undefined for a request without a body. */
  readonly body: Uint8Array | undefined;
  readonly limits: TimeLimits;
  /** The maximum number of bytes of a reply's body that are read. */
  readonly maxBytes: number;
  readonly tls: TlsOptions;
  /** The sockets of its connection; without them the request has a socket of its own. */
  readonly sockets?: SocketPool;
}

/** The head of a reply. */
export interface HttpHead {
  readonly status: number;
  /** `200 OK`. */
  readonly line: string;
  readonly headers: readonly StoredHeader[];
}

/** Observes an exchange. Once `replyBody` returns 'enough', no more is read and the exchange has succeeded. */
export interface HttpListener {
  requestHead(line: string, headers: readonly StoredHeader[]): void;
  /** `rest` is `more` if the body continues. */
  requestBody(bytes: Uint8Array, rest?: 'more'): void;
  replyHead(head: HttpHead): void;
  /** `chunks` is the number of chunks in which the bytes arrived. */
  replyBody(bytes: Uint8Array, chunks: number): 'more' | 'enough';
  /** Resolves when more of the body may be read; undefined if it may be now. */
  drained?(): Promise<void> | undefined;
}

/** The outcome of an exchange: the head, if one arrived, and the failure, if the reply is incomplete. */
export interface HttpOutcome {
  readonly head: HttpHead | undefined;
  readonly failure: HttpFailure | undefined;
  /** How far the exchange got. */
  readonly progress: Progress;
}

/**
 * Sends one request and reads its reply. Never throws and always ends: on time-out, abort, a broken
 * connection and a body longer than `maxBytes`. Follows no redirect and asks for no compression, so that the
 * bytes are those of the agent; a reply that is compressed all the same is read to its end, not decompressed,
 * and counts as a failure. A socket is retained for the next exchange if the reply is complete, and closed
 * otherwise. Nothing is ever sent twice: an agent that closes a retained socket may already have carried out
 * the request. Any of the signals ends the exchange.
 */
export function exchangeHttp(
  request: HttpRequest,
  listener: HttpListener,
  ...signals: readonly AbortSignal[]
): Promise<HttpOutcome> {
  return new Promise(resolve => {
    const exchange = new Exchange(request, listener, resolve);
    exchange.start(signals);
  });
}

const NOBODY: HttpListener = {
  requestHead: () => undefined,
  requestBody: () => undefined,
  replyHead: () => undefined,
  replyBody: () => 'enough',
};

class Exchange {
  readonly #sent: HttpRequest;
  #listener: HttpListener;
  readonly #resolve: (outcome: HttpOutcome) => void;
  readonly #cleanups: (() => void)[] = [];
  #request: ClientRequest | undefined;
  #head: HttpHead | undefined;
  #isConnected = false;
  #isWhole = false;
  #isEnough = false;
  #received = 0;
  /** The pieces received since the listener was last called. */
  readonly #pieces: Buffer[] = [];
  #isDone = false;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(request: HttpRequest, listener: HttpListener, resolve: (outcome: HttpOutcome) => void) {
    this.#sent = request;
    this.#listener = listener;
    this.#resolve = resolve;
  }

  start(signals: readonly AbortSignal[]): void {
    const onAbort = (): void => this.#fail(describeCancelled(this.#progress()));
    if (signals.some(({ aborted }) => aborted)) return onAbort();
    // Each signal is observed separately: joining them with Node takes longer than most of an exchange.
    for (const signal of signals) {
      signal.addEventListener('abort', onAbort);
      this.#cleanups.push(() => signal.removeEventListener('abort', onAbort));
    }
    const { total } = this.#sent.limits;
    if (total !== undefined) this.#cleanups.push(this.#limit('total', total));
    // Node throws at once for a header that no request may carry, for example one with a line end.
    this.#open().catch(error => this.#failBy(error));
  }

  async #open(): Promise<void> {
    const { method, url, headers, body, limits, tls, sockets } = this.#sent;
    const { allowSelfSigned, ...files } = tls;
    const agent = (await sockets?.find(url)) ?? false;
    if (this.#isDone) return;
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method,
      headers: Object.fromEntries(
        body ? [...headers, ['content-length', String(body.length)]] : [...headers],
      ),
      agent,
      ...files,
      rejectUnauthorized: allowSelfSigned !== true,
    });
    this.#request = request;
    const stopConnecting = this.#limit('connect', limits.connect);
    this.#cleanups.push(stopConnecting);
    const onConnect = (): void => {
      this.#isConnected = true;
      stopConnecting();
      // Nothing was sent before: a connection that is refused carried no request.
      this.#listener.requestHead(`${method} ${url.href}`, listHeaders(request));
      if (body) this.#sendBody(request, body).catch(error => this.#failBy(error));
      else this.#waitIdle();
    };
    request.on('socket', socket => {
      sockets?.use(socket);
      if (request.reusedSocket) onConnect();
      else socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', onConnect);
    });
    request.on('error', error => this.#onError(error));
    request.on('response', reply => this.#onReply(reply));
    // Some ends, such as an unexpected upgrade, come without an error.
    request.on('close', () => this.#onClose());
    if (!body) request.end();
  }

  /** Passes the body to the listener, a long one in pieces, because it is searched for secrets; then sends it. */
  async #sendBody(request: ClientRequest, body: Uint8Array): Promise<void> {
    const pieces = [...cutBytes(body, PIECE)];
    const last = pieces.pop() ?? body;
    for (const piece of pieces) {
      this.#listener.requestBody(piece, 'more');
      await nextTurn();
      if (this.#isDone) return;
    }
    this.#listener.requestBody(last);
    this.#waitIdle();
    request.end(body);
  }

  #onReply(reply: IncomingMessage): void {
    const line = `${reply.statusCode ?? 0} ${reply.statusMessage ?? ''}`.trimEnd();
    this.#head = { status: reply.statusCode ?? 0, line, headers: pairHeaders(reply.rawHeaders) };
    this.#waitIdle();
    this.#listener.replyHead(this.#head);
    reply.on('data', (bytes: Buffer) => {
      if (this.#pieces.push(bytes) > 1) return;
      process.nextTick(() => {
        this.#takePieces();
        this.#waitForListener(reply);
      });
    });
    const packing = findPacking(this.#head.headers);
    reply.on('end', () => {
      this.#takePieces();
      this.#isWhole = true;
      this.#finish(packing === undefined ? undefined : describePacked(packing, this.#progress()));
    });
    reply.on('error', error => this.#onError(error));
    reply.on('close', () => this.#fail(describeCut('ECONNRESET', this.#progress())));
  }

  #onClose(): void {
    if (!this.#head) this.#onError(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
  }

  /** Passes on the pieces that arrived in one turn of the event loop; small ones that follow each other as one. */
  #takePieces(): void {
    let small: Buffer[] = [];
    const pass = (): void => {
      if (small.length > 0) this.#onBytes(Buffer.concat(small), small.length);
      small = [];
    };
    for (const piece of this.#pieces.splice(0)) {
      if (piece.length < SMALL) small.push(piece);
      else {
        pass();
        this.#onBytes(piece, 1);
      }
    }
    pass();
  }

  /** Reads no more until the listener can take it. This time is not silence of the agent. */
  #waitForListener(reply: IncomingMessage): void {
    const drained = this.#isDone || reply.isPaused() ? undefined : this.#listener.drained?.();
    if (!drained) return;
    reply.pause();
    clearTimeout(this.#idleTimer);
    this.#idleTimer = undefined;
    void drained.then(() => {
      this.#waitIdle();
      reply.resume();
    });
  }

  #onBytes(bytes: Buffer, chunks: number): void {
    if (this.#isDone || this.#isEnough) return;
    this.#waitIdle();
    const remaining = this.#sent.maxBytes - this.#received;
    const stored = bytes.subarray(0, remaining);
    this.#received += stored.length;
    const wants = stored.length > 0 ? this.#listener.replyBody(stored, chunks) : 'more';
    if (bytes.length > remaining) this.#fail(describeTooLong(this.#sent.maxBytes, this.#progress()));
    else if (wants === 'enough') this.#endSoon();
  }

  /**
   * Reads no more. If the end of the body arrived with these bytes, it is processed first, so that the socket
   * is retained.
   */
  #endSoon(): void {
    this.#isEnough = true;
    setImmediate(() => this.#finish(undefined));
  }

  #onError(error: Error): void {
    this.#takePieces();
    if (this.#isDone) return;
    // Data that is not HTTP is reported too: Node passes it with its error.
    if ('rawPacket' in error && error.rawPacket instanceof Uint8Array && !this.#head) {
      this.#received += error.rawPacket.length;
      this.#listener.replyBody(error.rawPacket, 1);
    }
    this.#fail(describeNetworkError(error, this.#progress()));
  }

  /** Ends the exchange after a time, unless the returned function is called before. */
  #limit(kind: 'connect' | 'idle' | 'total', milliseconds: number): () => void {
    const { total, allowed = milliseconds } = this.#sent.limits;
    const reported = milliseconds === total ? allowed : milliseconds;
    const timer = setTimeout(
      () => this.#fail(describeTimeout(kind, reported, this.#progress())),
      capTimer(milliseconds),
    );
    return () => clearTimeout(timer);
  }

  #waitIdle(): void {
    if (this.#isDone) return;
    if (this.#idleTimer) {
      this.#idleTimer.refresh();
      return;
    }
    const { idle } = this.#sent.limits;
    this.#idleTimer = setTimeout(
      () => this.#fail(describeTimeout('idle', idle, this.#progress())),
      capTimer(idle),
    );
  }

  #failBy(error: unknown): void {
    this.#fail(describeNetworkError(toError(error), this.#progress()));
  }

  #fail(failure: HttpFailure): void {
    this.#finish(failure);
  }

  #finish(failure: HttpFailure | undefined): void {
    if (this.#isDone) return;
    this.#isDone = true;
    clearTimeout(this.#idleTimer);
    for (const cleanup of this.#cleanups) cleanup();
    // Its socket may live on, and would hold what the listener has read.
    this.#listener = NOBODY;
    // A reply may end before all of its request was sent.
    if (!this.#isWhole || this.#request?.writableFinished !== true) this.#request?.destroy();
    this.#resolve({
      head: this.#head,
      failure: this.#isEnough ? undefined : failure,
      progress: this.#progress(),
    });
  }

  #progress(): Progress {
    return {
      method: this.#sent.method,
      url: this.#sent.url,
      isConnected: this.#isConnected,
      isReused: this.#request?.reusedSocket === true,
      statusLine: this.#head?.line,
      received: this.#received,
    };
  }
}

function listHeaders(request: ClientRequest): readonly StoredHeader[] {
  return request.getRawHeaderNames().map(name => {
    const value = request.getHeader(name);
    return { name, value: Array.isArray(value) ? value.join(', ') : String(value ?? '') };
  });
}

/** Pairs raw headers, which Node lists as name, value, name, value. */
export function pairHeaders(raw: readonly string[]): readonly StoredHeader[] {
  const headers: StoredHeader[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2)
    headers.push({ name: raw[at] ?? '', value: raw[at + 1] ?? '' });
  return headers;
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
