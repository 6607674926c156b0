import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { KeptHeader } from '../../core/events/events.ts';
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
import { capTimer } from '../timer.ts';
import type { KeptSockets } from './kept-sockets.ts';
import { findPacking } from './packing.ts';

/** A packet may hold thousands of chunks: more than so many are joined. */
const MOST_PIECES = 16;

/** What protocols ask an agent with. */
export type HttpMethod = 'POST' | 'GET' | 'DELETE';

/** How long to wait, in milliseconds. */
export interface TimeLimits {
  /** For the connection to come about, TLS included. */
  readonly connect: number;
  /** For the answer to begin, and then between two pieces of it. */
  readonly idle: number;
  /** For the whole exchange; undefined: as long as pieces come. */
  readonly total: number | undefined;
  /** What the user is told for `total`, where the exchange has only what is left of a call's time. */
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
  /** Undefined for a request that has none. */
  readonly body: Uint8Array | undefined;
  readonly limits: TimeLimits;
  /** How many bytes of a reply's body are read. */
  readonly maxBytes: number;
  readonly tls: TlsOptions;
  /** Those of the connection that it belongs to; without them it has a socket of its own. */
  readonly sockets?: KeptSockets;
}

/** The head of a reply. */
export interface HttpHead {
  readonly status: number;
  /** `200 OK`. */
  readonly line: string;
  readonly headers: readonly KeptHeader[];
}

/** Hears an exchange as it goes; a body that answers 'enough' is read no further, and the exchange ends well. */
export interface HttpListener {
  requestHead(line: string, headers: readonly KeptHeader[]): void;
  requestBody(bytes: Uint8Array): void;
  replyHead(head: HttpHead): void;
  replyBody(bytes: Uint8Array): 'more' | 'enough';
}

/** What came of an exchange: the head, if one came, and the failure, if the reply is not whole. */
export interface HttpOutcome {
  readonly head: HttpHead | undefined;
  readonly failure: HttpFailure | undefined;
  /** How far it came. */
  readonly progress: Progress;
}

/**
 * Sends one request and reads its reply. Never throws and always ends: on time-out, abort, a cut line and a body past
 * `maxBytes`. Follows no redirect and asks for no compression, so that the bytes are those of the agent; a reply that is
 * compressed all the same is read to its end, not unpacked, and a failure. A socket is kept for the next exchange where the
 * reply came to its end, and closed in any other case. Nothing is ever sent twice: an agent that closes a kept socket while
 * a request is on its way may have carried it out. Any of the signals ends it.
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

class Exchange {
  readonly #asked: HttpRequest;
  readonly #listener: HttpListener;
  readonly #resolve: (outcome: HttpOutcome) => void;
  readonly #cleanups: (() => void)[] = [];
  #request: ClientRequest | undefined;
  #head: HttpHead | undefined;
  #isConnected = false;
  #isWhole = false;
  #isEnough = false;
  #received = 0;
  /** What came since the listener was last called. */
  readonly #pieces: Buffer[] = [];
  #isDone = false;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(request: HttpRequest, listener: HttpListener, resolve: (outcome: HttpOutcome) => void) {
    this.#asked = request;
    this.#listener = listener;
    this.#resolve = resolve;
  }

  start(signals: readonly AbortSignal[]): void {
    const onAbort = (): void => this.#fail(describeCancelled(this.#progress()));
    if (signals.some(({ aborted }) => aborted)) return onAbort();
    // Each is listened to: one that Node joins from several takes longer than much else of an exchange.
    for (const signal of signals) {
      signal.addEventListener('abort', onAbort);
      this.#cleanups.push(() => signal.removeEventListener('abort', onAbort));
    }
    const { total } = this.#asked.limits;
    if (total !== undefined) this.#cleanups.push(this.#limit('total', total));
    // Node throws at once for a header that no request may carry, such as one with a line end in it.
    this.#open().catch(error => this.#fail(describeNetworkError(toError(error), this.#progress())));
  }

  async #open(): Promise<void> {
    const { method, url, headers, body, limits, tls, sockets } = this.#asked;
    const agent = (await sockets?.find(url)) ?? false;
    if (this.#isDone) return;
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method,
      headers: Object.fromEntries(
        body ? [...headers, ['content-length', String(body.length)]] : [...headers],
      ),
      agent,
      ...(tls.ca === undefined ? {} : { ca: tls.ca }),
      ...(tls.cert === undefined ? {} : { cert: tls.cert }),
      ...(tls.key === undefined ? {} : { key: tls.key }),
      rejectUnauthorized: tls.allowSelfSigned !== true,
    });
    this.#request = request;
    const stopConnecting = this.#limit('connect', limits.connect);
    this.#cleanups.push(stopConnecting);
    const onConnect = (): void => {
      this.#isConnected = true;
      stopConnecting();
      // Nothing is on the wire before: a connection that is refused carried no request.
      this.#listener.requestHead(`${method} ${url.href}`, listHeaders(request));
      if (body) this.#listener.requestBody(body);
      this.#waitIdle();
    };
    request.on('socket', socket => {
      sockets?.use(socket);
      if (request.reusedSocket) onConnect();
      else socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', onConnect);
    });
    request.on('error', error => this.#onError(error));
    request.on('response', reply => this.#onReply(reply));
    // Some ends, such as an upgrade that nobody asked for, come without an error.
    request.on('close', () => this.#onClose());
    request.end(body);
  }

  #onReply(reply: IncomingMessage): void {
    const line = `${reply.statusCode ?? 0} ${reply.statusMessage ?? ''}`.trimEnd();
    this.#head = { status: reply.statusCode ?? 0, line, headers: pairHeaders(reply.rawHeaders) };
    this.#waitIdle();
    this.#listener.replyHead(this.#head);
    reply.on('data', (bytes: Buffer) => {
      if (this.#pieces.push(bytes) === 1) process.nextTick(() => this.#takePieces());
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

  /** Hands on the pieces that came in one turn of the event loop; very many of them as one. */
  #takePieces(): void {
    const pieces = this.#pieces.splice(0);
    if (pieces.length > MOST_PIECES) this.#onBytes(Buffer.concat(pieces));
    else for (const piece of pieces) this.#onBytes(piece);
  }

  #onBytes(bytes: Buffer): void {
    if (this.#isDone || this.#isEnough) return;
    this.#waitIdle();
    const room = this.#asked.maxBytes - this.#received;
    const kept = bytes.subarray(0, room);
    this.#received += kept.length;
    const wants = kept.length > 0 ? this.#listener.replyBody(kept) : 'more';
    if (bytes.length > room) this.#fail(describeTooLong(this.#asked.maxBytes, this.#progress()));
    else if (wants === 'enough') this.#endSoon();
  }

  /** Nothing more is read. The end of the body, where it came with these bytes, is heard next: then the socket can be kept. */
  #endSoon(): void {
    this.#isEnough = true;
    setImmediate(() => this.#finish(undefined));
  }

  #onError(error: Error): void {
    this.#takePieces();
    if (this.#isDone) return;
    // What is not HTTP is evidence too: Node hands it over with its error.
    if ('rawPacket' in error && error.rawPacket instanceof Uint8Array && !this.#head) {
      this.#received += error.rawPacket.length;
      this.#listener.replyBody(error.rawPacket);
    }
    this.#fail(describeNetworkError(error, this.#progress()));
  }

  /** Ends the exchange after a time, unless what it answers is called before. */
  #limit(kind: 'connect' | 'idle' | 'total', milliseconds: number): () => void {
    const { total, allowed = milliseconds } = this.#asked.limits;
    const told = milliseconds === total ? allowed : milliseconds;
    const timer = setTimeout(
      () => this.#fail(describeTimeout(kind, told, this.#progress())),
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
    const { idle } = this.#asked.limits;
    this.#idleTimer = setTimeout(
      () => this.#fail(describeTimeout('idle', idle, this.#progress())),
      capTimer(idle),
    );
    this.#cleanups.push(() => clearTimeout(this.#idleTimer));
  }

  #fail(failure: HttpFailure): void {
    this.#finish(failure);
  }

  #finish(failure: HttpFailure | undefined): void {
    if (this.#isDone) return;
    this.#isDone = true;
    for (const cleanup of this.#cleanups) cleanup();
    // A reply may end before all of its request was taken.
    if (!this.#isWhole || this.#request?.writableFinished !== true) this.#request?.destroy();
    this.#resolve({
      head: this.#head,
      failure: this.#isEnough ? undefined : failure,
      progress: this.#progress(),
    });
  }

  #progress(): Progress {
    return {
      method: this.#asked.method,
      url: this.#asked.url,
      isConnected: this.#isConnected,
      isKept: this.#request?.reusedSocket === true,
      statusLine: this.#head?.line,
      received: this.#received,
    };
  }
}

function listHeaders(request: ClientRequest): readonly KeptHeader[] {
  return request.getRawHeaderNames().map(name => {
    const value = request.getHeader(name);
    return { name, value: Array.isArray(value) ? value.join(', ') : String(value ?? '') };
  });
}

/** Raw headers as Node lists them: name, value, name, value. */
export function pairHeaders(raw: readonly string[]): readonly KeptHeader[] {
  const headers: KeptHeader[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2)
    headers.push({ name: raw[at] ?? '', value: raw[at + 1] ?? '' });
  return headers;
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
