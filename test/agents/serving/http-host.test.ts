import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { startHttpHost, type HttpHost } from '../../../agents/serving/http-host.ts';

describe('what serves callers over HTTP', () => {
  const open: HttpHost[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map(host => host.close()));
  });

  /** A host whose requests wait until they are released. */
  const serve = async (
    maxBytes: number,
  ): Promise<{ readonly origin: string; readonly release: () => void }> => {
    const waiting = Promise.withResolvers<void>();
    const started = await startHttpHost({
      name: 'The host',
      maxBytes,
      async answer({ body }, reply) {
        if (body.startsWith('wait')) await waiting.promise;
        reply.send(200, 'text/plain', String(body.length));
      },
    });
    assert.ok(started.ok);
    open.push(started.host);
    return { origin: started.host.origin, release: waiting.resolve };
  };

  const post = async (origin: string, body: string): Promise<string> => {
    const response = await fetch(origin, { method: 'POST', body });
    return `${response.status} ${response.headers.get('retry-after')} ${await response.text()}`;
  };

  it('answers a thousand callers at once', async () => {
    const { origin, release } = await serve(10_000);
    const answers = Array.from({ length: 1_000 }, () => post(origin, 'wait'));
    // Others are answered while these wait.
    assert.equal(await post(origin, 'now'), '200 null 3');
    release();
    assert.deepEqual(new Set(await Promise.all(answers)), new Set(['200 null 4']));
  });

  it('refuses long requests as busy while too many are open', async () => {
    const { origin, release } = await serve(10_000);
    const long = `wait${'x'.repeat(9_000)}`;
    const answers = Array.from({ length: 30 }, () => post(origin, long));
    const refusal = '503 1 The host has too many long requests open; try again when one has ended';
    assert.equal(await Promise.race(answers), refusal);
    release();
    const all = await Promise.all(answers);
    assert.ok(all.filter(each => each === '200 null 9004').length >= 16, all.join('\n'));
    assert.deepEqual(new Set(all), new Set([refusal, '200 null 9004']));
    assert.equal(await post(origin, 'x'.repeat(9_000)), '200 null 9000');
  });
});
