import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, it } from 'mocha';
import { closeProxies, record, Tape } from './support.ts';
import { IS_FULL_SIZE, sized } from '../../support/size.ts';

const MB = 2 ** 20;
/** Systems buffer some megabytes of a connection that is not read: less has no visible effect. */
const SIZE = sized(64 * MB, 20 * MB);
/** What systems and sockets themselves hold of what is under way between three programs. */
const ON_THE_WAY = sized(32 * MB, 16 * MB);
const HEAD = `HTTP/1.1 200 OK\r\nContent-Length: ${SIZE}\r\n\r\n`;

describe('a recording of an agent, by its connections', () => {
  let server: Server | undefined;
  const sockets = new Set<Socket>();
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    await closeProxies();
    server?.close();
  });

  /** An agent with the given behaviour per connection; returns a connection to its recording. */
  async function open(agent: (socket: Socket) => void): Promise<{ caller: Socket; port: number }> {
    server = createServer({ allowHalfOpen: true }, socket => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      agent(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = await record(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, new Tape());
    const caller = connect({ port: proxy.port, host: '127.0.0.1', allowHalfOpen: true });
    sockets.add(caller);
    caller.on('error', () => undefined);
    await once(caller, 'connect');
    return { caller, port: proxy.port };
  }

  const ask = (port: number, length: number): string =>
    `POST / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: ${length}\r\n\r\n`;

  /** Writes so many bytes, a piece after the other: a socket tells of a write once all of it is gone. */
  function send(socket: Socket, left: number): void {
    if (left > 0) socket.write(Buffer.alloc(Math.min(left, MB / 4)), () => send(socket, left - MB / 4));
  }

  /** How much a socket got rid of, once that grows no more. */
  async function settle(socket: Socket): Promise<number> {
    const gone = (): number => socket.bytesWritten - socket.writableLength;
    for (let [before, same] = [-1, 0]; same < 10; await setTimeout(30)) {
      same = gone() === before ? same + 1 : 0;
      before = gone();
    }
    return gone();
  }

  it('holds an agent back whose caller does not read', async () => {
    const agent = Promise.withResolvers<Socket>();
    const { caller, port } = await open(socket => {
      socket.once('data', () => {
        socket.write(HEAD);
        send(socket, SIZE);
        agent.resolve(socket);
      });
    });
    caller.pause();
    caller.write(ask(port, 0));
    const passed = await settle(await agent.promise);
    assert.ok(passed < ON_THE_WAY, `${passed} bytes were taken from the agent`);
    // Nothing of it is lost.
    let came = 0;
    caller.on('data', piece => (came += piece.length)).resume();
    while (came < HEAD.length + SIZE) await setTimeout(10);
    assert.equal(came, HEAD.length + SIZE);
  });

  it('keeps what waits for slow callers apart from what passes to others', async () => {
    const names = IS_FULL_SIZE ? 'abcd' : 'ab';
    const size = sized(24 * MB, 6 * MB);
    const head = `HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`;
    const { port } = await open(socket => {
      socket.once('data', request => {
        const [, name = ''] = /^POST \/(.)/.exec(request.toString()) ?? [];
        socket.write(head);
        const piece = Buffer.alloc(MB, name);
        for (let sent = 0; sent < size; sent += MB) socket.write(piece);
      });
    });
    const call = (name: string): Socket => {
      const caller = connect({ port, host: '127.0.0.1' });
      sockets.add(caller);
      caller.write(ask(port, 0).replace('POST /', `POST /${name}`));
      return caller;
    };
    /** All that comes: how much, and how much of it is another's. */
    const read = async (caller: Socket, name: string): Promise<readonly [number, number]> => {
      let [came, foreign] = [-head.length, 0];
      caller.on('data', (piece: Buffer) => {
        const body = piece.subarray(Math.max(0, -came));
        if (!body.equals(Buffer.alloc(body.length, name))) foreign += body.length;
        came += piece.length;
      });
      caller.resume();
      while (came < size) await setTimeout(5);
      return [came, foreign];
    };
    const slow = [...names].map(name => call(name).pause());
    await Promise.all([...sockets].map(settle));
    assert.deepEqual(await read(call('x'), 'x'), [size, 0]);
    for (const [index, caller] of slow.entries())
      assert.deepEqual(await read(caller, names[index] ?? ''), [size, 0]);
  });

  it('holds a caller back whose agent does not read', async () => {
    const { caller, port } = await open(socket => socket.pause());
    caller.write(ask(port, SIZE));
    send(caller, SIZE);
    const passed = await settle(caller);
    assert.ok(passed < ON_THE_WAY, `${passed} bytes were taken from the caller`);
  });

  it('tells the agent that its caller has said all', async () => {
    const { caller, port } = await open(socket => {
      socket.resume().on('end', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK'));
    });
    caller.end(ask(port, 0));
    const [reply] = (await once(caller, 'data')) as [Buffer];
    assert.equal(reply.toString(), 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK');
  });

  it('resets the connection to the agent where its caller did', async () => {
    const end = Promise.withResolvers<string>();
    const { caller, port } = await open(socket => {
      socket.on('error', (error: NodeJS.ErrnoException) => end.resolve(error.code ?? ''));
      socket.on('end', () => end.resolve('ended'));
      socket.once('data', () => caller.resetAndDestroy());
    });
    caller.write(ask(port, 10));
    assert.equal(await end.promise, 'ECONNRESET');
  });
});
