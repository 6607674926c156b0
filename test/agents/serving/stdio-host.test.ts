import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'mocha';
import { serveStdio } from '../../../agents/serving/stdio-host.ts';
import type { CallerRequest, ProtocolServer } from '../../../protocols/serving/serving.ts';

describe('serving a caller over standard input and output', () => {
  it('ends a request that is open when the caller has gone, and leaves those that are answered', async () => {
    const input = new PassThrough();
    const stop = new AbortController();
    const requests: CallerRequest[] = [];
    const ended: string[] = [];
    const server: ProtocolServer = {
      path: '/',
      answer: () => Promise.resolve(),
      openLines: send => ({
        async take(line, request) {
          requests.push(request);
          request.gone.addEventListener('abort', () => ended.push(line));
          if (line !== 'waits') return send(`answer to ${line}`);
          const gone = new Promise<void>(resolve => request.gone.addEventListener('abort', resolve));
          input.end();
          stop.abort();
          await gone;
        },
      }),
    };
    const written: string[] = [];
    const serving = serveStdio(server, {
      input,
      write: text => void written.push(text),
      drained: () => Promise.resolve(),
      signal: stop.signal,
      warn: text => assert.fail(text),
      longest: 100,
      observer: { received: () => ({ origin: undefined, note: () => undefined }), sent: () => undefined },
    });
    input.write('one\ntwo\nwaits\n');
    await serving;
    assert.deepEqual(written, ['answer to one\n', 'answer to two\n']);
    assert.deepEqual(ended, ['waits']);
    assert.deepEqual(
      requests.map(({ gone }) => gone.aborted),
      [false, false, true],
    );
  });
});
