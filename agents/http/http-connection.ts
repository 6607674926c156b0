import { defined } from '../../core/text/fields.ts';
import type { Protocol, UnfinishedReply } from '../../protocols/protocol.ts';
import type { AgentQuestion, Outcome } from '../../core/message/message.ts';
import { NO_SECRETS, type Redactor } from '../../core/secrets/redact.ts';
import type { ResolvedHttpAgent } from '../config/resolve-agent.ts';
import { NOT_UTF8, type Connection, type Outgoing, type Reply, type WireListener } from '../connection.ts';
import { readWithin, UNLIMITED } from '../slices.ts';
import { exchangeHttp, type HttpListener, type HttpOutcome, type HttpRequest } from './exchange.ts';
import { describeCancelled, describeTimeout, isPartial } from './failure.ts';
import { describeFailedStatus, describeForeignReply, isFailedStatus } from './foreign.ts';
import { SocketPool } from './socket-pool.ts';
import { findPacking } from './packing.ts';
import { ReplyText } from './reply-text.ts';

/** Reads the body of one reply in one protocol. */
export interface BodyReader {
  /**
   * Takes text. Returns how many characters of all text so far may be shown, never fewer than before, and
   * whether the reply is over. `shownTo` is undefined for a body of which nothing is shown before its end. `isStream`
   * is true once it is known that the body is a stream of the protocol, whose text is not read again.
   */
  push(text: string): {
    readonly shownTo: number | undefined;
    readonly isOver: boolean;
    readonly isStream?: boolean;
  };
  /** The content of the body, once it has ended; read in slices. */
  endSteps(): Generator<undefined, ReadReply>;
}

export interface ReadReply {
  /** False if the body is not in the protocol. */
  readonly isProtocol: boolean;
  /** True for a body that was read while it arrived. */
  readonly isStream?: boolean;
  readonly notes: readonly string[];
  /** What the agent answered. */
  readonly outcome: Outcome;
  /** Why the body is incomplete although the exchange succeeded. */
  readonly cut?: string;
  /** What the next request of the conversation needs. */
  readonly continuation?: Pick<Reply, 'carried' | 'approvals' | 'asks'>;
  /** The request that the agent wants to be answered. */
  readonly question?: AgentQuestion;
  /** How the agent itself ended an incomplete reply. */
  readonly unfinished?: UnfinishedReply;
}

/** Opens the reader of the reply to a request; `text` returns all of its text so far. */
export type OpenBody = (listener: WireListener, text: () => string, request: Outgoing) => BodyReader;

/** The result for a body that was not read to its end. */
const UNREAD: ReadReply = { isProtocol: false, notes: [], outcome: { kind: 'result' } };

/** Limits of a connection that only tests change. */
export interface HttpLimits {
  /** Milliseconds for a connection to be established. */
  readonly connect: number;
  /** Milliseconds for a reply to begin, and between its pieces. */
  readonly idle: number;
  /** The maximum number of bytes of a reply's body that are read. */
  readonly maxBytes: number;
}

export const DEFAULT_HTTP_LIMITS: HttpLimits = { connect: 10_000, idle: 60_000, maxBytes: 256 * 2 ** 20 };

/** A connection for protocols in which a call is one POST and its reply. */
export class HttpConnection implements Connection {
  readonly agent: string;
  readonly protocol: Protocol;
  readonly #agent: ResolvedHttpAgent;
  readonly #openReader: OpenBody;
  readonly #limits: HttpLimits;
  readonly #closing = new AbortController();
  readonly #sockets = new SocketPool();

  constructor(
    agent: ResolvedHttpAgent,
    protocol: Protocol,
    openReader: OpenBody,
    limits: HttpLimits = DEFAULT_HTTP_LIMITS,
  ) {
    this.agent = agent.name;
    this.protocol = protocol;
    this.#agent = agent;
    this.#openReader = openReader;
    this.#limits = limits;
  }

  async send(request: Outgoing, listener: WireListener, signal: AbortSignal): Promise<Reply> {
    const body = new ReplyText();
    const reader = this.#openReader(listener, () => body.text, request);
    const progress = new ProgressReporter(listener);
    const take = (text: string): 'more' | 'enough' => {
      const { shownTo, isOver, isStream } = reader.push(text);
      progress.push(text, shownTo);
      if (isStream && listener.messages?.replacesText) body.retainNoMore();
      return isOver ? 'enough' : 'more';
    };
    const toListener = listenTo(listener, bytes => take(body.push(bytes)));
    const post = this.#buildPost(request);
    const { total, allowed } = post.limits;
    const deadline = total === undefined ? undefined : performance.now() + total;
    const signals = [signal, this.#closing.signal];
    const outcome = await exchangeHttp(post, toListener, ...signals);
    take(body.end());
    // After a failed exchange, what has arrived is still read, to its end.
    const limits = outcome.failure ? UNLIMITED : { signals, deadline };
    const reading = await readWithin(reader.endSteps(), limits);
    if (reading.ended !== 'read') {
      const failure =
        reading.ended === 'cancelled'
          ? describeCancelled(outcome.progress)
          : describeTimeout('total', allowed ?? total ?? 0, outcome.progress);
      return this.#judge({ ...outcome, failure }, UNREAD, body.text, request.redactor ?? NO_SECRETS);
    }
    const read = reading.result;
    if (!body.isUtf8) listener.note(NOT_UTF8);
    if (read.isProtocol) for (const note of read.notes) listener.note(note);
    const isNeeded = !read.isProtocol || !read.isStream || !listener.messages?.replacesText;
    return this.#judge(outcome, read, isNeeded ? body.text : '', request.redactor ?? NO_SECRETS);
  }

  close(): Promise<void> {
    this.#closing.abort();
    this.#sockets.close();
    return Promise.resolve();
  }

  #buildPost(request: Outgoing): HttpRequest {
    const agent = this.#agent;
    const { accept, contentType } = this.protocol.facts;
    const own = new Map([...agent.headers].map(([name, value]) => [name.toLowerCase(), value]));
    const total = request.timeout ?? agent.timeout;
    return {
      method: 'POST',
      url: agent.url,
      headers: new Map([
        ['accept', accept],
        ['accept-encoding', 'identity'],
        ['user-agent', 'parley'],
        ['content-type', agent.contentType ?? contentType],
        ...(request.headers ?? []),
        ...own,
      ]),
      body: new TextEncoder().encode(request.wireText),
      limits: {
        connect: Math.min(this.#limits.connect, total ?? Infinity),
        // The time-out of a call is also the limit for silence.
        idle: request.allowed ?? total ?? this.#limits.idle,
        total,
        allowed: request.allowed,
      },
      maxBytes: this.#limits.maxBytes,
      tls: agent.tls,
      sockets: this.#sockets,
    };
  }

  #judge({ head, failure }: HttpOutcome, read: ReadReply, text: string, redactor: Redactor): Reply {
    // What came without a head is no reply.
    const isProtocol = head !== undefined && read.isProtocol;
    const came = { text, isProtocol, ...read.continuation };
    if (failure) {
      const broken = head && isPartial(failure) ? 'incomplete' : 'error';
      const status = failure.kind === 'cancelled' ? 'cancelled' : broken;
      return { ...came, status, code: failure.code, message: failure.message };
    }
    if (!head || !isProtocol) {
      const message =
        head &&
        describeForeignReply({ protocol: this.protocol, url: this.#agent.url, head, body: text, redactor });
      return { ...came, status: 'error', code: `HTTP ${head?.status ?? 0}`, ...(message ? { message } : {}) };
    }
    if (read.unfinished) return { ...came, ...read.unfinished };
    const { outcome } = read;
    if (outcome.kind === 'error')
      return defined({ ...came, status: 'error', code: outcome.code, message: outcome.text });
    if (!this.protocol.replies.ignoresStatus && isFailedStatus(head)) {
      const message = describeFailedStatus({ protocol: this.protocol, url: this.#agent.url, head, redactor });
      return { ...came, status: 'error', code: `HTTP ${head.status}`, message };
    }
    if (read.cut !== undefined) return { ...came, status: 'incomplete', message: read.cut };
    return defined({ ...came, status: 'ok', question: read.question });
  }
}

/**
 * Passes the text of a reply that may be shown to a listener, each character once. Holds only text that still
 * waits.
 */
class ProgressReporter {
  readonly #listener: WireListener;
  #reported = 0;
  #waiting = '';

  constructor(listener: WireListener) {
    this.#listener = listener;
  }

  /** Adds text of the reply; all of it up to `shownTo` may be shown, nothing of it if that is undefined. */
  push(text: string, shownTo: number | undefined): void {
    if (shownTo === undefined) {
      this.#waiting = '';
      return;
    }
    this.#waiting += text;
    const count = shownTo - this.#reported;
    if (count <= 0) return;
    this.#reported = shownTo;
    this.#listener.progress(this.#waiting.slice(0, count));
    this.#waiting = this.#waiting.slice(count);
  }
}

function listenTo(listener: WireListener, takeBody: (bytes: Uint8Array) => 'more' | 'enough'): HttpListener {
  let isPacked = false;
  return {
    requestHead: (line, headers) => listener.head('out', line, headers),
    requestBody: (bytes, rest) => listener.bytes('out', bytes, rest),
    replyHead(head) {
      isPacked = findPacking(head.headers) !== undefined;
      listener.head('in', head.line, head.headers);
    },
    replyBody(bytes, chunks) {
      listener.bytes('in', bytes, undefined, undefined, chunks);
      return isPacked ? 'more' : takeBody(bytes);
    },
    drained: () => listener.messages?.drained?.(),
  };
}
