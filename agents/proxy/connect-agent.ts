import { connect as connectTcp, isIP, type OnReadOpts, type Socket } from 'node:net';
import { connect as connectTls, TLSSocket } from 'node:tls';
import { portOf } from '../address.ts';
import type { ProxyTarget } from './proxy-target.ts';

/** A connection to an agent that is being made: by TLS, without HTTP/2, where its address begins with `https:`. */
export function connectAgent({ url, tls = {} }: ProxyTarget, onread?: OnReadOpts): Socket {
  const isTls = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = portOf(url);
  if (!isTls)
    return connectTcp({ host, port, allowHalfOpen: true, noDelay: true, ...(onread && { onread }) });
  return connectTls({
    host,
    port,
    ...(isIP(host) ? {} : { servername: host }),
    ALPNProtocols: ['http/1.1'],
    ...(tls.ca === undefined ? {} : { ca: tls.ca }),
    ...(tls.cert === undefined ? {} : { cert: tls.cert }),
    ...(tls.key === undefined ? {} : { key: tls.key }),
    ...(onread && { onread }),
    rejectUnauthorized: tls.allowSelfSigned !== true,
  });
}

/**
 * Ends a connection as one that broke off. A reset is known to TCP alone, and one that is half ended already would never be let
 * go of.
 */
export function reset(socket: Socket): void {
  if (socket instanceof TLSSocket || socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}
