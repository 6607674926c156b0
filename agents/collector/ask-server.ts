import { quote } from '../../core/text/quote.ts';
import { findHeader } from '../../core/events/headers.ts';
import { redactUrl } from '../../core/secrets/redact.ts';
import { exchangeHttp, type HttpMethod } from '../http/exchange.ts';
import type { TraceTarget } from './target.ts';

/** A request to a server for traces. */
export interface ServerRequest {
  readonly method: HttpMethod;
  readonly url: URL;
  readonly type?: string;
  readonly body?: Uint8Array;
  /** The maximum number of bytes of the answer that are read. */
  readonly maxBytes: number;
}

/**
 * The answer of a server, whatever its status; or why no answer arrived, as a sentence with the code of the
 * failure.
 */
export type ServerAnswer =
  | {
      readonly ok: true;
      readonly status: number;
      readonly type: string;
      readonly retryAfter: string | undefined;
      readonly body: Buffer;
    }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** In milliseconds; a server that stays silent for this time counts as absent. */
const LIMITS = { connect: 10_000, idle: 30_000, total: undefined };

/**
 * Sends a request to a server for traces. Headers are sent to its own origin only: no redirect is followed.
 * Never throws.
 */
export async function askServer(
  target: TraceTarget,
  request: ServerRequest,
  signal: AbortSignal,
): Promise<ServerAnswer> {
  const pieces: Buffer[] = [];
  const headers = new Map([
    ['accept', 'application/json, application/x-protobuf'],
    ['accept-encoding', 'identity'],
    ['user-agent', 'parley'],
    ...(request.type === undefined ? [] : ([['content-type', request.type]] as const)),
    ...(request.url.origin === target.url.origin ? target.headers : []),
  ]);
  const { head, failure } = await exchangeHttp(
    { ...request, body: request.body, headers, limits: LIMITS, tls: {} },
    {
      requestHead: () => undefined,
      requestBody: () => undefined,
      replyHead: () => undefined,
      replyBody(bytes) {
        pieces.push(Buffer.from(bytes));
        return 'more';
      },
    },
    signal,
  );
  if (failure || !head) {
    const code = failure?.code ?? 'ECONNRESET';
    return { ok: false, code, message: describeFailure(request, code) };
  }
  return {
    ok: true,
    status: head.status,
    type: findHeader(head.headers, 'content-type') ?? '',
    retryAfter: findHeader(head.headers, 'retry-after'),
    body: Buffer.concat(pieces),
  };
}

function describeFailure({ method, url, maxBytes }: ServerRequest, code: string): string {
  const tried = `${method} ${redactUrl(url.href)}`;
  if (code === 'TOO_LONG') return `${tried}: the answer has more than ${maxBytes} bytes, which is not read`;
  if (code === 'CANCELLED') return `${tried} was stopped`;
  return `${tried}: no answer came (${code}); check that the server runs and that its address is right`;
}

/** Describes an answer that is not a success, in a sentence with the server's own words, shortened. */
export function describeAnswer(
  target: TraceTarget,
  { method, url }: Pick<ServerRequest, 'method' | 'url'>,
  answer: Extract<ServerAnswer, { ok: true }>,
): string {
  const isText = /json|text/.test(answer.type);
  const reported = isText ? target.redactor.redactText(answer.body.toString('utf8')).trim() : '';
  const words = reported === '' ? '' : `: ${quote(reported, 200)}`;
  const advice =
    isPage(answer) && answer.status < 300
      ? '; that is a web page: check the address'
      : adviseOn(answer.status);
  return `${method} ${redactUrl(url.href)} was answered with HTTP ${answer.status}${words}${advice}`;
}

/** True for an HTML page, for example for signing in: such a server does not handle traces at this address. */
export function isPage({ type }: Extract<ServerAnswer, { ok: true }>): boolean {
  return /^\s*text\/html/i.test(type);
}

function adviseOn(status: number): string {
  if (status === 401 || status === 403) return '; correct the headers that sign in there';
  if (status === 404 || status === 405) return '; correct its address';
  if (status >= 300 && status < 400) return '; redirects are not followed, so set the final address there';
  return '';
}
