import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { listenLoopback, LOOPBACK } from '../../../agents/http/local-access.ts';
import { limitWait, SignInError, type SignInReturn } from '../../../agents/sign-in-host.ts';

const PATH = '/signed-in';

/**
 * The way back from a browser on this computer (RFC 8252, section 7.3): a server on 127.0.0.1 that accepts
 * one answer. It listens at the port of `known`, the address of an earlier sign-in, if that is free, because
 * not every authorization server accepts a port that was not registered. Rejects with a `SignInError`.
 */
export async function openLoopback(known: string | undefined): Promise<SignInReturn> {
  const server = createServer();
  const knownPort = Number(URL.parse(known ?? '')?.port ?? 0);
  const before = await listenLoopback(server, knownPort);
  const listening = before.ok ? before : await listenLoopback(server, 0);
  if (!listening.ok) throw new SignInError('failed', listening.message);
  const host = `${LOOPBACK}:${listening.port}`;
  return {
    address: `http://${host}${PATH}`,
    wait: (state, signal) => limitWait(takeAnswer(server, host, state), signal),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function takeAnswer(server: Server, host: string, state: string): Promise<URLSearchParams> {
  return new Promise(resolve => {
    let isTaken = false;
    server.on('request', (request, response) => {
      const answer = isTaken ? undefined : readAnswer(request, host, state);
      if (!answer)
        return reply(response, 404, 'Nothing is waiting for this answer. Send again to retry the sign-in.\n');
      isTaken = true;
      // The browser has the whole page before this server ends.
      reply(response, 200, 'Parley has the answer. You can close this page.\n', () => resolve(answer));
    });
  });
}

/** The query of a request that is the answer. Any page in a browser may send us other requests. */
function readAnswer(
  { method, url = '', headers }: IncomingMessage,
  host: string,
  state: string,
): URLSearchParams | undefined {
  if (method !== 'GET' || headers.host !== host || !URL.canParse(url, `http://${host}`)) return undefined;
  const { pathname, searchParams } = new URL(url, `http://${host}`);
  return pathname === PATH && hasState(searchParams, state) ? searchParams : undefined;
}

/** True for an answer that carries this state, and only this one. */
export function hasState(answer: URLSearchParams, state: string): boolean {
  const [given = '', ...more] = answer.getAll('state');
  const [mine, theirs] = [Buffer.from(state), Buffer.from(given)];
  return more.length === 0 && mine.length === theirs.length && timingSafeEqual(mine, theirs);
}

function reply(response: ServerResponse, status: number, text: string, sent?: () => void): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  });
  response.end(text, sent);
}
