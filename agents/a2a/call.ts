import { A2A } from '../../protocols/a2a/protocol.ts';
import { Redactor, redactUrl } from '../../core/secrets/redact.ts';
import { NOT_SENT } from '../../trace/words.ts';
import type { ResolvedHttpAgent } from '../config/resolve-agent.ts';
import { withoutProgress, type Outgoing, type Reply, type WireListener } from '../connection.ts';
import { describeCancelled, describeTimeout, isPartial, tried, type HttpFailure } from '../http/failure.ts';
import { makeFetch, type FetchedRequest } from '../http/fetch.ts';
import { describeFailedStatus, describeForeignReply, isFailedStatus } from '../http/foreign.ts';
import type { HttpLimits } from '../http/http-connection.ts';
import { describeLibraryError } from '../library-error.ts';
import type { KeptSockets } from '../http/kept-sockets.ts';
import { Hearing, type HearingLimits } from './hearing.ts';

/** What a call is made from. */
export interface CallOptions {
  readonly agent: ResolvedHttpAgent;
  readonly limits: HttpLimits;
  readonly sockets: KeptSockets;
  readonly request: Outgoing;
  readonly listener: WireListener;
  readonly signal: AbortSignal;
  /** Ends the call where its connection ends; without it the call outlives that. */
  readonly closing?: AbortSignal;
}

/** Nothing that the library would make of a reply counts: it is read where it is heard. */
const HEARD = new Error('The reply is read elsewhere');

/** One call: the exchanges that it takes, all within its time, and the reply that they amount to. */
export class A2aCall {
  readonly #options: CallOptions;
  readonly #total: number | undefined;
  readonly #start = performance.now();
  #hearing: Hearing | undefined;
  /** Puts right the body that the library has printed. */
  #write = (body: string): string => body;
  readonly #fetch: typeof fetch;

  constructor(options: CallOptions) {
    const { agent, limits, sockets, request } = options;
    this.#options = options;
    this.#total = request.timeout ?? agent.timeout;
    const findHearing = ({ method }: FetchedRequest): Hearing | undefined =>
      method === 'POST' ? this.#hearing : undefined;
    this.#fetch = makeFetch({
      agent,
      limits,
      sockets,
      listener: asked => findHearing(asked) ?? withoutProgress(options.listener),
      total: () => this.#left(),
      allowed: this.#total,
      // Whoever says how long a call may take also says how long it may be silent.
      idle: () => this.#total ?? limits.idle,
      headers: () => request.headers ?? new Map(),
      signals: () => this.#signals,
      // The library takes long to read a reply, and no event of more than 4 MiB.
      reader: findHearing,
      onFailure: (failure, asked) => void findHearing(asked)?.fail(failure, this.#limits),
      onEnd: asked => void findHearing(asked)?.end(this.#limits),
    });
  }

  /** For the library: what it sends by POST is heard as the exchange at hand, of which it gets no reply. */
  readonly fetch: typeof fetch = async (input, init) => {
    if (init?.method !== 'POST') return this.#fetch(input, init);
    const { contentType } = this.#options.agent;
    const headers = contentType === undefined ? init.headers : withType(init.headers, contentType);
    const body = typeof init.body === 'string' ? this.#write(init.body) : init.body;
    this.#hearing?.begin(typeof body === 'string' ? body : '');
    await this.#fetch(input, { ...init, ...(headers ? { headers } : {}), ...(body ? { body } : {}) });
    throw HEARD;
  };

  /** The exchange that `act` brings about, when it is over. `write` puts the body that the library has printed right. */
  async ask(
    act: (signal: AbortSignal) => Promise<unknown>,
    write: (body: string) => string = body => body,
  ): Promise<Hearing> {
    const hearing = new Hearing(this.#options.listener);
    this.#hearing = hearing;
    this.#write = write;
    try {
      await act(this.#options.signal);
    } catch (error) {
      // Whatever went over the wire says more than the library does.
      if (!hearing.hasBegun) await hearing.fail(describeRefusal(error, this.#options.agent), this.#limits);
    }
    if (!hearing.hasBegun) await hearing.end(this.#limits);
    await hearing.ended;
    return hearing;
  }

  /** Waits, at most until the call ends. Answers why it has ended, where it has. */
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

  /** What bounds the reading of a reply that has come. */
  get #limits(): HearingLimits {
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
      statusLine: this.#hearing?.statusHead?.line,
      received: Buffer.byteLength(this.#hearing?.text ?? ''),
    };
    return ended === 'cancelled'
      ? describeCancelled(progress)
      : describeTimeout('total', this.#total ?? 0, progress);
  }

  /** The reply that an exchange amounts to; `text` is all that came, where that is more. */
  judge(hearing: Hearing, text = hearing.text): Reply {
    const { agent, request } = this.#options;
    const { failure, statusHead: head, isProtocol, outcome } = hearing;
    const came = { text, isProtocol };
    const redactor = request.redactor ?? new Redactor(agent.secrets);
    const about = { protocol: A2A, url: agent.url, redactor } as const;
    if (failure) {
      const broken = head && isPartial(failure) ? 'incomplete' : 'error';
      const status = failure.kind === 'cancelled' ? 'cancelled' : broken;
      return { ...came, status, code: failure.code, message: failure.message };
    }
    if (!head || !isProtocol) {
      const message = head
        ? describeForeignReply({ ...about, body: text, head })
        : `${tried({ method: 'POST', url: agent.url })}, but no answer came; send again`;
      return { ...came, status: 'error', code: `HTTP ${head?.status ?? 0}`, message };
    }
    if (hearing.check.isCut)
      return {
        ...came,
        status: 'incomplete',
        message: `${tried({ method: 'POST', url: agent.url })}: ${head.line} came, but the JSON of the reply breaks off; what came is kept, send again for the rest`,
      };
    if (hearing.check.isForeign)
      return {
        text,
        isProtocol: false,
        status: 'error',
        code: 'INVALID_ANSWER',
        message: `${tried({ method: 'POST', url: agent.url })}: ${head.line} came with a result that is neither a task nor a message, which is what A2A answers; check that an A2A agent runs at this address`,
      };
    if (outcome.kind !== 'error') {
      if (!isFailedStatus(head)) return { ...came, status: 'ok' };
      const message = describeFailedStatus({ ...about, head });
      return { ...came, status: 'error', code: `HTTP ${head.status}`, message };
    }
    const code = outcome.code === undefined ? {} : { code: outcome.code };
    return { ...came, status: 'error', ...code, message: outcome.text };
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

/** The library refuses a request before it goes out. */
function describeRefusal(error: unknown, { url }: ResolvedHttpAgent): HttpFailure {
  const said = describeLibraryError(error);
  return {
    kind: 'unreachable',
    code: NOT_SENT,
    message: `Not sent: the official client refuses the request to ${redactUrl(url.href)}, ${said}`,
  };
}
