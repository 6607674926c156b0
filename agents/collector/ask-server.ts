import { quote } from '../../core/text/quote.ts';
import { findHeader } from '../../core/events/headers.ts';
import { redactUrl } from '../../core/secrets/redact.ts';
import { exchangeHttp, type HttpMethod } from '../http/exchange.ts';
import type { TraceTarget } from './target.ts';

/** One question to a server for traces. */
export interface ServerRequest {
  readonly method: HttpMethod;
  readonly url: URL;
  readonly type?: string;
  readonly body?: Uint8Array;
  /** Bytes of the answer that are read. */
  readonly maxBytes: number;
}

/** What a server answered, whatever its status; or why no answer came, a sentence with the code of the failure. */
export type ServerAnswer =
  | {
      readonly ok: true;
      readonly status: number;
      readonly type: string;
      readonly retryAfter: string | undefined;
      readonly body: Buffer;
    }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** Milliseconds: a server that says nothing for so long is not there. */
const LIMITS = { connect: 10_000, idle: 30_000, total: undefined };

/** Asks a server for traces. Its headers go to its own origin alone: no redirect is followed. Never throws. */
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
  return `${tried}: no answer came (${code}); see that the server runs and that its address is right`;
}

/** An answer that is no success, as a sentence: what came, with the server's own words as far as they are short. */
export function describeAnswer(
  target: TraceTarget,
  { method, url }: Pick<ServerRequest, 'method' | 'url'>,
  answer: Extract<ServerAnswer, { ok: true }>,
): string {
  const isText = /json|text/.test(answer.type);
  const said = isText ? target.redactor.redactText(answer.body.toString('utf8')).trim() : '';
  const words = said === '' ? '' : `: ${quote(said, 200)}`;
  const advice =
    isPage(answer) && answer.status < 300 ? '; that is a page: see its address' : adviseOn(answer.status);
  return `${method} ${redactUrl(url.href)} was answered with HTTP ${answer.status}${words}${advice}`;
}

/** True for a page for people, such as one for signing in: whoever answers so takes and gives no traces there. */
export function isPage({ type }: Extract<ServerAnswer, { ok: true }>): boolean {
  return /^\s*text\/html/i.test(type);
}

function adviseOn(status: number): string {
  if (status === 401 || status === 403) return '; correct the headers that sign in there';
  if (status === 404 || status === 405) return '; correct its address';
  if (status >= 300 && status < 400)
    return '; redirects are not followed, so put the address there that is meant';
  return '';
}
