import { joinWords } from '../../core/text/count.ts';
import { isUtf8 } from 'node:buffer';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { CallOrigin, StoredHeader } from '../../core/events/events.ts';
import type { CallerReply, CallerRequest } from '../../protocols/serving/serving.ts';
import { pairHeaders } from '../http/exchange.ts';
import { findAccessFault, listenLoopback } from '../http/local-access.ts';
import { Utf8Blocks } from './utf8-blocks.ts';
import { watchCaller } from './half-closed.ts';

/** Observes one exchange with a caller, unchanged. */
export interface ExchangeObserver {
  /** The whole body of the request has arrived. Returns its place in the trace. */
  request(body: Uint8Array): CallOrigin | undefined;
  head?(line: string, status: number, headers: readonly StoredHeader[]): void;
  body?(bytes: Uint8Array): void;
  note?(text: string): void;
  /** The reply is complete; `gone` if the caller left before. */
  end(how: 'whole' | 'gone'): void;
}

/** Begins to observe a request. */
export type ObserveExchange = (
  request: IncomingMessage,
  headers: readonly StoredHeader[],
) => ExchangeObserver;

/** A request of a caller over HTTP. */
export interface HostRequest extends CallerRequest {
  readonly gone: AbortSignal;
}

export interface HttpHostOptions {
  /** What is served, for messages: `the demo agent`, `the bridge to figma`. */
  readonly name: string;
  /** The port; 0 for any free one. */
  readonly port?: number;
  /** True where callers may reach it through another port, as of a tunnel. */
  readonly takesAnyPort?: boolean;
  /** The maximum number of bytes of a request's body; longer ones are answered with 413. */
  readonly maxBytes: number;
  /** Answers a request of a method in `methods`. If it throws, the reply is 500. */
  readonly answer: (request: HostRequest, reply: CallerReply) => Promise<void>;
  /** `POST` alone if missing. */
  readonly methods?: readonly string[];
  readonly observe?: ObserveExchange;
}

export interface HttpHost {
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  close(): Promise<void>;
}

export type StartedHost =
  | { readonly ok: true; readonly host: HttpHost }
  /** A sentence for the user. */
  | { readonly ok: false; readonly message: string };

/** Callers may reach it through another port, for example that of a tunnel. */
const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** The number of characters from which on the pieces of a reply are written without waiting for more. */
const MAX_JOINED = 2 ** 16;

/** Shared by all replies, most of which need a small part of a block. */
const BLOCKS = new Utf8Blocks();

/** Milliseconds that a caller has to send a request. */
const REQUEST_TIMEOUT = 30_000;
/** Far more than the calls that may be open, so that further callers receive the error for a busy agent. */
const MAX_CONNECTIONS = 4_096;
/** The number of requests of the maximum length that may be open; more bytes than these have are refused as busy. */
const MAX_LONGEST = 16;

/**
 * Serves requests on a port of the loopback interface. Refuses requests for another host name, so that no page in a
 * browser reaches it by a name that resolves to 127.0.0.1, and requests of web pages. Continues after any bad input.
 */
export async function startHttpHost(options: HttpHostOptions): Promise<StartedHost> {
  const closing = new AbortController();
  const serving = { ...options, closing: closing.signal, listens: 0, openBytes: 0 };
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT }, (request, response) => {
    // `serve` answers in any case, so there is nothing to wait for.
    void serve(serving, request, response);
  });
  server.maxConnections = MAX_CONNECTIONS;
  // A caller that closes its side of the connection may still wait for the reply.
  Object.assign(server, { httpAllowHalfOpen: true });
  const listening = await listenLoopback(server, options.port ?? 0);
  if (!listening.ok) return listening;
  serving.listens = listening.port;
  const host: HttpHost = {
    origin: `http://127.0.0.1:${listening.port}`,
    close: () =>
      new Promise(resolve => {
        closing.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return { ok: true, host };
}

interface Serving extends HttpHostOptions {
  readonly closing: AbortSignal;
  /** The port that it listens on. */
  readonly listens: number;
  /** The number of bytes of the requests that are open. */
  openBytes: number;
}

async function serve(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const headers = pairHeaders(request.rawHeaders);
  const target = readTarget(request.url ?? '/');
  request.url = target.url;
  const refusal = findRefusal(serving, request, withTargetHost(headers, target));
  const observer = refusal ? undefined : serving.observe?.(request, headers);
  const gone = new AbortController();
  response.on('close', () => {
    // A reply that was sent whole ends its call by itself.
    if (!response.writableFinished) gone.abort();
    observer?.end(response.writableFinished ? 'whole' : 'gone');
  });
  // Errors of a caller's connection end only that call.
  request.on('error', () => gone.abort());
  response.on('error', () => gone.abort());
  watchCaller(request, response);
  const reply = writeTo(response, observer);
  try {
    if (refusal) return refuse(request, reply, refusal);
    const { path, query } = target;
    const method = request.method ?? '';
    const fault = findFault(request, serving);
    if (fault) return refuse(request, reply, fault);
    const bytes = await readBody(request, serving, response);
    if ('status' in bytes) return refuse(request, reply, bytes);
    const signal = AbortSignal.any([gone.signal, serving.closing]);
    const header = (name: string): string | undefined => request.headersDistinct[name]?.[0];
    const origin = observer?.request(bytes);
    if (!isUtf8(bytes))
      reply.note('The request is not UTF-8: bytes that are no characters are read as U+FFFD');
    await serving.answer(
      { method, path, query, header, body: bytes.toString('utf8'), gone: signal, origin },
      reply,
    );
  } catch (error) {
    if (gone.signal.aborted) return;
    if (response.headersSent) response.destroy();
    else reply.send(500, 'text/plain', `${serving.name} failed: ${String(error)}`);
  }
}

/** What a request is for. */
interface Target {
  /** The path and the query, as a request without a proxy has them. */
  readonly url: string;
  readonly path: string;
  readonly query: string | undefined;
  /** The host that the target itself names, as requests through a proxy do (RFC 9112, section 3.2.2). */
  readonly host: string | undefined;
}

function readTarget(given: string): Target {
  const host = /^http:\/\/([^/?#]*)/i.exec(given)?.[1];
  const rest = host === undefined ? given : given.slice('http://'.length + host.length);
  const url = rest === '' || rest.startsWith('?') ? `/${rest}` : rest;
  const [path = '/'] = url.split('?', 1);
  return { url, path, query: url === path ? undefined : url.slice(path.length + 1), host };
}

/** The headers with the host that the target names, which counts in place of the Host header. */
function withTargetHost(headers: readonly StoredHeader[], { host }: Target): readonly StoredHeader[] {
  if (host === undefined) return headers;
  return [...headers.filter(({ name }) => name.toLowerCase() !== 'host'), { name: 'Host', value: host }];
}

interface Refusal {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function findRefusal(
  { listens, takesAnyPort, name }: Serving,
  request: IncomingMessage,
  headers: readonly StoredHeader[],
): Refusal | undefined {
  const refused = findAccessFault(headers, {
    port: listens,
    ...(takesAnyPort ? { hosts: LOOPBACK_NAMES } : {}),
  });
  if (refused?.kind === 'host') return { status: 403, text: `${name} answers on loopback names only` };
  // It serves no pages, so no origin is its own.
  if (refused ?? request.headers.origin !== undefined)
    return { status: 403, text: `${name} answers no web pages` };
  return undefined;
}

/** Refuses a request. The rest of it is read and dropped, so that a caller that still sends receives the refusal. */
function refuse(request: IncomingMessage, reply: CallerReply, refusal: Refusal): void {
  reply.send(refusal.status, 'text/plain', refusal.text, refusal.headers);
  request.resume();
}

/** Why a request is refused before its body is read. */
function findFault(
  { method = '', headers }: IncomingMessage,
  { methods = ['POST'] }: Serving,
): Refusal | undefined {
  if (!methods.includes(method))
    return {
      status: 405,
      text: `Send a ${joinWords(methods, 'or')} request`,
      headers: { allow: methods.join(', ') },
    };
  const packed = headers['content-encoding'] ?? 'identity';
  if (packed.toLowerCase() === 'identity') return undefined;
  return {
    status: 415,
    text: `The request is compressed (${packed}): send it without Content-Encoding`,
    headers: { 'accept-encoding': 'identity' },
  };
}

/** The body, which counts until its response is closed, or why it is not taken. */
async function readBody(
  request: IncomingMessage,
  serving: Serving,
  response: ServerResponse,
): Promise<Buffer | Refusal> {
  const { maxBytes, name } = serving;
  const pieces: Uint8Array[] = [];
  let length = 0;
  let counted = 0;
  let isBusy = false;
  response.once('close', () => (serving.openBytes -= counted));
  for await (const piece of request) {
    if (!(piece instanceof Uint8Array)) continue;
    length += piece.length;
    isBusy ||= serving.openBytes + piece.length > maxBytes * MAX_LONGEST;
    if (length <= maxBytes && !isBusy) {
      pieces.push(piece);
      counted += piece.length;
      serving.openBytes += piece.length;
    }
    // A caller that sends far too much is cut off; one that sends a little too much receives the reason.
    if (length > maxBytes * 4 + 1_000_000) throw new Error('The request does not end');
  }
  if (length > maxBytes)
    return { status: 413, text: `The request is too long: ${name} takes at most ${maxBytes} bytes` };
  if (!isBusy) return Buffer.concat(pieces);
  const text = `${name} has too many long requests open; try again when one has ended`;
  return { status: 503, text, headers: { 'retry-after': '1' } };
}

function writeTo(response: ServerResponse, observer: ExchangeObserver | undefined): CallerReply {
  const begin = (status: number, headers: Readonly<Record<string, string | number>>): void => {
    response.writeHead(status, headers);
    observer?.head?.(`${status} ${response.statusMessage}`, status, listHeaders(headers));
  };
  /** The pieces of this turn of the event loop, which are written together. */
  let waiting: string[] = [];
  let length = 0;
  const flush = (): void => {
    for (const bytes of BLOCKS.encode(waiting)) {
      observer?.body?.(bytes);
      response.write(bytes);
    }
    waiting = [];
    length = 0;
  };
  return {
    send(status, contentType, body, headers) {
      const bytes = Buffer.from(body);
      begin(status, { 'content-type': contentType, 'content-length': bytes.length, ...headers });
      observer?.body?.(bytes);
      response.end(bytes);
    },
    write(contentType, piece, headers) {
      if (!response.headersSent) begin(200, { 'content-type': contentType, ...headers });
      if (waiting.length === 0) process.nextTick(flush);
      waiting.push(piece);
      length += piece.length;
      if (length >= MAX_JOINED) flush();
    },
    end() {
      flush();
      response.end();
    },
    drained() {
      flush();
      return response.writableNeedDrain ? settled(response) : undefined;
    },
    note: text => observer?.note?.(text),
  };
}

/** Resolves when the caller has taken what was written, or has gone. */
function settled(response: ServerResponse): Promise<void> {
  return new Promise(resolve => {
    const settle = (): void => {
      response.off('drain', settle).off('close', settle);
      resolve();
    };
    response.on('drain', settle).on('close', settle);
  });
}

function listHeaders(headers: Readonly<Record<string, string | number>>): readonly StoredHeader[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value: String(value) }));
}
