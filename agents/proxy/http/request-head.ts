import { findHeader } from '../../../core/events/headers.ts';
import { findAccessFault, type AccessFault, type LocalAccess } from '../../http/local-access.ts';
import { listTokens } from './http-framing.ts';
import type { MessageHead } from './http-head.ts';

/** Why a request is refused by its head: because of its page, the host that it names, or its target. */
interface RequestFault {
  readonly message: string;
  /** What is reported in addition. */
  readonly access?: AccessFault | undefined;
}

/**
 * Checks whether a request comes from a web page, uses a foreign name for this server, or is meant for
 * another server.
 */
export function findRequestFault(
  { line, headers }: MessageHead,
  access: LocalAccess,
): RequestFault | undefined {
  // HTTP/1.0 does not require Host, and no browser uses that version.
  const needsHost = !line.endsWith(' HTTP/1.0') || findHeader(headers, 'host') !== undefined;
  const fault = findAccessFault(headers, access, needsHost ? 'once' : 'not');
  const message = fault?.message ?? findTargetFault(line);
  return message === undefined ? undefined : { message, access: fault };
}

/** Why a request is refused by its target; undefined if it may pass. A recording serves one agent only. */
function findTargetFault(line: string): string | undefined {
  const [method = '', target = ''] = line.split(' ');
  if (method !== 'CONNECT' && (target.startsWith('/') || target === '*')) return undefined;
  return 'This recording forwards to one agent and takes requests for its paths only; it is not a proxy for other addresses';
}

/**
 * The bytes of a head with another host in its Host header. All else, including the spelling of `Host`, is
 * unchanged.
 */
export function withHost(head: Buffer, host: string): Buffer {
  const text = head.toString('latin1');
  return Buffer.from(text.replace(/(\r\nhost:[ \t]*)[^\r\n]*/i, `$1${host}`), 'latin1');
}

/**
 * True for a request that offers to continue with HTTP/2 on the same connection, as some HTTP clients do in
 * each one.
 */
export function offersHttp2({ headers }: MessageHead): boolean {
  return listTokens(headers, 'upgrade').includes('h2c');
}

/** The bytes of a head without that offer, so that the traffic stays HTTP/1.1, which can be read. */
export function withoutHttp2(head: Buffer): Buffer {
  const [start = '', ...lines] = head.toString('latin1').split('\r\n');
  const written = lines.flatMap(line => {
    if (/^(?:upgrade|http2-settings):/i.test(line)) return [];
    if (!/^connection:/i.test(line)) return [line];
    const options = line.slice(line.indexOf(':') + 1).split(',');
    const others = options.filter(option => !HTTP2_OPTIONS.has(option.trim().toLowerCase()));
    return others.length === 0 ? [] : [`${line.slice(0, line.indexOf(':'))}: ${others.join(',').trim()}`];
  });
  return Buffer.from([start, ...written].join('\r\n'), 'latin1');
}

const HTTP2_OPTIONS: ReadonlySet<string> = new Set(['upgrade', 'http2-settings']);
