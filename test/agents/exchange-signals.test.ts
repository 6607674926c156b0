import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'mocha';
import { exchangeHttp, type HttpOutcome } from '../../agents/http/exchange.ts';

describe('the signals of an exchange', () => {
  let server: Server;
  let url: URL;
  before(async () => {
    server = createServer((request, response) => {
      response.write('OK|1\n');
      if (request.url !== '/hang') response.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  function ask(
    path: string,
    signals: readonly AbortSignal[],
    observed = (): void => undefined,
  ): Promise<HttpOutcome> {
    return exchangeHttp(
      {
        method: 'POST',
        url: new URL(path, url),
        headers: new Map(),
        body: Buffer.from('CALL|a'),
        limits: { connect: 10_000, idle: 60_000, total: undefined },
        maxBytes: 1_000,
        tls: {},
      },
      {
        requestHead: () => undefined,
        requestBody: () => undefined,
        replyHead: () => undefined,
        replyBody: () => {
          observed();
          return 'more';
        },
      },
      ...signals,
    );
  }

  const open = (): readonly AbortController[] => [new AbortController(), new AbortController()];
  const signalsOf = (all: readonly AbortController[]): readonly AbortSignal[] =>
    all.map(({ signal }) => signal);
  const countListeners = (signals: readonly AbortSignal[]): readonly number[] =>
    signals.map(signal => getEventListeners(signal, 'abort').length);

  for (const at of [0, 1])
    it(`each ends it: the ${at === 0 ? 'first' : 'second'}`, async () => {
      const all = open();
      const { failure } = await ask('/hang', signalsOf(all), () => all[at]?.abort());
      assert.equal(failure?.kind, 'cancelled');
      const before = open();
      before[at]?.abort();
      assert.equal((await ask('/', signalsOf(before))).failure?.kind, 'cancelled');
      assert.deepEqual(countListeners(signalsOf([...all, ...before])), [0, 0, 0, 0]);
    });

  it('none is listened to any more when it is over', async () => {
    const signals = signalsOf(open());
    let during: readonly number[] = [];
    const { failure } = await ask('/', signals, () => (during = countListeners(signals)));
    assert.deepEqual([failure, during, countListeners(signals)], [undefined, [1, 1], [0, 0]]);
  });
});
