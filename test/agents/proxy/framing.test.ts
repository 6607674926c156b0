import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { RefusedRequest } from '../../../agents/http/local-access.ts';
import {
  breakReplies,
  BROKEN,
  CHUNKS,
  closeAll,
  HEAD,
  HEADS,
  MAY_PASS,
  NEXT,
  noNumber,
  OK,
  refuseChunks,
  refuseHeads,
  refuseReplies,
  REPLIES,
  start,
} from './framing-rows.ts';
import { closeProxies, converse, lineOf, record, Tape } from './support.ts';

/** A few rows of a table; test/stress takes all. */
function some<Row>(rows: readonly Row[]): readonly Row[] {
  return rows.filter((_, index) => index % 4 === 0);
}

describe('a request whose end readers could find at different places', () => {
  afterEach(closeAll);

  it('is refused at its head, and no byte of it reaches the agent', () => refuseHeads(some(HEADS)));

  it('is refused within its chunks, and nothing reaches the agent from there on', () =>
    refuseChunks(some(CHUNKS)));

  it('is one that passes byte for byte where they cannot', async () => {
    const pass = async ([name, request]: (typeof MAY_PASS)[number]): Promise<void> => {
      const agent = await start(socket => socket.write('HTTP/1.1 204 No Content\r\n\r\n'));
      const proxy = await record(agent.origin, new Tape());
      const text = (host: string): string => request.replaceAll('HERE', host);
      await converse(proxy.port, [text(`127.0.0.1:${proxy.port}`)]);
      assert.deepEqual([name, agent.reached], [name, text(new URL(agent.origin).host)]);
    };
    await Promise.all(MAY_PASS.map(pass));
  });

  it('is reported once for each fault', async () => {
    const agent = await start();
    const refused: RefusedRequest[] = [];
    const proxy = await record(agent.origin, new Tape(), {
      access: { onRefused: each => refused.push(each) },
    });
    for (const length of ['+1', '+2', '+1'])
      await converse(proxy.port, [
        `${HEAD}Content-Length: ${length}\r\n\r\n`.replace('HERE', `localhost:${proxy.port}`),
      ]);
    assert.deepEqual(
      refused.map(({ kind, message }) => [kind, message]),
      [
        ['framing', noNumber('+1')],
        ['framing', noNumber('+2')],
      ],
    );
  });

  it('behind a request for another protocol is refused until that is answered', async () => {
    const agent = await start();
    const proxy = await record(agent.origin, new Tape());
    const upgrade = 'GET /ws HTTP/1.1\r\nHost: HERE\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n';
    const host = `127.0.0.1:${proxy.port}`;
    const seen = await converse(proxy.port, [`${upgrade}${NEXT}`.replaceAll('HERE', host)]);
    assert.deepEqual(
      [seen, agent.reached],
      [{ bytes: '', end: 'open' }, upgrade.replace('HERE', new URL(agent.origin).host)],
    );
  });

  it('has no offer of HTTP/2, which the agent does not get', async () => {
    const agent = await start(socket => socket.write('HTTP/1.1 204 No Content\r\n\r\n'));
    const tape = new Tape();
    const proxy = await record(agent.origin, tape);
    const request = `POST /x HTTP/1.1\r\nConnection: Upgrade, HTTP2-Settings\r\nContent-Length: 2\r\nHost: HERE\r\nHTTP2-Settings: AAEAAEAA\r\nUpgrade: h2c\r\nX-a: b\r\n\r\nhi`;
    const seen = await converse(proxy.port, [request.replace('HERE', `127.0.0.1:${proxy.port}`)]);
    await closeProxies();
    const own = new URL(agent.origin).host;
    assert.deepEqual(
      [seen.bytes, agent.reached],
      [
        'HTTP/1.1 204 No Content\r\n\r\n',
        `POST /x HTTP/1.1\r\nContent-Length: 2\r\nHost: ${own}\r\nX-a: b\r\n\r\nhi`,
      ],
    );
    assert.deepEqual(tape.calls()[0]?.notes, [
      'Its offer of HTTP/2 (Upgrade: h2c) was not forwarded, so that all calls can be read',
    ]);
  });
});

describe('a reply whose end callers could find at different places', () => {
  afterEach(closeAll);

  it('is 502 where its head is at fault, with the reason, and both sides end', () =>
    refuseReplies(some(REPLIES)));

  it('breaks off where some of it has passed', () => breakReplies(BROKEN));

  it('is the last one of its connection where it changes to a protocol that the request did not ask for', async () => {
    const switching = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n';
    const agent = await start(socket => socket.write(switching));
    const proxy = await record(agent.origin, new Tape());
    const host = `127.0.0.1:${proxy.port}`;
    const request = `GET /x HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    const seen = await converse(proxy.port, [request, { after: 'Upgrade', text: request }]);
    assert.deepEqual(
      [seen.bytes, seen.end === 'open', agent.reached.split('GET ').length - 1],
      [switching, false, 1],
    );
  });

  it('is the last one of its connection where bytes follow that belong to no request', async () => {
    const agent = await start(socket => socket.write(`${OK}Content-Length: 2\r\n\r\nOK and more`));
    const tape = new Tape();
    const proxy = await record(agent.origin, tape);
    const host = `127.0.0.1:${proxy.port}`;
    const request = `GET /x HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    const seen = await converse(proxy.port, [request, { after: 'more', text: request }]);
    await closeProxies();
    assert.deepEqual(
      [seen.bytes, seen.end === 'open', agent.reached.split('GET ').length - 1],
      [`${OK}Content-Length: 2\r\n\r\nOK and more`, false, 1],
    );
    assert.deepEqual(tape.calls().map(lineOf), ['other · GET /x · ok']);
  });
});
