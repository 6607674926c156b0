import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { connectAgent } from '../../../agents/all.ts';
import { openAgent } from '../../../agents/open-agent.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { agentOf, NO_VARIABLES } from '../bridge/support.ts';
import { startResponsesMock } from '../support/responses-mock.ts';

describe('an agent whose protocol is watched', () => {
  it('has the tokens of its replies in its traces', async () => {
    const mock = await startResponsesMock('a-key-of-the-test');
    const headers = { Authorization: 'Bearer a-key-of-the-test' };
    const config = agentOf({ protocol: 'responses', type: 'http', url: mock.url, headers });
    const events: TraceEvent[] = [];
    const opened = await openAgent(config, NO_VARIABLES, event => void events.push(event), {
      protocols: ALL_PROTOCOLS,
      connect: connectAgent,
      watches: true,
    });
    assert.ok(opened.ok);
    const listener = {
      head: () => undefined,
      bytes: () => undefined,
      note: () => undefined,
      progress: () => undefined,
    };
    const request = { wireText: '{"model":"small","input":"Hello"}' };
    await opened.send(request, listener, new AbortController().signal).reply;
    const end = events.find(event => event.type === 'end');
    assert.deepEqual([end?.status, end?.usage], ['ok', { input: 3, output: 4, model: 'small' }]);
    await opened.close();
    await mock.close();
  });
});
