import { parseJson } from '../../core/text/json.ts';
import { quote } from '../../core/text/quote.ts';
import { findHeader } from '../../core/events/headers.ts';
import { redactUrl } from '../../core/secrets/redact.ts';
import type { ResolvedHttpAgent } from '../config/resolve-agent.ts';
import type { WireListener } from '../connection.ts';
import { exchangeHttp, type HttpHead, type HttpListener, type HttpMethod } from './exchange.ts';
import { tried, type HttpFailure } from './failure.ts';
import type { KeptSockets } from './kept-sockets.ts';
import { findPacking } from './packing.ts';
import type { HttpLimits } from './http-connection.ts';

/** An exchange that came to no whole reply, as an error: the message is a sentence for a person. */
export class HttpError extends Error {
  readonly failure: HttpFailure;

  constructor(failure: HttpFailure) {
    super(failure.message);
    this.name = 'HttpError';
    this.failure = failure;
  }
}

/** What of a request decides who hears it and how long it may take. */
export interface FetchedRequest {
  readonly method: HttpMethod;
  readonly url: URL;
  /** By name in small letters. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array | undefined;
}

/** Reads a reply while it is heard. */
interface ReplyReader {
  /** True once nothing that follows belongs to the reply. */
  readonly isOver: boolean;
}

/** What a library's requests go through. */
export interface FetchOptions {
  readonly agent: Pick<ResolvedHttpAgent, 'url' | 'headers' | 'tls'>;
  readonly limits: HttpLimits;
  /** Those of the connection; without them each exchange has a socket of its own. */
  readonly sockets?: KeptSockets;
  /** Who hears the bytes of an exchange; asked when it begins. */
  listener(request: FetchedRequest): WireListener;
  /** Milliseconds for the whole of an exchange; undefined: as long as pieces come. Asked when it begins. */
  total(request: FetchedRequest): number | undefined;
  /** Milliseconds that a call of several exchanges may take, of which `total` is what is left. */
  readonly allowed?: number | undefined;
  /**
   * Milliseconds of silence after which an exchange is given up; without it those of `limits`, or of `total`. A stream of
   * events that is read by GET may be silent for as long as it likes.
   */
  idle?(request: FetchedRequest): number;
  /** Headers for the agent's own origin besides its own, by name in small letters; asked when an exchange begins. */
  headers?(): ReadonlyMap<string, string>;
  /** What ends an exchange besides the signal of its request; asked when it begins. */
  signals?(request: FetchedRequest): readonly AbortSignal[];
  /** What of the bytes of a reply, which were heard already, its reader gets; all of them without it. */
  pass?(bytes: Uint8Array, request: FetchedRequest): Uint8Array;
  /** Who reads a reply where it is heard: its response is the head alone, and it goes on no longer than that wants. */
  reader?(request: FetchedRequest): ReplyReader | undefined;
  /** Hears why an exchange came to no whole reply: libraries tell of it in words of their own, or not at all. */
  onFailure?(failure: HttpFailure, request: FetchedRequest): void;
  /** Hears that the reply to a request is whole, before its reader does. */
  onEnd?(request: FetchedRequest): void;
}

/**
 * `fetch` for the libraries of protocols: every byte of it is heard, certificates are the agent's, and no redirect is
 * followed: one is an error. The agent's headers go to its own origin alone. Of a body whose reader is slower than the
 * network no more waits in memory than `limits.maxBytes`. Rejects with an `HttpError`.
 */
export function makeFetch(options: FetchOptions): typeof fetch {
  return async (input, init) => {
    const { signal: given, ...plain } = await readPlain(input, init);
    const asked = addHeaders(plain, options);
    const listener = options.listener(asked);
    const total = options.total(asked);
    const idle = isEventStream(asked) ? Infinity : (options.idle?.(asked) ?? total ?? options.limits.idle);
    const connect = Math.min(options.limits.connect, total ?? Infinity);
    return new Promise((resolve, reject) => {
      const reply = new StreamedReply(asked, listener, {
        resolve,
        pass: bytes => options.pass?.(bytes, asked) ?? bytes,
        reader: options.reader?.(asked),
      });
      const signals = new Set([reply.given, given, ...(options.signals?.(asked) ?? [])]);
      const exchange = {
        ...asked,
        limits: { connect, idle, total, allowed: options.allowed },
        maxBytes: options.limits.maxBytes,
        tls: options.agent.tls,
        ...(options.sockets ? { sockets: options.sockets } : {}),
      };
      void exchangeHttp(exchange, reply.listener, ...listGiven(signals)).then(({ failure: cause }) => {
        const failure = reply.refused ?? cause;
        if (!failure) {
          options.onEnd?.(asked);
          reply.end();
          return;
        }
        options.onFailure?.(failure, asked);
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

/** What is asked, without what we add. A request of texts is read here: a `Request` costs more than all else of a call. */
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

function addHeaders(asked: FetchedRequest, options: FetchOptions): FetchedRequest {
  const isOwn = asked.url.origin === options.agent.url.origin;
  const headers = new Map([
    ['accept-encoding', 'identity'],
    ['user-agent', 'parley'],
    ...((isOwn ? options.headers?.() : undefined) ?? []),
    ...asked.headers,
    ...(isOwn ? [...options.agent.headers] : []).map(([name, value]) => [name.toLowerCase(), value] as const),
  ]);
  return { ...asked, headers };
}

function isEventStream({ method, headers }: FetchedRequest): boolean {
  return method === 'GET' && headers.get('accept')?.includes('text/event-stream') === true;
}

interface StreamedReplyOptions {
  readonly resolve: (response: Response) => void;
  /** What of the bytes is to be read. */
  readonly pass: (bytes: Uint8Array) => Uint8Array;
  /** Who reads the body, where its response does not have it. */
  readonly reader: ReplyReader | undefined;
}

/** A reply whose body is read while it comes. */
class StreamedReply {
  readonly listener: HttpListener;
  readonly #asked: FetchedRequest;
  readonly #reader: ReplyReader | undefined;
  readonly #givenUp = new AbortController();
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;
  #refused: HttpFailure | undefined;

  constructor(asked: FetchedRequest, wire: WireListener, { resolve, pass, reader }: StreamedReplyOptions) {
    this.#asked = asked;
    this.#reader = reader;
    this.listener = {
      requestHead: (line, headers) => wire.head('out', line, headers),
      requestBody: bytes => wire.bytes('out', bytes),
      replyHead: head => {
        wire.head('in', head.line, head.headers);
        const response = this.#open(head);
        if (response) resolve(response);
      },
      replyBody: bytes => {
        wire.bytes('in', bytes);
        const passed = pass(bytes);
        if (passed.length > 0) this.#body?.enqueue(passed);
        return reader?.isOver === true ? 'enough' : 'more';
      },
    };
  }

  /** Aborted once the reader of the body wants no more of it. */
  get given(): AbortSignal | undefined {
    return this.#reader ? undefined : this.#givenUp.signal;
  }

  /** Why its head was no answer. */
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

  /** Undefined for a head that is no answer; what of a body comes then is heard and read by nobody. */
  #open(head: HttpHead): Response | undefined {
    const location = findHeader(head.headers, 'location');
    if (head.status >= 300 && head.status < 400 && location !== undefined) {
      this.#refused = describeRedirect(this.#asked, head, location);
      return undefined;
    }
    const init = {
      status: head.status,
      statusText: head.line.replace(/^\d+ ?/, ''),
      headers: head.headers.map(({ name, value }): [string, string] => [name, value]),
    };
    const isPacked = findPacking(head.headers) !== undefined;
    // Nobody reads what is packed: the exchange fails at its end. How to sign in stands in the head.
    if (isPacked && head.status !== UNAUTHORIZED) return undefined;
    try {
      // A response without a body may not be given one (Fetch, "null body status").
      return isPacked || this.#reader || NO_BODY.has(head.status)
        ? new Response(null, init)
        : limitJson(new Response(this.#openBody(), init));
    } catch {
      // A status or a header that Fetch has no room for.
      this.#refused = describeOddHead(this.#asked, head);
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

/** How much of an address that somebody else chose is shown. */
const LONGEST_ADDRESS = 200;

function describeRedirect(asked: FetchedRequest, head: HttpHead, location: string): HttpFailure {
  const target = URL.canParse(location, asked.url.href) ? new URL(location, asked.url).href : location;
  return {
    kind: 'not-http',
    code: `HTTP ${head.status}`,
    message: `${tried(asked)}: ${head.line} came, which redirects to ${quote(redactUrl(target), LONGEST_ADDRESS)}, and redirects are not followed; put that address into the agent's url if you trust it`,
  };
}

function describeOddHead(asked: FetchedRequest, head: HttpHead): HttpFailure {
  return {
    kind: 'not-http',
    code: `HTTP ${head.status}`,
    message: `${tried(asked)}: ${quote(head.line)} came, which is no answer of HTTP; check that the agent's url and port are those of an HTTP server`,
  };
}

function readMethod(method: string): HttpMethod {
  if (method === 'GET' || method === 'DELETE' || method === 'POST') return method;
  throw new TypeError(`No protocol sends ${method}`);
}

/**
 * A response whose JSON is nested as deep as our readers go and no deeper: libraries read it by the engine, which takes 100
 * bytes of memory for each bracket.
 */
function limitJson(response: Response): Response {
  const json = async (): Promise<unknown> => {
    const value = parseJson(await response.text());
    if (value === undefined) throw new SyntaxError('The body of the response is not valid JSON');
    return value;
  };
  return Object.assign(response, { json });
}
