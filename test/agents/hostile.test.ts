import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, it } from 'mocha';
import { AICL, ATTACKS, HEAD } from './support/attacks.ts';
import { closeRawAgents, reply, startRawAgent, until } from './support/raw-agent.ts';
import { agentAt, connectTo, sendTo } from './support/send.ts';
import { sized } from '../support/size.ts';

const WHOLE = { aicf: 'OK|1', aicl: AICL } as const;

describe('an agent that misbehaves', () => {
  afterEach(closeRawAgents);

  for (const protocol of ['aicf', 'aicl'] as const) {
    for (const attack of ATTACKS.filter(each => (each.only ?? protocol) === protocol)) {
      it(`${protocol}: ${attack.name}: one sentence, the received part is stored, and the next request works`, async () => {
        const agent = await startRawAgent((socket, index) =>
          index === 0 ? attack.answer(socket) : void socket.end(reply(WHOLE[protocol])),
        );
        const url = `${agent.origin}${attack.path ?? '/aip/v1/aicf'}`;
        const connection = connectTo(agentAt(protocol, url), attack.limits);
        const { timeout } = attack;
        const sent = await sendTo(connection, 'LIST', timeout === undefined ? {} : { timeout });
        const message = attack.reply.message?.replace('URL', url).replace('ORIGIN', agent.origin);
        assert.deepEqual(sent.reply, { ...attack.reply, ...(message === undefined ? {} : { message }) });
        assert.deepEqual(
          sent.observed.filter(each => each.startsWith('note')),
          (attack.notes ?? []).map(note => `note: ${note}`),
        );
        const next = await sendTo(connection, 'LIST');
        assert.deepEqual(next.reply, { status: 'ok', isProtocol: true, text: WHOLE[protocol] });
        await until('the connection is closed', () => agent.countSockets() === 0);
      });
    }
  }

  it('is not there: refused', async () => {
    const port = await findFreePort();
    const sent = await sendTo(connectTo(agentAt('aicf', `http://127.0.0.1:${port}/`)), 'LIST');
    // Nothing was on the wire.
    assert.deepEqual(sent.observed, []);
    assert.deepEqual(sent.reply, {
      status: 'error',
      isProtocol: false,
      text: '',
      code: 'ECONNREFUSED',
      message: `Tried POST http://127.0.0.1:${port}/, but nothing listens at 127.0.0.1:${port} (connection refused); start the agent or correct its url`,
    });
  });

  it('does not speak TLS', async () => {
    const agent = await startRawAgent(() => undefined);
    const server = createServer(socket => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const sent = await sendTo(connectTo(agentAt('aicf', `https://127.0.0.1:${port}/`)), 'LIST');
    server.close();
    await agent.close();
    assert.deepEqual([sent.reply.status, sent.reply.text], ['error', '']);
    assert.equal(
      sent.reply.message,
      `Tried POST https://127.0.0.1:${port}/, but the server there does not use TLS; try http:// in place of https://`,
    );
  });

  it('is given up before, while and after its head comes', async () => {
    const agent = await startRawAgent((socket, index) => void (index > 0 && socket.write(`${HEAD}OK|`)));
    const connection = connectTo(agentAt('aicf', agent.origin));
    const url = `${agent.origin}/`;
    const before = await sendTo(connection, 'LIST', { signal: AbortSignal.abort() });
    const waiting = new AbortController();
    const pending = sendTo(connection, 'LIST', { signal: waiting.signal });
    await until('the request came', () => agent.requests.length === 1);
    waiting.abort();
    const reading = new AbortController();
    const read = await sendTo(connection, 'LIST', {
      signal: reading.signal,
      onBody: received => received === 3 && setImmediate(() => reading.abort()),
    });
    const cancelled = { status: 'cancelled', code: 'CANCELLED' } as const;
    const early = {
      ...cancelled,
      isProtocol: false,
      text: '',
      message: `POST ${url} was cancelled before an answer began`,
    };
    assert.deepEqual(before.reply, early);
    assert.deepEqual((await pending).reply, early);
    const late = {
      ...cancelled,
      isProtocol: true,
      text: 'OK|',
      message: `POST ${url} was cancelled after 3 bytes`,
    };
    assert.deepEqual(read.reply, late);
    await until('the connection is closed', () => agent.countSockets() === 0);
  });

  it('drips without an end', async () => {
    const agent = await startRawAgent(async socket => {
      socket.write(HEAD);
      while (!socket.destroyed) {
        socket.write('O');
        await new Promise(resolve => setTimeout(resolve, 50));
      }
    });
    const sent = await sendTo(connectTo(agentAt('aicf', agent.origin)), 'LIST', { timeout: 1000 });
    const { text } = sent.reply;
    assert.match(text, /^O+$/);
    assert.deepEqual(sent.reply, {
      status: 'incomplete',
      isProtocol: false,
      text,
      code: 'TIMEOUT',
      message: `Tried POST ${agent.origin}/: 200 OK and ${text.length === 1 ? '1 byte' : `${text.length} bytes`} came, but the reply did not end within 1 s; the received part is stored, wait for the agent or raise its 'timeout'`,
    });
    await until('the connection is closed', () => agent.countSockets() === 0);
  });

  it('is closed while a call is open', async () => {
    const agent = await startRawAgent(() => undefined);
    const connection = connectTo(agentAt('aicl', agent.origin));
    const pending = sendTo(connection, AICL);
    await until('the request came', () => agent.requests.length === 1);
    await connection.close();
    assert.equal((await pending).reply.status, 'cancelled');
    await until('the connection is closed', () => agent.countSockets() === 0);
  });

  for (const [protocol, body] of [
    ['aicf', 'STREAM|ä€\r\nSTREAM|😀\\n\r\nEND\r\n'],
    ['aicl', `[d:[s:msg_type]:[s:result],[s:data]:[s:ä€😀\\u005D\\]]\n${AICL}`],
  ] as const) {
    it(`${protocol}: sends its reply split at every byte`, async () => {
      const whole = reply(body);
      // The gate tries every third place, also inside characters.
      const step = sized(1, 3);
      const agent = await startRawAgent(async (socket, index) => {
        socket.setNoDelay(true);
        socket.write(whole.subarray(0, step * index));
        await new Promise(resolve => setImmediate(resolve));
        socket.end(whole.subarray(step * index));
      });
      const connection = connectTo(agentAt(protocol, agent.origin));
      for (let at = 0; at <= whole.length; at += step) {
        const sent = await sendTo(connection, 'LIST');
        assert.deepEqual(sent.reply, { status: 'ok', isProtocol: true, text: body });
      }
    });
  }
});

/** A port that was free a moment ago. */
async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}
