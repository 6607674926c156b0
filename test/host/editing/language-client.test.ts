import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { Position, type LogOutputChannel } from 'vscode';
import { LanguageServer, type CreateClient } from '../../../client/src/language-client/language-client.ts';
import { closeEditors, sampleUri } from '../support/parley.ts';

const LINES: string[] = [];
const LOG = {
  info: (line: string) => LINES.push(line),
  error: () => undefined,
} as unknown as LogOutputChannel;

const OPTIONS = {
  canSend: true,
  needsTrust: false,
  canInspect: true,
  canShowMedia: true,
  canConvert: true,
  agents: [],
  dialects: [],
  showsDialects: true,
  environment: [],
  secrets: [],
};

describe('language server', () => {
  afterEach(closeEditors);

  it('starts anew where its start failed, and is asked then', async () => {
    const starts: string[] = [];
    /** Where the server starts at the third attempt only; counts what it was asked. */
    const create: CreateClient = () => {
      const attempt = starts.push('failed');
      return {
        start: () => {
          if (attempt < 3) return Promise.reject(new Error('no room'));
          starts[attempt - 1] = 'started';
          return Promise.resolve();
        },
        sendRequest: () => Promise.resolve(null),
        onNotification: () => undefined,
        onDidChangeState: () => undefined,
        needsStop: () => false,
      } as unknown as ReturnType<CreateClient>;
    };
    const server = new LanguageServer(create, LOG, OPTIONS, () => false);
    try {
      const ask = (): Promise<unknown> =>
        server.requestAt(sampleUri('.vscode/agents.json'), new Position(0, 0));
      const failed = starts.length;
      for (let at = failed; at < 2; at++) await assert.rejects(ask, /no room/);
      // The fake answers that there is no request.
      assert.deepEqual([await ask(), await ask()], [undefined, undefined]);
      assert.deepEqual(starts, ['failed', 'failed', 'started']);
      assert.deepEqual(LINES, ['Language server started.']);
    } finally {
      server.dispose();
    }
  });

  it('sends the requests of a turn before a stop of the same turn', async () => {
    const seen: string[] = [];
    const create: CreateClient = () =>
      ({
        start: () => Promise.resolve(),
        stop: () => Promise.resolve(seen.push('stop')),
        needsStop: () => true,
        sendRequest: async () => {
          // The real client takes its connection some microtasks later, and fails with a message if that is closed.
          for (let turn = 0; turn < 10; turn++) await Promise.resolve();
          seen.push('request');
        },
        onNotification: () => undefined,
        onDidChangeState: () => undefined,
      }) as unknown as ReturnType<CreateClient>;
    const server = new LanguageServer(create, LOG, OPTIONS, () => false);
    const asked = server.requestsIn(sampleUri('.vscode/agents.json'), undefined);
    await server.stop();
    await asked;
    assert.deepEqual(seen, ['request', 'stop']);
  });
});
