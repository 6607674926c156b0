import { parseJson } from '../../core/text/json.ts';
import { quote } from '../../core/text/quote.ts';
import { findHeader } from '../../core/events/headers.ts';
import { redactUrl } from '../../core/secrets/redact.ts';
import type { ResolvedHttpAgent } from '../config/resolve-agent.ts';
import type { WireListener } from '../connection.ts';
import { exchangeHttp, type HttpHead, type HttpListener, type HttpMethod } from './exchange.ts';
import { tried, type HttpFailure } from './failure.ts';
import type { SocketPool } from './socket-pool.ts';
import { findPacking } from './packing.ts';
import type { HttpLimits } from './http-connection.ts';

/** An exchange without a complete reply, as an error whose message is a sentence for the user. */
export class HttpError extends Error {
  readonly failure: HttpFailure;

  constructor(failure: HttpFailure) {
    super(failure.message);
    this.name = 'HttpError';
    this.failure = failure;
  }
}

/** The parts of a request that decide on its listener and its time limits. */
export interface FetchedRequest {
  readonly method: HttpMethod;
  readonly url: URL;
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array | undefined;
}

/** Reads a reply while it arrives. */
interface ReplyReader {
  /** True once nothing that follows belongs to the reply. */
  readonly isOver: boolean;
}

/** What the requests of a library need. */
export interface FetchOptions {
  readonly agent: Pick<ResolvedHttpAgent, 'url' | 'headers' | 'tls'>;
  readonly limits: HttpLimits;
  /** The sockets of the connection; without them each exchange has a socket of its own. */
  readonly sockets?: SocketPool;
  /** The listener for the bytes of an exchange; called when it begins. */
  listener(request: FetchedRequest): WireListener;
  /** Milliseconds for a whole exchange; undefined: no limit as long as pieces arrive. Called when it begins. */
  total(request: FetchedRequest): number | undefined;
  /** Milliseconds for a call of several exchanges, of which `total` is what is left. */
  readonly allowed?: number | undefined;
  /**
   * Milliseconds of silence after which an exchange is ended; by default `total`, else the limit in `limits`.
   * A stream of events that is read by GET may be silent for any time.
   */
  idle?(request: FetchedRequest): number;
  /** Additional headers for the agent's own origin, by name in lower case; called when an exchange begins. */
  headers?(): ReadonlyMap<string, string>;
  /** What ends an exchange in addition to the signal of its request; called when it begins. */
  signals?(request: FetchedRequest): readonly AbortSignal[];
  /** The part of a reply's bytes that its reader receives, after the listener has received all; by default all. */
  pass?(bytes: Uint8Array, request: FetchedRequest): Uint8Array;
  /** Reads a reply beside the library: its response is then the head alone, and it ends when this reader has enough. */
  reader?(request: FetchedRequest): ReplyReader | undefined;
  /** Receives why an exchange has no complete reply: libraries report this in their own words, or not at all. */
  onFailure?(failure: HttpFailure, request: FetchedRequest): void;
  /** Called when the reply to a request is complete, before its reader is informed. */
  onEnd?(request: FetchedRequest): void;
}

/**
 * `fetch` for the libraries of protocols: a listener receives every byte, certificates are the agent's, and a
 * redirect is an error. The agent's headers are sent to its own origin only. If the reader of a body is
 * slower than the network, at most `limits.maxBytes` of it wait in memory. Rejects with an `HttpError`.
 */
export function makeFetch(options: FetchOptions): typeof fetch {
  return async (input, init) => {
    const { signal: given, ...plain } = await readPlain(input, init);
    const fetched = addHeaders(plain, options);
    const listener = options.listener(fetched);
    const total = options.total(fetched);
    const idle = isEventStream(fetched)
      ? Infinity
      : (options.idle?.(fetched) ?? total ?? options.limits.idle);
    const connect = Math.min(options.limits.connect, total ?? Infinity);
    return new Promise((resolve, reject) => {
      const reply = new StreamedReply(fetched, listener, {
        resolve,
        pass: bytes => options.pass?.(bytes, fetched) ?? bytes,
        reader: options.reader?.(fetched),
      });
      const signals = new Set([reply.given, given, ...(options.signals?.(fetched) ?? [])]);
      const exchange = {
        ...fetched,
        limits: { connect, idle, total, allowed: options.allowed },
        maxBytes: options.limits.maxBytes,
        tls: options.agent.tls,
        ...(options.sockets ? { sockets: options.sockets } : {}),
      };
      void exchangeHttp(exchange, reply.listener, ...listGiven(signals)).then(({ failure: cause }) => {
        const failure = reply.refused ?? cause;
        if (!failure) {
          options.onEnd?.(fetched);
          reply.end();
          return;
        }
        options.onFailure?.(failure, fetched);
        reject(reply.fail(new HttpError(failure)));
      });
    });
  };
}

function listGiven(signals: Iterable<AbortSignal | undefined>): readonly AbortSignal[] {
  return [...signals].filter(each => each !== undefined);
}

interface PlainRequest extends FetchedRequest {
  readonly signal: AbortSignal | undefined;
}

/**
 * The request without our additions. If it consists of texts it is read here, because a `Request` costs more
 * than all else of a call.
 */
async function readPlain(
  input: Parameters<typeof fetch>[0],
  init: Parameters<typeof fetch>[1],
): Promise<PlainRequest> {
  const text = typeof init?.body === 'string' ? init.body : undefined;
  if (input instanceof Request || (init?.body && text === undefined))
    return readWhole(new Request(input, init));
  const headers = new Map(init?.headers instanceof Headers ? init.headers : new Headers(init?.headers));
  if (text !== undefined && !headers.has('content-type'))
    headers.set('content-type', 'text/plain;charset=UTF-8');
  return {
    method: readMethod(init?.method?.toUpperCase() ?? 'GET'),
    url: new URL(input),
    headers,
    body: text === undefined ? undefined : Buffer.from(text),
    signal: init?.signal ?? undefined,
  };
}

async function readWhole(request: Request): Promise<PlainRequest> {
  return {
    method: readMethod(request.method),
    url: new URL(request.url),
    headers: new Map(request.headers),
    body: request.body ? new Uint8Array(await request.arrayBuffer()) : undefined,
    signal: request.signal,
  };
}

function addHeaders(fetched: FetchedRequest, options: FetchOptions): FetchedRequest {
  const isOwn = fetched.url.origin === options.agent.url.origin;
  const headers = new Map([
    ['accept-encoding', 'identity'],
    ['user-agent', 'parley'],
    ...((isOwn ? options.headers?.() : undefined) ?? []),
    ...fetched.headers,
    ...(isOwn ? [...options.agent.headers] : []).map(([name, value]) => [name.toLowerCase(), value] as const),
  ]);
  return { ...fetched, headers };
}

function isEventStream({ method, headers }: FetchedRequest): boolean {
  return method === 'GET' && headers.get('accept')?.includes('text/event-stream') === true;
}

interface StreamedReplyOptions {
  readonly resolve: (response: Response) => void;
  /** The part of the bytes that is to be read. */
  readonly pass: (bytes: Uint8Array) => Uint8Array;
  /** Reads the body if the response does not have it. */
  readonly reader: ReplyReader | undefined;
}

/** A reply whose body is read while it arrives. */
class StreamedReply {
  readonly listener: HttpListener;
  readonly #fetched: FetchedRequest;
  readonly #reader: ReplyReader | undefined;
  readonly #givenUp = new AbortController();
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;
  #refused: HttpFailure | undefined;

  constructor(fetched: FetchedRequest, wire: WireListener, { resolve, pass, reader }: StreamedReplyOptions) {
    this.#fetched = fetched;
    this.#reader = reader;
    this.listener = {
      requestHead: (line, headers) => wire.head('out', line, headers),
      requestBody: (bytes, rest) => wire.bytes('out', bytes, rest),
      replyHead: head => {
        wire.head('in', head.line, head.headers);
        const response = this.#open(head);
        if (response) resolve(response);
      },
      replyBody: (bytes, chunks) => {
        wire.bytes('in', bytes, undefined, undefined, chunks);
        const passed = pass(bytes);
        if (passed.length > 0) this.#body?.enqueue(passed);
        return reader?.isOver === true ? 'enough' : 'more';
      },
      drained: () => wire.messages?.drained?.(),
    };
  }

  /** Aborted once the reader of the body stops reading. */
  get given(): AbortSignal | undefined {
    return this.#reader ? undefined : this.#givenUp.signal;
  }

  /** Why its head is not accepted. */
  get refused(): HttpFailure | undefined {
    return this.#refused;
  }

  end(): void {
    this.#body?.close();
    this.#body = undefined;
  }

  fail(error: HttpError): HttpError {
    this.#body?.error(error);
    this.#body = undefined;
    return error;
  }

  /** Undefined for a head that is not accepted; the body that follows is observed, but not read. */
  #open(head: HttpHead): Response | undefined {
    const location = findHeader(head.headers, 'location');
    if (head.status >= 300 && head.status < 400 && location !== undefined) {
      this.#refused = describeRedirect(this.#fetched, head, location);
      return undefined;
    }
    const init = {
      status: head.status,
      statusText: head.line.replace(/^\d+ ?/, ''),
      headers: head.headers.map(({ name, value }): [string, string] => [name, value]),
    };
    const isPacked = findPacking(head.headers) !== undefined;
    // A compressed body is not read, and the exchange fails at its end. How to sign in is in the head.
    if (isPacked && head.status !== UNAUTHORIZED) return undefined;
    try {
      // A response without a body must not get one (Fetch, "null body status").
      return isPacked || this.#reader || NO_BODY.has(head.status)
        ? new Response(null, init)
        : limitJson(new Response(this.#openBody(), init));
    } catch {
      // A status or a header that Fetch does not support.
      this.#refused = describeUnexpectedHead(this.#fetched, head);
      return undefined;
    }
  }

  #openBody(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>({
      start: controller => void (this.#body = controller),
      cancel: () => {
        this.#body = undefined;
        this.#givenUp.abort();
      },
    });
  }
}

const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);
const UNAUTHORIZED = 401;

/** The maximum number of characters shown of an address that came from outside. */
const LONGEST_ADDRESS = 200;

function describeRedirect(fetched: FetchedRequest, head: HttpHead, location: string): HttpFailure {
  const target = URL.canParse(location, fetched.url.href) ? new URL(location, fetched.url).href : location;
  return {
    kind: 'not-http',
    code: `HTTP ${head.status}`,
    message: `${tried(fetched)}: ${head.line} came, which redirects to ${quote(redactUrl(target), LONGEST_ADDRESS)}, and redirects are not followed; put that address into the agent's url if you trust it`,
  };
}

function describeUnexpectedHead(fetched: FetchedRequest, head: HttpHead): HttpFailure {
  return {
    kind: 'not-http',
    code: `HTTP ${head.status}`,
    message: `${tried(fetched)}: ${quote(head.line)} came, which is not an HTTP response; check that the agent's url and port are those of an HTTP server`,
  };
}

function readMethod(method: string): HttpMethod {
  if (method === 'GET' || method === 'DELETE' || method === 'POST') return method;
  throw new TypeError(`No protocol sends ${method}`);
}

/**
 * A response that parses its JSON with the maximum nesting of our readers: libraries would use the engine's
 * parser, which takes 100 bytes of memory for each bracket.
 */
function limitJson(response: Response): Response {
  const json = async (): Promise<unknown> => {
    const value = parseJson(await response.text());
    if (value === undefined) throw new SyntaxError('The body of the response is not valid JSON');
    return value;
  };
  return Object.assign(response, { json });
}
