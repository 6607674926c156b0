import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, TLSSocket } from 'node:tls';
import { portOf } from '../../address.ts';
import type { ProxyTarget } from './proxy-target.ts';

/** Begins a connection to an agent: by TLS, without HTTP/2, if its address begins with `https:`. */
export function connectAgent({ url, tls = {} }: ProxyTarget): Socket {
  const { allowSelfSigned, ...files } = tls;
  const isTls = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = portOf(url);
  if (!isTls) return connectTcp({ host, port, allowHalfOpen: true, noDelay: true });
  return connectTls({
    host,
    port,
    ...(isIP(host) ? {} : { servername: host }),
    ALPNProtocols: ['http/1.1'],
    ...files,
    rejectUnauthorized: allowSelfSigned !== true,
  });
}

/**
 * Ends a connection as broken, with a reset where that works: only TCP has one, and a socket whose sending
 * half has ended would never be released by it.
 */
export function reset(socket: Socket): void {
  if (socket instanceof TLSSocket || socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}
