import { quote } from '../../core/text/quote.ts';
import { redactUrl } from '../../core/secrets/redact.ts';
import type { Reply } from '../connection.ts';

/** Why an exchange has no complete reply. */
export interface HttpFailure {
  readonly kind: 'unreachable' | 'timeout' | 'cut' | 'too-long' | 'cancelled' | 'not-http' | 'packed';
  /** Node's code (`ECONNREFUSED`) or ours (`TIMEOUT`, `TOO_LONG`, `CANCELLED`, `COMPRESSED`). */
  readonly code: string;
  /** One sentence: what was tried, what was received, and what to do. */
  readonly message: string;
}

/** How far an exchange got. */
export interface Progress {
  readonly method: string;
  readonly url: URL;
  readonly isConnected: boolean;
  /** True if the connection had been used for a request before. */
  readonly isReused?: boolean;
  /** The status line of the reply; undefined before it has arrived. */
  readonly statusLine: string | undefined;
  /** The number of bytes received of the reply's body. */
  readonly received: number;
}

/** What to do about a network error, by Node's code. */
const NETWORK_ERRORS: ReadonlyMap<string, (url: URL) => string> = new Map<string, (url: URL) => string>([
  [
    'ECONNREFUSED',
    url => `nothing listens at ${url.host} (connection refused); start the agent or correct its url`,
  ],
  ['ENOTFOUND', url => `there is no host ${quote(url.hostname)}; correct the agent's url`],
  [
    'EAI_AGAIN',
    url => `the name ${quote(url.hostname)} could not be looked up; check the network and the agent's url`,
  ],
  ['EHOSTUNREACH', url => `${url.host} cannot be reached; check the network and the agent's url`],
  ['ENETUNREACH', url => `${url.host} cannot be reached; check the network and the agent's url`],
  ['EPROTO', () => 'the server there does not use TLS; try http:// in place of https://'],
  [
    'ERR_SSL_WRONG_VERSION_NUMBER',
    () => 'the server there does not use TLS; try http:// in place of https://',
  ],
  [
    'ERR_SSL_PACKET_LENGTH_TOO_LONG',
    () => 'the server there does not use TLS; try http:// in place of https://',
  ],
  ['CERT_HAS_EXPIRED', () => "the agent's certificate has expired; renew it"],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    url => `the agent's certificate is not for ${quote(url.hostname)}; correct its url`,
  ],
]);

/** Certificates that no known authority signed. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);

/** The failure for an error of Node's. */
export function describeNetworkError(error: Error, progress: Progress): HttpFailure {
  const code = readCode(error);
  if (code.startsWith('HPE_')) {
    return {
      kind: 'not-http',
      code,
      message: `${tried(progress)}, but the response is not valid HTTP (${code}); check that the agent's url and port are those of an HTTP server`,
    };
  }
  if (progress.statusLine !== undefined) return describeCut(code, progress);
  if (progress.isConnected && (code === 'ECONNRESET' || code === 'EPIPE')) {
    return {
      kind: 'cut',
      code,
      message: `${tried(progress)}, but the agent closed the connection without an answer; look at the agent's own log${progress.isReused === true ? REUSED : ''}`,
    };
  }
  return {
    kind: 'unreachable',
    code,
    message: `${tried(progress)}, but ${describeCause(error, code, progress.url)}`,
  };
}

/** An agent that closes an idle connection may do so while the next request is on its way. */
const REUSED =
  ' to see whether the request arrived (the connection was reused), and send again if it did not';

function describeCause(error: Error, code: string, url: URL): string {
  if (UNTRUSTED.has(code)) {
    return `the agent's certificate is not trusted (${code}); name its authority with 'tls.ca' or set 'tls.allowSelfSigned'`;
  }
  return NETWORK_ERRORS.get(code)?.(url) ?? `that failed: ${error.message || code}`;
}

/** The failure of a reply that began and broke off. */
export function describeCut(code: string, progress: Progress): HttpFailure {
  const came = `${progress.statusLine} and ${countBytes(progress.received)} came`;
  return {
    kind: 'cut',
    code,
    message: `${tried(progress)}: ${came}, then the connection was lost; the received part is stored, send again for the rest`,
  };
}

/** The failure of an exchange that took too long; `limit` is in milliseconds. */
export function describeTimeout(
  kind: 'connect' | 'idle' | 'total',
  limit: number,
  progress: Progress,
): HttpFailure {
  const within = printSeconds(limit);
  const raise = "wait for the agent or raise its 'timeout'";
  const came = progress.statusLine;
  const nothing = progress.isConnected
    ? `no answer began within ${within}`
    : `no connection was established within ${within}`;
  const message =
    came === undefined
      ? `${tried(progress)}, but ${nothing}; ${raise}`
      : kind === 'idle'
        ? `${tried(progress)}: ${came} and ${countBytes(progress.received)} came, then nothing more for ${within}; the received part is stored, ${raise}`
        : `${tried(progress)}: ${came} and ${countBytes(progress.received)} came, but the reply did not end within ${within}; the received part is stored, ${raise}`;
  return { kind: 'timeout', code: 'TIMEOUT', message };
}

/** The failure of a reply that is longer than the maximum; `limit` is in bytes. */
export function describeTooLong(limit: number, progress: Progress): HttpFailure {
  const message = `${tried(progress)}: the reply is longer than ${printSize(limit)} and was truncated there; request less`;
  return { kind: 'too-long', code: 'TOO_LONG', message };
}

/** The failure of a reply with a compressed body; `packing` names the compression, quoted. */
export function describePacked(packing: string, progress: Progress): HttpFailure {
  const came = `${progress.statusLine} came with a compressed body (${packing}, ${countBytes(progress.received)})`;
  return {
    kind: 'packed',
    code: 'COMPRESSED',
    message: `${tried(progress)}: ${came} although Parley asked for an uncompressed one, and it was not decompressed; turn compression off in the agent or in the proxy before it`,
  };
}

/** The reply of an exchange that failed; it is incomplete if its head has arrived and the failure left a part of it. */
export function failWith(
  { kind, code, message }: HttpFailure,
  head: object | undefined,
  came: Pick<Reply, 'text' | 'isProtocol'>,
): Reply {
  const isPartial = head !== undefined && kind !== 'not-http' && kind !== 'packed';
  return {
    ...came,
    status: kind === 'cancelled' ? 'cancelled' : isPartial ? 'incomplete' : 'error',
    code,
    message,
  };
}

/** The failure of a call that the user cancelled. */
export function describeCancelled(progress: Progress): HttpFailure {
  const came =
    progress.statusLine === undefined ? 'before an answer began' : `after ${countBytes(progress.received)}`;
  return {
    kind: 'cancelled',
    code: 'CANCELLED',
    message: `${progress.method} ${redactUrl(progress.url.href)} was cancelled ${came}`,
  };
}

/**
 * `Tried POST http://…`: the beginning of sentences about an exchange, without the secrets of the address.
 */
export function tried({ method, url }: Pick<Progress, 'method' | 'url'>): string {
  return `Tried ${method} ${redactUrl(url.href)}`;
}

function countBytes(count: number): string {
  return count === 1 ? '1 byte' : `${count} bytes`;
}

function printSeconds(milliseconds: number): string {
  return milliseconds < 1000
    ? `${Math.ceil(milliseconds)} ms`
    : `${Number((milliseconds / 1000).toFixed(1))} s`;
}

function printSize(bytes: number): string {
  return bytes >= 1 << 20 && bytes % (1 << 20) === 0 ? `${bytes / (1 << 20)} MiB` : countBytes(bytes);
}

/** If a name has several addresses, Node puts their errors into one that holds them all. */
function readCode(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const inner =
    error instanceof AggregateError ? error.errors.find(each => each instanceof Error) : undefined;
  return code || (inner instanceof Error ? readCode(inner) : error.name);
}
