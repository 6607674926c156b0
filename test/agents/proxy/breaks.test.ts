import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';
import { afterEach, describe, it } from 'mocha';
import { closeRawAgents, startRawAgent, until } from '../support/raw-agent.ts';
import { closeProxies, converse, lineOf, record, Tape } from './support.ts';
import { sized } from '../../support/size.ts';

/** More than systems hold on their own of what is on its way. */
const LONG = sized(64 * 2 ** 20, 24 * 2 ** 20);

function post(body: string, port: number): string {
  return `POST / HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** A caller that has received the beginning of a reply. */
async function startCall(port: number): Promise<Socket> {
  const caller = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  caller.write(post('LIST', port));
  await once(caller, 'data');
  return caller;
}

/** Answers the beginning of a stream, and hears how the connection ends. */
function begin(socket: Socket, ends: string[]): void {
  socket.on('error', (error: NodeJS.ErrnoException) => ends.push(error.code ?? error.message));
  socket.on('end', () => ends.push('end'));
  socket.resume().once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\nSTREAM|x\n'));
}

describe('a recorded connection that breaks off', () => {
  afterEach(async () => {
    await closeProxies();
    await closeRawAgents();
  });

  it('is one that broke off to the agent as well', async () => {
    const ends: string[] = [];
    const server = createServer(socket => begin(socket, ends));
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const tape = new Tape();
    const proxy = await record(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, tape);
    const caller = await startCall(proxy.port);
    caller.resetAndDestroy();
    await until('the agent hears it', () => ends.length === 1);
    await until('it is recorded', () => tape.calls()[0]?.status === 'cancelled');
    assert.deepEqual(
      [ends, tape.calls().map(lineOf)],
      [['ECONNRESET'], ['aicf · LIST · cancelled · CANCELLED']],
    );
    await closeProxies();
    await new Promise(resolve => server.close(resolve));
  });

  it('ends the one to an agent behind TLS, which knows no reset', async () => {
    const [cert, key] = ['cert', 'key'].map(name =>
      readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url), 'utf8'),
    );
    const ends: string[] = [];
    const sockets = new Set<Socket>();
    const server = createSecureServer({ cert, key }, socket => {
      begin(socket, ends);
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const tape = new Tape();
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const proxy = await record(url, tape, { tls: { ca: cert ?? '' } });
    const caller = await startCall(proxy.port);
    caller.resetAndDestroy();
    await until('the agent hears it', () => sockets.size === 0);
    await until('it is recorded', () => tape.calls()[0]?.status === 'cancelled');
    assert.deepEqual(tape.calls().map(lineOf), ['aicf · LIST · cancelled · CANCELLED']);
    await closeProxies();
    await new Promise(resolve => server.close(resolve));
  });

  it('ends the one to an agent behind TLS also while a request is on its way', async () => {
    const [cert, key] = ['cert', 'key'].map(name =>
      readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url), 'utf8'),
    );
    const agent = Promise.withResolvers<Socket>();
    const closed = Promise.withResolvers<unknown>();
    let came = 0;
    const server = createSecureServer({ cert, key }, socket => {
      socket.on('error', () => undefined);
      socket.on('close', closed.resolve);
      socket.on('data', (bytes: Buffer) => (came += bytes.length));
      // It reads nothing for now, so that the request has to wait.
      socket.once('data', () => {
        socket.pause();
        agent.resolve(socket);
      });
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const tape = new Tape();
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const proxy = await record(url, tape, { tls: { ca: cert ?? '' } });
    const caller = connect({ port: proxy.port, host: '127.0.0.1' });
    const whole = post('x'.repeat(LONG), proxy.port);
    caller.write(whole);
    const socket = await agent.promise;
    caller.resetAndDestroy();
    await until('it is recorded', () => tape.calls()[0]?.status === 'cancelled');
    socket.resume();
    await closed.promise;
    assert.deepEqual(tape.calls().map(lineOf), ['other · POST / · cancelled · CANCELLED']);
    assert.ok(came < whole.length, `${came} bytes came`);
    await closeProxies();
    await new Promise(resolve => server.close(resolve));
  });

  it('is reported with the data of the interrupted call, and not of the one before it', async () => {
    const tape = new Tape();
    const agent = await startRawAgent(async (socket, index) => {
      if (index === 0) return void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nERR|404|a');
      // A reset takes along what was not read yet.
      await until('the first answer is read', () => tape.calls()[0]?.status === 'error');
      socket.resetAndDestroy();
    });
    const proxy = await record(agent.origin, tape);
    const requests = [post('LIST', proxy.port), post('LIST', proxy.port)];
    const seen = await converse(proxy.port, requests, 'never', Infinity);
    assert.equal(seen.end, 'reset');
    await closeProxies();
    assert.deepEqual(
      tape.calls().map(call => [lineOf(call), call.message]),
      [
        ['aicf · LIST · error · 404', 'a'],
        [
          'aicf · LIST · error · ECONNRESET',
          `Tried POST ${agent.origin}/, but the agent closed the connection without an answer; look at the agent's own log`,
        ],
      ],
    );
  });
});
