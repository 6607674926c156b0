import type { MessageHead } from './http-head.ts';
import { findHeader } from '../../../protocol/src/trace/headers.ts';
import type { KeptHeader } from '../../../protocol/src/trace/events.ts';
import { quote } from '../../../protocol/src/text/quote.ts';

/** Names of this computer, as they stand in a Host header. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::(\d{1,5}))?$/i;

/** The port of a Host header that names none. */
const DEFAULT_PORT = 80;

/** Why a request is refused by its head: by what it names; undefined where it may pass. `port` is the recording's. */
export function findRequestFault({ line, headers }: MessageHead, port: number): string | undefined {
  // HTTP/1.0 needs no Host, and no browser speaks that.
  const needsHost = !line.endsWith(' HTTP/1.0') || findHeader(headers, 'host') !== undefined;
  return (needsHost ? findHostFault(headers, port) : undefined) ?? findTargetFault(line);
}

/**
 * Why a request is refused by its Host header; undefined where it may pass. A page in a browser reaches us under a name of
 * its own that resolves to 127.0.0.1 (DNS rebinding): only names of this computer with our port may pass.
 */
export function findHostFault(headers: readonly KeptHeader[], port: number): string | undefined {
  const hosts = headers.filter(({ name }) => name.toLowerCase() === 'host').map(({ value }) => value);
  const [host, another] = hosts;
  if (host === undefined || another !== undefined)
    return `A request names its host once, and this one has ${hosts.length} Host headers; send one, 'Host: 127.0.0.1:${port}'`;
  const match = LOOPBACK.exec(host);
  if (match && Number(match[1] ?? DEFAULT_PORT) === port) return undefined;
  return `This recording answers to 127.0.0.1:${port} and localhost:${port} only, and the request names the host ${quote(host)}`;
}

/** A recording stands in front of one agent: a request that names another address is for a proxy of another kind. */
function findTargetFault(line: string): string | undefined {
  const [method = '', target = ''] = line.split(' ');
  if (method !== 'CONNECT' && (target.startsWith('/') || target === '*')) return undefined;
  return 'This recording stands in front of one agent and takes requests for its paths; it is no proxy for other addresses';
}

/** The bytes of a head whose Host header names another host; all else, also the spelling of `Host`, stays as it is. */
export function withHost(head: Buffer, host: string): Buffer {
  const text = head.toString('latin1');
  return Buffer.from(text.replace(/(\r\nhost:[ \t]*)[^\r\n]*/i, `$1${host}`), 'latin1');
}
