import { createServer, type AddressInfo, type Socket } from 'node:net';

/** An agent that answers with bytes written by hand; it knows nothing of HTTP but where a request ends. */
export interface RawAgent {
  readonly port: number;
  readonly origin: string;
  /** The requests that came, whole, as text. */
  readonly requests: readonly string[];
  /** Connections that are still open. */
  countSockets(): number;
  /** Takes no new connection. */
  refuse(): void;
  close(): Promise<void>;
}

const running = new Set<RawAgent>();

/** Ends all agents of a test: also after a failure nothing keeps the process alive. */
export async function closeRawAgents(): Promise<void> {
  for (const agent of running) await agent.close();
  running.clear();
}

/** Answers each whole request by `answer`, which gets the socket and the number of the request, from 0. Port 0 is any. */
export async function startRawAgent(
  answer: (socket: Socket, index: number) => void | Promise<void>,
  listenAt = 0,
): Promise<RawAgent> {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  const server = createServer(socket => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    let text = '';
    socket.on('data', bytes => {
      text += bytes.toString('latin1');
      // Under load several come at once.
      for (let end = endOfRequest(text); end <= text.length && text !== ''; end = endOfRequest(text)) {
        requests.push(text.slice(0, end));
        text = text.slice(end);
        void answer(socket, requests.length - 1);
      }
    });
  });
  await new Promise<void>(resolve => server.listen(listenAt, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const agent: RawAgent = {
    port,
    origin: `http://127.0.0.1:${port}`,
    requests,
    countSockets: () => sockets.size,
    refuse: () => void server.close(),
    close: () =>
      new Promise(resolve => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
  running.add(agent);
  return agent;
}

/** Where the first request of a text ends: beyond the text where more is to come. */
function endOfRequest(text: string): number {
  const body = text.indexOf('\r\n\r\n') + 4;
  if (body < 4) return Infinity;
  const head = text.slice(0, body);
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  if (length !== undefined) return body + Number(length);
  if (!/^transfer-encoding: chunked/im.test(head)) return body;
  const last = text.indexOf('\r\n0\r\n\r\n', body - 2);
  return last < 0 ? Infinity : last + 7;
}

/** A reply with a length, as bytes. */
export function reply(body: string | Buffer, status = '200 OK', type = 'text/plain; charset=utf-8'): Buffer {
  const bytes = Buffer.from(body);
  const head = `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\nContent-Length: ${bytes.length}\r\nConnection: close\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes]);
}

/** How long a test waits for what should come at once, in milliseconds. */
const PATIENCE = 60_000;
/** And for a program that loads much before it says anything. */
export const START_PATIENCE = 60_000;

/** The next turns of the event loop, until `isTrue`; fails by itself when that does not come, so that nothing goes on. */
export async function until(what: string, isTrue: () => boolean, patience = PATIENCE): Promise<void> {
  const end = Date.now() + patience;
  while (!isTrue()) {
    if (Date.now() > end) throw new Error(`Waited in vain until ${what}`);
    await new Promise(resolve => setTimeout(resolve, 5));
  }
}
