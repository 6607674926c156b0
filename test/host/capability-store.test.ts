import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { CapabilityStore } from '../../client/src/agents/capability-store.ts';
import type { ToolInfo } from '../../client/src/services/agent-service.ts';

describe('the capabilities of agents', () => {
  it('shows of an agent whose process has ended by itself what it offered, and that it is gone', () => {
    const offers = new CapabilityStore(() => Promise.reject(new Error('nobody asks')));
    const found = { peer: undefined, tools: [], at: 1, resources: [], prompts: [], problem: undefined };
    offers.note('worker', { ...found, state: 'connected' });
    for (const name of ['worker', 'stranger']) offers.lose(name, 'ended');
    assert.deepEqual(
      [offers.get('worker'), offers.get('stranger').state],
      [
        {
          ...found,
          state: 'failed',
          problem: 'Its process has ended; the next request restarts it',
          change: undefined,
        },
        'idle',
      ],
    );
    offers.dispose();
  });

  it('asks an agent again whose entry changes while it is asked, and gives up after a disconnect', async () => {
    const replies: ((tools: readonly ToolInfo[]) => void)[] = [];
    const found = { peer: undefined, at: 1, resources: [], prompts: [], problem: undefined } as const;
    const offers = new CapabilityStore(async () => ({
      ...found,
      state: 'connected',
      tools: await new Promise<readonly ToolInfo[]>(resolve => replies.push(resolve)),
    }));
    const tool = { name: 'new', description: '', declaration: undefined, schema: undefined };
    const first = offers.ask('builder');
    offers.renew('builder');
    assert.equal(offers.get('builder').state, 'connecting');
    const second = offers.ask('builder');
    replies[0]?.([]);
    replies[1]?.([tool]);
    for (const asked of [first, second]) assert.deepEqual((await asked).tools, [tool]);
    assert.equal(replies.length, 2);
    offers.renew('builder');
    assert.equal(offers.get('builder').state, 'idle');
    const third = offers.ask('builder');
    offers.forget('builder');
    replies[2]?.([tool]);
    assert.equal((await third).state, 'idle');
    assert.equal(replies.length, 3);
    offers.dispose();
  });
});
