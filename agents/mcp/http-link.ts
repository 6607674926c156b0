import type { ResolvedHttpAgent } from '../config/resolve-agent.ts';
import { describeCancelled, describeTimeout } from '../http/failure.ts';
import { makeFetch, type FetchedRequest } from '../http/fetch.ts';
import type { HttpLimits } from '../http/http-connection.ts';
import { SocketPool } from '../http/socket-pool.ts';
import { capTimer } from '../timer.ts';
import type { SignIn } from './auth/sign-in.ts';
import { signingFetch } from './auth/signing-fetch.ts';
import type { McpCallTerms } from './call-terms.ts';
import { openTap, type HttpForm, type Tap } from './http-tap.ts';
import type * as Library from './library.ts';
import type { Link } from './link.ts';
import { writeExactly } from './request-text.ts';
import { readMethod, type Routes } from './routes.ts';

/** The maximum number of our answers to an agent that are under way at a time. */
const LANES = 16;

/** What a link over HTTP needs. */
export interface HttpLinkOptions {
  readonly agent: ResolvedHttpAgent;
  readonly limits: HttpLimits;
  readonly routes: Routes;
  /** Undefined for an agent with an Authorization header of its own. */
  readonly signIn: SignIn | undefined;
  /**
   * Called when the stream that carries all answers has ended (2024-11-05): a new one would belong to a new
   * session.
   */
  readonly onStreamEnd: () => void;
}

/**
 * Streamable HTTP, or the older HTTP with a stream of events (2024-11-05), through the library's transports.
 * The traffic is observed here, because the library only has its values.
 */
export function openHttpLink(library: typeof Library, form: HttpForm, options: HttpLinkOptions): Link {
  const { agent, routes, signIn } = options;
  const sockets = new SocketPool();
  const tapped = tapFetch(options, form, sockets);
  const init = {
    fetch: signIn
      ? signingFetch(tapped, {
          signIn,
          library,
          origin: agent.url.origin,
          findCall: () => routes.current,
          fetchFor: (call, url, request) => routes.run({ call }, () => tapped(url, request)),
        })
      : tapped,
  };
  if (form === 'sse') {
    const transport = new library.SSEClientTransport(agent.url, init);
    closeWith(transport, sockets);
    answerInLanes(transport);
    return {
      transport,
      hasSession: () => false,
      endSession: () => Promise.resolve(),
    };
  }
  const transport = new library.StreamableHTTPClientTransport(agent.url, {
    ...init,
    reconnectionScheduler: (reconnect, delay, attempt) => {
      // A server can set how long to wait before a stream that it ends is resumed; one that broke off is
      // resumed at once.
      const isBroken = attempt === 0 && routes.sending?.call.failure?.kind === 'cut';
      const timer = setTimeout(reconnect, isBroken ? 0 : capTimer(delay));
      return () => clearTimeout(timer);
    },
  });
  closeWith(transport, sockets);
  answerInLanes(transport);
  return {
    transport,
    hasSession: () => transport.sessionId !== undefined,
    endSession: () => transport.terminateSession(),
  };
}

/** Sentences about the end of a call over HTTP. */
export function httpSentences(
  agent: ResolvedHttpAgent,
): Pick<McpCallTerms, 'describeTimeout' | 'describeCancelled'> {
  const about = { method: 'POST', url: agent.url };
  return {
    describeTimeout: (kind, limit, progress) => describeTimeout(kind, limit, { ...about, ...progress }),
    describeCancelled: progress => describeCancelled({ ...about, ...progress }),
  };
}

/** Closes retained sockets together with their session. */
function closeWith(transport: Link['transport'], sockets: SocketPool): void {
  const close = transport.close.bind(transport);
  transport.close = async () => {
    await close();
    sockets.close();
  };
}

/** Limits the exchanges that carry our answers to the agent: each answer is one, and an agent may ask very often. */
function answerInLanes(transport: Link['transport']): void {
  const send = transport.send.bind(transport);
  const lanes = Array.from({ length: LANES }, () => Promise.resolve());
  let count = 0;
  transport.send = (message, options) => {
    if (readMethod(message) !== undefined) return send(message, options);
    const lane = count++ % LANES;
    const sent = (lanes[lane] ?? Promise.resolve()).then(() => send(message, options));
    lanes[lane] = sent.catch(() => undefined);
    return sent;
  };
}

function tapFetch(options: HttpLinkOptions, form: HttpForm, sockets: SocketPool): typeof fetch {
  const { agent, limits, routes, onStreamEnd } = options;
  const taps = new WeakMap<FetchedRequest, Tap>();
  const tapped = makeFetch({
    agent,
    limits,
    sockets,
    listener(request) {
      const tap = openTap(request, routes, form, onStreamEnd);
      taps.set(request, tap);
      return tap;
    },
    total: () => undefined,
    // A call limits its own time, because the time in which the user answers a question does not count.
    idle: request => (isOfRequest(request) ? Infinity : limits.idle),
    headers: () => (routes.sending?.call ?? routes.current)?.request.headers ?? new Map(),
    signals: request => taps.get(request)?.signals ?? [],
    pass: (bytes, request) => taps.get(request)?.pass(bytes) ?? bytes,
    onFailure: (failure, request) => taps.get(request)?.fail(failure),
    onEnd: request => taps.get(request)?.end(),
  });
  const isOfRequest = (request: FetchedRequest): boolean => taps.get(request)?.isRequest === true;
  return (input, init) => {
    const sending = routes.sending;
    if (!sending || typeof init?.body !== 'string' || !init.body.includes('"jsonrpc"'))
      return tapped(input, init);
    // The library prints its own values; the parameters are replaced by the caller's exact text.
    if (readMethod(sending.message) !== sending.call.parsed.method) return tapped(input, init);
    return tapped(input, { ...init, body: writeExactly(init.body, sending.call.parsed.members) });
  };
}
