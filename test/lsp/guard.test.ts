import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { CancellationTokenSource, LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';
import { guardRequest, guardWork, type GuardHost } from '../../server/src/guard.ts';
import { NODE_RUNTIME } from '../../server/src/node-runtime.ts';

function createHost(): { host: GuardHost; log: string[] } {
  const log: string[] = [];
  return { host: { runtime: NODE_RUNTIME, logError: message => void log.push(message) }, log };
}

/** Rejects with anything, as code that is not ours may. */
async function refuse(reason: unknown): Promise<number> {
  await Promise.resolve();
  throw reason;
}

const WORK = { feature: 'hover', uri: 'file:///a.aicf', version: 3 };

describe('guard', () => {
  it('answers what the work answers', async () => {
    const { host, log } = createHost();
    assert.equal(await guardWork(host, WORK, 'neutral', () => 'answer'), 'answer');
    assert.deepEqual(log, []);
  });

  it('answers neutral after an error and logs feature, document and version', async () => {
    const { host, log } = createHost();
    const fault = new Error('a fault');
    fault.stack = 'Error: a fault';
    const answer = await guardWork(host, WORK, 'neutral', () => {
      throw fault;
    });
    assert.equal(answer, 'neutral');
    assert.deepEqual(log, ['hover failed for file:///a.aicf version 3: Error: a fault']);
  });

  it('answers neutral when a promise is rejected, also with something that is no error', async () => {
    const { host, log } = createHost();
    assert.equal(await guardWork(host, { feature: 'settings' }, 0, () => refuse('no')), 0);
    assert.deepEqual(log, ['settings failed: no']);
  });

  it('does no work for a request that was cancelled before', async () => {
    const { host, log } = createHost();
    const source = new CancellationTokenSource();
    source.cancel();
    let worked = 0;
    const answer = await guardRequest(host, WORK, null, source.token, () => void worked++);
    assert.ok(answer instanceof ResponseError);
    assert.equal(answer.code, LSPErrorCodes.RequestCancelled);
    assert.deepEqual([worked, log], [0, []]);
  });

  it('does no work for a request whose cancel waits in the queue', async () => {
    const { host, log } = createHost();
    const source = new CancellationTokenSource();
    let worked = 0;
    const pending = guardRequest(host, WORK, null, source.token, () => void worked++);
    source.cancel();
    const answer = await pending;
    assert.ok(answer instanceof ResponseError);
    assert.deepEqual([answer.code, worked, log], [LSPErrorCodes.RequestCancelled, 0, []]);
  });

  it('answers cancelled and not the result when the cancel came during the work', async () => {
    const { host } = createHost();
    const source = new CancellationTokenSource();
    const answer = await guardRequest(host, WORK, 'neutral', source.token, () => {
      source.cancel();
      return 'answer';
    });
    assert.ok(answer instanceof ResponseError);
  });
});
