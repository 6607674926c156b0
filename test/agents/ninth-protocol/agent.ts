import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An agent that speaks the protocol of `protocol.ts`. */
export interface ToyAgent {
  readonly origin: string;
  /** The bodies of the requests that it got. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

const TOOLS = [
  {
    name: 'add',
    description: 'Adds two numbers',
    inputSchema: {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'integer' } },
      required: ['a', 'b'],
    },
  },
];

/** `add` adds, any other tool fails, and a text is answered in a stream. */
export async function startToyAgent(): Promise<ToyAgent> {
  const requests: string[] = [];
  const server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      requests.push(body);
      const { events, reply } = answer(new Map(Object.entries(JSON.parse(body) as object)));
      response.setHeader('content-type', events ? 'text/event-stream' : 'application/json');
      response.end(
        events ? reply.map(each => `data: ${JSON.stringify(each)}\n\n`).join('') : JSON.stringify(reply[0]),
      );
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

function answer(request: ReadonlyMap<string, unknown>): {
  readonly events: boolean;
  readonly reply: readonly object[];
} {
  const room = request.get('room') ?? 'room-1';
  if (request.has('say')) {
    const parts = ['You said: ', String(request.get('say'))].map(part => ({ part, room }));
    return { events: true, reply: [...parts, { over: true, room }] };
  }
  if (request.has('tools')) return { events: false, reply: [{ tools: TOOLS, room }] };
  if (request.get('do') !== 'add')
    return { events: false, reply: [{ failed: { code: 404, why: 'There is no such tool' }, room }] };
  const given = new Map(Object.entries(request.get('with') ?? {}));
  return { events: false, reply: [{ done: Number(given.get('a')) + Number(given.get('b')), room }] };
}
