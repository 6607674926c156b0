import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, describe, it } from 'mocha';
import { closeRawAgents, startRawAgent, until, type RawAgent } from './support/raw-agent.ts';
import { agentAt, connectTo, sendTo } from './support/send.ts';

/** A reply after which both may go on with the socket. */
function keepAliveReply(body: string): string {
  return `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

function connect(agent: RawAgent): ReturnType<typeof connectTo> {
  return connectTo(agentAt('aicf', `${agent.origin}/aip/v1/aicf`));
}

describe('sockets that are reused from call to call', () => {
  afterEach(closeRawAgents);

  it('has one socket for calls one after the other, and closes it with the connection', async () => {
    const sockets = new Set<Socket>();
    const agent = await startRawAgent((socket, index) => {
      sockets.add(socket);
      socket.write(keepAliveReply(`OK|${index}`));
    });
    const connection = connect(agent);
    const texts: string[] = [];
    for (let call = 0; call < 5; call++) texts.push((await sendTo(connection, 'LIST')).reply.text);
    assert.deepEqual(texts, ['OK|0', 'OK|1', 'OK|2', 'OK|3', 'OK|4']);
    assert.equal(sockets.size, 1);
    assert.equal(agent.countSockets(), 1);
    await connection.close();
    // Another's call goes there and back: the reused one is gone before its time.
    const other = connect(agent);
    await sendTo(other, 'LIST');
    assert.deepEqual([sockets.size, agent.countSockets()], [2, 1]);
    await other.close();
  });

  it('has a socket for each of several calls at once', async () => {
    const waiting: Socket[] = [];
    const agent = await startRawAgent(socket => {
      waiting.push(socket);
      if (waiting.length === 3) for (const each of waiting) each.write(keepAliveReply('OK|1'));
    });
    const connection = connect(agent);
    const sent = await Promise.all([1, 2, 3].map(() => sendTo(connection, 'LIST')));
    assert.deepEqual(
      sent.map(({ reply }) => reply.status),
      ['ok', 'ok', 'ok'],
    );
    assert.equal(new Set(waiting).size, 3);
    await connection.close();
  });

  it('meets an agent that closes each socket at once after its reply, without a word', async () => {
    const agent = await startRawAgent((socket, index) => void socket.end(keepAliveReply(`OK|${index}`)));
    const connection = connect(agent);
    const texts: string[] = [];
    for (let call = 0; call < 50; call++) texts.push((await sendTo(connection, 'LIST')).reply.text);
    assert.deepEqual(
      texts,
      texts.map((_, index) => `OK|${index}`),
    );
    assert.equal(agent.requests.length, 50);
    await connection.close();
  });

  it('never resends a request that a reused socket accepted and did not answer', async () => {
    const agent = await startRawAgent((socket, index) => {
      if (index === 1) socket.resetAndDestroy();
      else socket.write(keepAliveReply(`OK|${index}`));
    });
    const connection = connect(agent);
    const replies = [];
    for (let call = 0; call < 3; call++) replies.push((await sendTo(connection, `CALL|add|${call}`)).reply);
    assert.deepEqual(replies, [
      { status: 'ok', text: 'OK|0', isProtocol: true },
      {
        status: 'error',
        code: 'ECONNRESET',
        message: `Tried POST ${agent.origin}/aip/v1/aicf, but the agent closed the connection without an answer; look at the agent's own log to see whether the request arrived (the connection was reused), and send again if it did not`,
        text: '',
        isProtocol: false,
      },
      { status: 'ok', text: 'OK|2', isProtocol: true },
    ]);
    assert.deepEqual(
      agent.requests.map(request => request.split('\r\n\r\n')[1]),
      ['CALL|add|0', 'CALL|add|1', 'CALL|add|2'],
    );
    await connection.close();
  });

  it('takes nothing that an agent says unasked for the answer to the next request', async () => {
    const sockets: Socket[] = [];
    const agent = await startRawAgent((socket, index) => {
      sockets.push(socket);
      socket.write(keepAliveReply(`OK|${index}`));
    });
    const connection = connect(agent);
    const first = await sendTo(connection, 'CALL|first');
    const [socket] = sockets;
    assert.ok(socket);
    const closed = once(socket, 'close');
    socket.write(keepAliveReply('OK|unasked'));
    await closed;
    const second = await sendTo(connection, 'CALL|second');
    assert.deepEqual([first.reply.text, second.reply.text], ['OK|0', 'OK|1']);
    assert.notEqual(sockets[1], socket);
    await connection.close();
  });

  it('keeps no socket of a reply that was cut or given up', async () => {
    const agent = await startRawAgent((socket, index) =>
      index === 0
        ? void socket.write(keepAliveReply('OK|0').slice(0, -1))
        : void socket.write(keepAliveReply('OK|1')),
    );
    const connection = connect(agent);
    const stop = new AbortController();
    const { reply } = await sendTo(connection, 'LIST', { signal: stop.signal, onBody: () => stop.abort() });
    assert.equal(reply.status, 'cancelled');
    await until('the agent has no socket any more', () => agent.countSockets() === 0);
    assert.equal((await sendTo(connection, 'LIST')).reply.text, 'OK|1');
    await connection.close();
  });
});
