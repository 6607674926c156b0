import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { RecursionGuard } from '../../../agents/proxy/guard.ts';
import { closeRawAgents, startRawAgent } from '../support/raw-agent.ts';
import { closeProxies, record, Tape } from './support.ts';

const COUNT = 3_000;
/** The packet may arrive in several reads. */
const MOST_EVENTS = 40;

describe('a reply of thousands of chunks of one byte that passes a recording', () => {
  afterEach(async () => {
    await closeProxies();
    await closeRawAgents();
  });

  for (const [name, guard] of [
    ['in its thread', undefined],
    ['with a guard', new RecursionGuard(5)],
  ] as const)
    it(`is stored in few events that have the number of its chunks, ${name}`, async () => {
      const body = 'ab'.repeat(COUNT / 2);
      const chunks = [...body].map(letter => `1\r\n${letter}\r\n`).join('');
      const agent = await startRawAgent(
        socket => void socket.end(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`),
      );
      const tape = new Tape();
      const proxy = await record(agent.origin, tape, guard ? { guard } : {});
      const response = await fetch(proxy.address, { method: 'POST', body: 'CALL|x' });
      assert.equal(await response.text(), body);
      await closeProxies();
      const [call, ...others] = tape.calls();
      assert.deepEqual(others, []);
      const replies = call?.wire.filter(({ direction }) => direction === 'in') ?? [];
      assert.ok(replies.length <= MOST_EVENTS, `${replies.length} events`);
      assert.equal(replies.map(({ bytes }) => ('text' in bytes ? bytes.text : '')).join(''), body);
      assert.equal(call?.traffic.piecesIn, COUNT);
    });
});
