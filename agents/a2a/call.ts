import { defined } from '../../core/text/fields.ts';
import { A2A } from '../../protocols/a2a/protocol.ts';
import { Redactor, redactUrl } from '../../core/secrets/redact.ts';
import { NOT_SENT } from '../../core/events/events.ts';
import type { ResolvedHttpAgent } from '../config/resolve-agent.ts';
import { withoutProgress, type Outgoing, type Reply, type WireListener } from '../connection.ts';
import { describeCancelled, describeTimeout, failWith, tried, type HttpFailure } from '../http/failure.ts';
import { makeFetch, type FetchedRequest } from '../http/fetch.ts';
import { describeFailedStatus, describeForeignReply, findWait, isFailedStatus } from '../http/foreign.ts';
import type { HttpLimits } from '../http/http-connection.ts';
import { describeLibraryError } from '../library-error.ts';
import type { SocketPool } from '../http/socket-pool.ts';
import { ReplyObserver, type ObserverLimits } from './reply-observer.ts';

/** What a call needs. */
export interface CallOptions {
  readonly agent: ResolvedHttpAgent;
  readonly limits: HttpLimits;
  readonly sockets: SocketPool;
  readonly request: Outgoing;
  readonly listener: WireListener;
  readonly signal: AbortSignal;
  /** Ends the call when its connection is closed; without it, the call outlives the connection. */
  readonly closing?: AbortSignal;
}

/** What is special about an exchange of a call. */
interface ExchangeOptions {
  /** Corrects the body that the library has printed. */
  readonly write?: (body: string) => string;
  /** The exchange whose stream it continues. */
  readonly continues?: ReplyObserver;
  /** False for an exchange whose reply is not part of the call's. */
  readonly isOfReply?: boolean;
}

/** Ends the library's request: the reply is read where it is observed, so the library does not receive it. */
const READ_ELSEWHERE = new Error('The reply is read elsewhere');

/** One call: all its exchanges, within its time-out, and the reply that results from them. */
export class A2aCall {
  readonly #options: CallOptions;
  readonly #total: number | undefined;
  readonly #start = performance.now();
  #observer: ReplyObserver | undefined;
  /** Corrects the body that the library has printed. */
  #write = (body: string): string => body;
  readonly #fetch: typeof fetch;

  constructor(options: CallOptions) {
    const { agent, limits, sockets, request } = options;
    this.#options = options;
    this.#total = request.timeout ?? agent.timeout;
    const findObserver = ({ method }: FetchedRequest): ReplyObserver | undefined =>
      method === 'POST' ? this.#observer : undefined;
    this.#fetch = makeFetch({
      agent,
      limits,
      sockets,
      listener: fetched => findObserver(fetched) ?? withoutProgress(options.listener),
      total: () => this.#left(),
      allowed: this.#total,
      // A time-out for the whole call is also the limit for silence.
      idle: () => this.#total ?? limits.idle,
      headers: () => request.headers ?? new Map(),
      signals: () => this.#signals,
      // The library is slow at reading replies, and rejects events of more than 4 MiB.
      reader: findObserver,
      onFailure: (failure, fetched) => void findObserver(fetched)?.fail(failure, this.#limits),
      onEnd: fetched => void findObserver(fetched)?.end(this.#limits),
    });
  }

  /**
   * The `fetch` of the library. A POST is observed as the current exchange, and the library does not receive
   * its reply.
   */
  readonly fetch: typeof fetch = async (input, init) => {
    if (init?.method !== 'POST') return this.#fetch(input, init);
    const { contentType } = this.#options.agent;
    const headers = contentType === undefined ? init.headers : withType(init.headers, contentType);
    const body = typeof init.body === 'string' ? this.#write(init.body) : init.body;
    this.#observer?.begin(typeof body === 'string' ? body : '');
    await this.#fetch(input, { ...init, ...(headers ? { headers } : {}), ...(body ? { body } : {}) });
    throw READ_ELSEWHERE;
  };

  /**
   * Resolves with the exchange that `act` causes, when it is over.
   */
  async ask(
    act: (signal: AbortSignal) => Promise<unknown>,
    { write = body => body, continues, isOfReply = true }: ExchangeOptions = {},
  ): Promise<ReplyObserver> {
    const { listener } = this.#options;
    const observer = new ReplyObserver(isOfReply ? listener : withoutProgress(listener), continues);
    this.#observer = observer;
    this.#write = write;
    try {
      await act(this.#options.signal);
    } catch (error) {
      // What went over the wire is more informative than the library's error.
      if (!observer.hasBegun) await observer.fail(describeRefusal(error, this.#options.agent), this.#limits);
    }
    if (!observer.hasBegun) await observer.end(this.#limits);
    await observer.ended;
    return observer;
  }

  /** Waits, at most until the call ends. Returns why it has ended, if it has. */
  async wait(milliseconds: number): Promise<HttpFailure | undefined> {
    const given = this.#signals;
    const isGivenUp = (): boolean => given.some(({ aborted }) => aborted);
    const left = this.#left();
    await new Promise<void>(resolve => {
      const done = (): void => {
        clearTimeout(timer);
        for (const each of given) each.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, Math.max(0, Math.min(milliseconds, left ?? Infinity)));
      for (const each of given) each.addEventListener('abort', done);
      if (isGivenUp()) done();
    });
    if (isGivenUp()) return this.#describeEnd('cancelled');
    return left !== undefined && left <= milliseconds ? this.#describeEnd('timeout') : undefined;
  }

  get #signals(): readonly AbortSignal[] {
    const { signal, closing } = this.#options;
    return closing ? [signal, closing] : [signal];
  }

  /** The limits for reading a reply that has arrived. */
  get #limits(): ObserverLimits {
    return {
      signals: this.#signals,
      deadline: this.#total === undefined ? undefined : this.#start + this.#total,
      describeEnd: ended => this.#describeEnd(ended),
    };
  }

  #describeEnd(ended: 'cancelled' | 'timeout'): HttpFailure {
    const progress = {
      method: 'POST',
      url: this.#options.agent.url,
      isConnected: true,
      statusLine: this.#observer?.statusHead?.line,
      received: Buffer.byteLength(this.#observer?.text ?? ''),
    };
    return ended === 'cancelled'
      ? describeCancelled(progress)
      : describeTimeout('total', this.#total ?? 0, progress);
  }

  /** The reply for an exchange. */
  judge(observer: ReplyObserver): Reply {
    const { agent, request } = this.#options;
    const { text, failure, statusHead: head, reader } = observer;
    const { isProtocol, isTooLarge, outcome, unfinished } = reader.reply;
    const came = { text, isProtocol, ...findWait(head), ...reader.continuation };
    const redactor = request.redactor ?? new Redactor(agent.secrets);
    const about = { protocol: A2A, url: agent.url, redactor } as const;
    if (failure) return failWith(failure, head, came);
    if (!head || !isProtocol) {
      const message = head
        ? describeForeignReply({ ...about, body: text, head })
        : `${tried({ method: 'POST', url: agent.url })}, but no answer came; send again`;
      return { ...came, status: 'error', code: `HTTP ${head?.status ?? 0}`, message };
    }
    if (isTooLarge && unfinished) return { ...came, ...unfinished };
    if (observer.check.isCut)
      return {
        ...came,
        status: 'incomplete',
        message: `${tried({ method: 'POST', url: agent.url })}: ${head.line} came, but the JSON of the reply is incomplete; the received part is stored, send again for the rest`,
      };
    if (observer.check.isForeign)
      return {
        text,
        isProtocol: false,
        status: 'error',
        code: 'INVALID_ANSWER',
        message: `${tried({ method: 'POST', url: agent.url })}: ${head.line} came with a result that is neither a task nor a message, as A2A requires; check that an A2A agent runs at this address`,
      };
    if (outcome.kind !== 'error') {
      if (!isFailedStatus(head)) return { ...came, status: 'ok' };
      const message = describeFailedStatus({ ...about, head });
      return { ...came, status: 'error', code: `HTTP ${head.status}`, message };
    }
    return defined({ ...came, status: 'error', code: outcome.code, message: outcome.text });
  }

  #left(): number | undefined {
    if (this.#total === undefined) return undefined;
    return Math.max(1, this.#total - (performance.now() - this.#start));
  }
}

function withType(given: RequestInit['headers'], type: string): Headers {
  const headers = new Headers(given);
  headers.set('content-type', type);
  return headers;
}

/** The failure of a request that the library refuses before it is sent. */
function describeRefusal(error: unknown, { url }: ResolvedHttpAgent): HttpFailure {
  const reported = describeLibraryError(error);
  return {
    kind: 'unreachable',
    code: NOT_SENT,
    message: `Not sent: the official client refuses the request to ${redactUrl(url.href)}, ${reported}`,
  };
}
