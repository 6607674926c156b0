import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { limitWait, type SignInReturn } from './host.ts';

const HOST = '127.0.0.1';
const PATH = '/signed-in';

/**
 * A way back from a browser on this computer (RFC 8252, section 7.3): a server on 127.0.0.1 that takes one answer. It listens
 * at the port of `known`, the address of an earlier sign-in, where that is free: not every authorization server takes a port
 * that it was not told.
 */
export async function openLoopback(known: string | undefined): Promise<SignInReturn> {
  const server = createServer();
  const knownPort = known !== undefined && URL.canParse(known) ? Number(new URL(known).port) : 0;
  const port =
    (knownPort > 0 ? await tryToListen(server, knownPort) : undefined) ?? (await listen(server, 0));
  const host = `${HOST}:${port}`;
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
      if (!answer) {
        reply(response, 404, 'Nothing is waiting for this answer. Send again to sign in anew.\n');
        return;
      }
      isTaken = true;
      // The page is whole in the browser before this server ends.
      reply(response, 200, 'Parley has the answer. You can close this page.\n', () => resolve(answer));
    });
  });
}

/** The query of a request that is the answer; any page of a browser may send us others. */
function readAnswer(
  { method, url = '', headers }: IncomingMessage,
  host: string,
  state: string,
): URLSearchParams | undefined {
  if (method !== 'GET' || headers.host !== host || !URL.canParse(url, `http://${host}`)) return undefined;
  const { pathname, searchParams } = new URL(url, `http://${host}`);
  return pathname === PATH && hasState(searchParams, state) ? searchParams : undefined;
}

/** True for an answer that belongs to a state. */
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

async function tryToListen(server: Server, port: number): Promise<number | undefined> {
  try {
    return await listen(server, port);
  } catch {
    // Somebody else has it.
    return undefined;
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}
