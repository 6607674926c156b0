import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { pairHeaders } from '../http/exchange.ts';
import { findAccessFault } from '../http/local-access.ts';

/** A request for a demo agent, with its whole body. */
export interface DemoRequest {
  readonly path: string;
  readonly contentType: string;
  /** The value of a header by its name in lower case; undefined if the request has none. */
  header(name: string): string | undefined;
  readonly body: string;
  /** Aborted when the caller has gone or the agent is closed. */
  readonly signal: AbortSignal;
}

/** Writes the reply of one request. */
export interface DemoReply {
  /** Sends a whole reply. */
  send(status: number, contentType: string, body: string): void;
  /** Sends a piece of a reply. The first piece sends the head, with status 200. */
  write(contentType: string, piece: string): void;
  /** Ends a reply that was sent in pieces. */
  end(): void;
}

export interface DemoHostOptions {
  /** The maximum number of bytes of a request's body; longer ones are answered with 413. */
  readonly maxBytes: number;
  /** Answers a complete POST request. If it throws, the reply is 500. */
  readonly answer: (request: DemoRequest, reply: DemoReply) => Promise<void>;
  /** JSON that anyone may read by GET at a path; undefined for other paths. Without it, there is none. */
  readonly read?: (path: string) => string | undefined;
}

export interface DemoHost {
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  close(): Promise<void>;
}

/** Callers may reach a demo agent through another port, for example that of a tunnel. */
const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Milliseconds that a caller has to send a request. */
const REQUEST_TIMEOUT = 30_000;
const MAX_CONNECTIONS = 64;

/**
 * Serves POST requests on a free port of the loopback interface. Refuses requests for another host name, so
 * that no page in a browser reaches it by a name that resolves to 127.0.0.1. Continues after any bad input.
 */
export async function startDemoHost(options: DemoHostOptions): Promise<DemoHost> {
  const closing = new AbortController();
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT }, (request, response) => {
    // `serve` answers in any case, so there is nothing to wait for.
    void serve(options, request, response, closing.signal);
  });
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise(resolve => {
        closing.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(
  options: DemoHostOptions,
  request: IncomingMessage,
  response: ServerResponse,
  closing: AbortSignal,
): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  // Errors of a caller's connection end only that call.
  request.on('error', () => gone.abort());
  response.on('error', () => gone.abort());
  const reply = writeTo(response);
  try {
    const refusal = findRefusal(request);
    if (refusal) return refuse(request, reply, refusal);
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const read = request.method === 'GET' ? options.read?.(path) : undefined;
    if (read !== undefined) return reply.send(200, 'application/json; charset=utf-8', read);
    if (request.method !== 'POST')
      return refuse(request, reply, { status: 405, text: 'Send a POST request' });
    const body = await readBody(request, options.maxBytes);
    if (body === undefined) return refuse(request, reply, { status: 413, text: 'The request is too long' });
    const contentType = request.headers['content-type'] ?? '';
    const signal = AbortSignal.any([gone.signal, closing]);
    const header = (name: string): string | undefined => request.headersDistinct[name]?.[0];
    await options.answer({ path, contentType, header, body, signal }, reply);
  } catch (error) {
    if (gone.signal.aborted) return;
    if (response.headersSent) response.destroy();
    else reply.send(500, 'text/plain', `The demo agent failed: ${String(error)}`);
  }
}

interface Refusal {
  readonly status: number;
  readonly text: string;
}

function findRefusal(request: IncomingMessage): Refusal | undefined {
  const refused = findAccessFault(pairHeaders(request.rawHeaders), { port: 0, hosts: LOOPBACK_NAMES });
  if (refused?.kind === 'host') return { status: 403, text: 'This agent answers on loopback names only' };
  // It serves no pages, so no origin is its own.
  if (refused ?? request.headers.origin !== undefined)
    return { status: 403, text: 'This agent answers no web pages' };
  return undefined;
}

/** Refuses a request. The rest of it is read and dropped, so that a caller that still sends receives the refusal. */
function refuse(request: IncomingMessage, reply: DemoReply, refusal: Refusal): void {
  reply.send(refusal.status, 'text/plain', refusal.text);
  request.resume();
}

/** The body as text; undefined if it is longer than `maxBytes`. */
async function readBody(request: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of request) {
    if (!(piece instanceof Uint8Array)) continue;
    length += piece.length;
    if (length <= maxBytes) pieces.push(piece);
    // A caller that sends far too much is cut off; one that sends a little too much receives the reason.
    if (length > maxBytes * 4 + 1_000_000) throw new Error('The request does not end');
  }
  return length <= maxBytes ? Buffer.concat(pieces).toString('utf8') : undefined;
}

function writeTo(response: ServerResponse): DemoReply {
  return {
    send(status, contentType, body) {
      response.writeHead(status, { 'content-type': contentType, 'content-length': Buffer.byteLength(body) });
      response.end(body);
    },
    write(contentType, piece) {
      if (!response.headersSent) response.writeHead(200, { 'content-type': contentType });
      response.write(piece);
    },
    end: () => void response.end(),
  };
}
