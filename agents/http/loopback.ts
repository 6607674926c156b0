import { createServer, type Server } from 'node:net';

/** The interface that only programs on this computer can reach. */
export const LOOPBACK = '127.0.0.1';

export type Listening =
  | { readonly ok: true; readonly port: number }
  | {
      readonly ok: false;
      /** A sentence for the user. */
      readonly message: string;
      /** A port that was free just now, if the requested one is not. */
      readonly freePort?: number;
    };

/**
 * Makes a server listen on a port of the loopback interface; 0 means any free port. If the port is taken, the
 * result has a free one.
 */
export async function listenLoopback(server: Server, port: number): Promise<Listening> {
  const code = await listen(server, port);
  if (code === undefined) return { ok: true, port: portOf(server) };
  if (code !== 'EADDRINUSE')
    return { ok: false, message: `Port ${port} cannot be listened on (${code}); choose another one` };
  const freePort = await findFreePort();
  const advice = freePort === undefined ? 'choose another one' : `port ${freePort} is free`;
  return {
    ok: false,
    message: `Port ${port} is taken by another program; ${advice}`,
    ...(freePort === undefined ? {} : { freePort }),
  };
}

/** Returns the code of the error; undefined once it listens. */
function listen(server: Server, port: number): Promise<string | undefined> {
  return new Promise(resolve => {
    // The handler stays: a later error, for example too many open files, must not end the process.
    server.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, LOOPBACK, () => resolve(undefined));
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

async function findFreePort(): Promise<number | undefined> {
  const server = createServer();
  const free = (await listen(server, 0)) === undefined ? portOf(server) : undefined;
  await new Promise<void>(resolve => server.close(() => resolve()));
  return free;
}
