import { createServer, type Socket } from 'node:net';
import {
  listenLoopback,
  LOOPBACK,
  type Listening,
  reportOnce,
  type RefusedRequest,
} from '../../http/local-access.ts';
import { findLoop } from './self-check.ts';
import { ProxyConnection } from './proxy-connection.ts';
import type { ExchangeRecorder } from '../exchange.ts';
import type { ProxyTarget } from './proxy-target.ts';

/** A running recording. */
export interface HttpProxy {
  /** The address that callers use instead of the agent's: `http://127.0.0.1:PORT` with the path of the agent's. */
  readonly address: string;
  readonly port: number;
  /** Ends the recording and its open calls. */
  close(): Promise<void>;
}

/** Which callers a recording admits, in addition to programs that use an address of this computer for it. */
export interface ProxyAccess {
  /** Origins of web pages, as `readOrigin` writes them. Origins that are added later are admitted from then on. */
  readonly origins?: ReadonlySet<string>;
  /** Host names, as `readHostName` writes them. */
  readonly hosts?: ReadonlySet<string>;
  /** Reports refused requests: each origin, host and fault once. */
  readonly onRefused?: (refused: RefusedRequest) => void;
}

/** The agents' addresses by the ports of the recordings in this process. */
const running = new Map<number, URL>();

export type StartedProxy =
  | { readonly ok: true; readonly proxy: HttpProxy }
  | Extract<Listening, { readonly ok: false }>;

/**
 * Starts a recording: a reverse proxy on the loopback interface that passes all bytes in both directions
 * unchanged, except for the value of `Host`, which becomes the agent's, an offer of HTTP/2, which is removed,
 * and the addresses in agent cards if `rewritesCards` is set. It refuses web pages, unknown names of itself,
 * and messages whose end is ambiguous. Port 0 means any free port.
 */
export async function startHttpProxy(
  target: ProxyTarget,
  port: number,
  recorder: ExchangeRecorder,
  { origins = new Set(), hosts = new Set(), onRefused: report = () => undefined }: ProxyAccess = {},
): Promise<StartedProxy> {
  const connections = new Set<ProxyConnection>();
  const access = { port, origins, hosts };
  const onRefused = reportOnce(report);
  // A caller may end its half of a connection and still wait for the reply.
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client: Socket) => {
    const connection = new ProxyConnection(client, { target, recorder, access, onRefused });
    connections.add(connection);
    client.on('close', () => connections.delete(connection));
  });
  const listening = await listenLoopback(server, port);
  if (!listening.ok) return listening;
  const own = listening.port;
  access.port = own;
  const fault = findLoop(running, own, target.url);
  if (fault !== undefined) {
    await new Promise(resolve => server.close(resolve));
    return { ok: false, message: fault };
  }
  running.set(own, target.url);
  return {
    ok: true,
    proxy: {
      address: `http://${LOOPBACK}:${own}${target.url.pathname === '/' ? '' : target.url.pathname}`,
      port: own,
      async close() {
        running.delete(own);
        const closed = new Promise(resolve => server.close(resolve));
        for (const connection of connections) connection.stop();
        await recorder.stop({
          status: 'cancelled',
          code: 'CANCELLED',
          message: 'The recording was stopped before the call ended',
        });
        await closed;
      },
    },
  };
}
