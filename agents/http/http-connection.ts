import { defined } from '../../core/text/fields.ts';
import type { Protocol } from '../../protocols/protocol.ts';
import { NO_SECRETS, type Redactor } from '../../core/secrets/redact.ts';
import type { ResolvedHttpAgent } from '../config/resolve-agent.ts';
import { NOT_UTF8, type Connection, type Outgoing, type Reply, type WireListener } from '../connection.ts';
import { ExchangeReader } from '../exchange-reader.ts';
import { readWithin, UNLIMITED } from '../slices.ts';
import { exchangeHttp, type HttpListener, type HttpOutcome, type HttpRequest } from './exchange.ts';
import { describeCancelled, describeTimeout, failWith } from './failure.ts';
import { describeFailedStatus, describeForeignReply, findWait, isFailedStatus } from './foreign.ts';
import { findPacking } from './packing.ts';
import { ReplyText } from './reply-text.ts';
import { findCut, RpcCheck } from './rpc-check.ts';
import { SocketPool } from './socket-pool.ts';

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

/**
 * A connection for protocols in which a request is a POST, and its reply one body or events. Replies of JSON-RPC are
 * checked against their requests, except for those with the text `unchecked`.
 */
export class HttpConnection implements Connection {
  readonly agent: string;
  readonly protocol: Protocol;
  readonly #agent: ResolvedHttpAgent;
  readonly #limits: HttpLimits;
  readonly #unchecked: string | undefined;
  readonly #closing = new AbortController();
  readonly #sockets = new SocketPool();

  constructor(
    agent: ResolvedHttpAgent,
    protocol: Protocol,
    limits: HttpLimits = DEFAULT_HTTP_LIMITS,
    unchecked?: string,
  ) {
    this.agent = agent.name;
    this.protocol = protocol;
    this.#agent = agent;
    this.#limits = limits;
    this.#unchecked = unchecked;
  }

  async send(request: Outgoing, listener: WireListener, signal: AbortSignal): Promise<Reply> {
    const { wireText, redactor = NO_SECRETS } = request;
    const body = new ReplyText();
    const reader = new ExchangeReader(this.protocol, listener, () => body.text);
    const { reply } = reader;
    const check = this.protocol.isRpc && wireText !== this.#unchecked ? new RpcCheck(wireText) : undefined;
    reader.observe = event => {
      if (reply.isWhole) check?.take(event);
    };
    const progress = new ProgressReporter(listener);
    const take = (text: string): 'more' | 'enough' => {
      reader.push(text);
      // Text that is not a message is not shown as one.
      progress.push(text, reply.shownTo);
      // The text of a stream is not read again.
      if (reply.isProtocol && !reply.isWhole && listener.messages?.replacesText) body.retainNoMore();
      return reply.isOver ? 'enough' : 'more';
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
      return failWith(failure, outcome.head, { text: body.text, isProtocol: false });
    }
    reader.deliver();
    const { isProtocol, isWhole, brokenBody } = reply;
    if (!body.isUtf8) listener.note(NOT_UTF8);
    if (isProtocol)
      for (const note of [...reader.notes, ...(check?.listNotes(brokenBody) ?? [])]) listener.note(note);
    const isNeeded = !isProtocol || isWhole || !listener.messages?.replacesText;
    const text = isNeeded ? body.text : '';
    return this.#judge(outcome, reader, { text, redactor });
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

  #judge(
    { head, failure }: HttpOutcome,
    { reply, ending }: ExchangeReader,
    { text, redactor }: { readonly text: string; readonly redactor: Redactor },
  ): Reply {
    const { outcome, unfinished = findCut(reply.brokenBody) } = reply;
    // What came without a head is no reply.
    const isProtocol = head !== undefined && reply.isProtocol;
    const came = { text, isProtocol, ...findWait(head), ...ending.continuation };
    if (failure) return failWith(failure, head, came);
    const about = { protocol: this.protocol, url: this.#agent.url, redactor };
    if (!head || !isProtocol) {
      const message = head && describeForeignReply({ ...about, head, body: text });
      return { ...came, status: 'error', code: `HTTP ${head?.status ?? 0}`, ...(message ? { message } : {}) };
    }
    if (unfinished) return { ...came, ...unfinished };
    if (outcome.kind === 'error')
      return defined({ ...came, status: 'error', code: outcome.code, message: outcome.text });
    if (!this.protocol.replies.ignoresStatus && isFailedStatus(head)) {
      const message = describeFailedStatus({ ...about, head });
      return { ...came, status: 'error', code: `HTTP ${head.status}`, message };
    }
    if (ending.cut !== undefined) return { ...came, status: 'incomplete', message: ending.cut };
    return defined({ ...came, status: 'ok', question: ending.question });
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
