import type { ResolvedHttpAgent } from '../config/resolve-agent.ts';
import { describeCancelled, describeTimeout } from '../http/failure.ts';
import { makeFetch, type FetchedRequest } from '../http/fetch.ts';
import type { HttpLimits } from '../http/http-connection.ts';
import type { SignIn } from './auth/sign-in.ts';
import { signingFetch } from './auth/signing-fetch.ts';
import type { McpCallTerms } from './call.ts';
import { openTap, type HttpForm, type Tap } from './http-tap.ts';
import type * as Library from './library.ts';
import type { Link } from './link.ts';
import { writeExactly } from './request-text.ts';
import { readMethod, type Routes } from './routes.ts';

/** What a link over HTTP is made from. */
export interface HttpLinkOptions {
  readonly agent: ResolvedHttpAgent;
  readonly limits: HttpLimits;
  readonly routes: Routes;
  /** Undefined for an agent with an Authorization header of its own. */
  readonly signIn: SignIn | undefined;
}

/**
 * Streamable HTTP, or the older HTTP with a stream of events (2024-11-05), through the library's transports. What goes over
 * the wire is heard here: the library has it as values alone.
 */
export function openHttpLink(library: typeof Library, form: HttpForm, options: HttpLinkOptions): Link {
  const { agent, routes, signIn } = options;
  const tapped = tapFetch(options, form);
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
    return {
      transport,
      hasSession: () => false,
      endSession: () => Promise.resolve(),
    };
  }
  const transport = new library.StreamableHTTPClientTransport(agent.url, init);
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

function tapFetch(options: HttpLinkOptions, form: HttpForm): typeof fetch {
  const { agent, limits, routes } = options;
  const taps = new WeakMap<FetchedRequest, Tap>();
  const tapped = makeFetch({
    agent,
    limits,
    listener(request) {
      const tap = openTap(request, routes, form);
      taps.set(request, tap);
      return tap;
    },
    total: () => undefined,
    // A call knows itself how long it waits: the time in which the user answers a question does not count.
    idle: request => (isOfRequest(request) ? Infinity : limits.idle),
    headers: () => (routes.sending?.call ?? routes.current)?.request.headers ?? new Map(),
    signal: request => taps.get(request)?.signal,
    onFailure: (failure, request) => taps.get(request)?.fail(failure),
    onEnd: request => taps.get(request)?.end(),
  });
  const isOfRequest = (request: FetchedRequest): boolean => taps.get(request)?.isRequest === true;
  return (input, init) => {
    const sending = routes.sending;
    if (!sending || typeof init?.body !== 'string' || !init.body.includes('"jsonrpc"'))
      return tapped(input, init);
    // The library sends its own values; the text of the parameters is the caller's.
    if (readMethod(sending.message) !== sending.call.asked.method) return tapped(input, init);
    return tapped(input, { ...init, body: writeExactly(init.body, sending.call.asked.members) });
  };
}
