import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { createServer as createPlainServer, type AddressInfo } from 'node:net';
import { afterEach, describe, it } from 'mocha';
import { startHttpProxy } from '../../../agents/proxy/http/http-proxy.ts';
import { Recorder } from '../../../agents/proxy/recording/recorder.ts';
import { RANDOM_IDS, now } from '../../../agents/runtime.ts';
import { Redactor } from '../../../core/secrets/redact.ts';
import { closeProxies, record, Tape } from './support.ts';

describe('a recording that would lead to itself', () => {
  afterEach(closeProxies);

  const start = (url: string, port: number): ReturnType<typeof startHttpProxy> =>
    startHttpProxy(
      { url: new URL(url) },
      port,
      new Recorder({
        protocols: ALL_PROTOCOLS,
        agent: 'a',
        emit: () => undefined,
        now,
        ids: RANDOM_IDS,
        redactor: new Redactor([]),
      }),
    );
  const findFree = async (): Promise<number> => {
    const free = createPlainServer();
    await new Promise<void>(resolve => free.listen(0, '127.0.0.1', resolve));
    const { port } = free.address() as AddressInfo;
    await new Promise(resolve => free.close(resolve));
    return port;
  };
  const why = (url: string): string =>
    `${url} leads to this recording itself, so no request would ever be answered; give the address of the agent, or use another port`;

  it('does not start, whatever it calls this computer, and leaves the port free', async () => {
    const port = await findFree();
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '127.1'])
      assert.deepEqual(await start(`http://${host}:${port}/mcp`, port), {
        ok: false,
        message: why(`http://${host === '127.1' ? '127.0.0.1' : host}:${port}`),
      });
    const started = await start('http://127.0.0.1:1/', port);
    assert.equal(started.ok, true);
    if (started.ok) await started.proxy.close();
  });

  it('does not start where others lead back to it, and does once they do not', async () => {
    const [first, second] = [await record('http://127.0.0.1:1/', new Tape()), await findFree()];
    const between = await record(`http://localhost:${second}/`, new Tape());
    assert.deepEqual(await start(between.address, second), {
      ok: false,
      message: why(`http://127.0.0.1:${between.port}`),
    });
    const chained = await start(first.address, second);
    assert.equal(chained.ok, true);
    if (chained.ok) await chained.proxy.close();
    await between.close();
    const alone = await start(between.address, second);
    assert.equal(alone.ok, true);
    if (alone.ok) await alone.proxy.close();
  });
});
