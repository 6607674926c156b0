import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { startChain } from '../../../agents/demo/chain.ts';
import type { DemoHost } from '../../../agents/demo/demo-host.ts';

describe('the demo agents of the chain', () => {
  let host: DemoHost;
  before(async () => {
    host = await startChain();
  });
  after(() => host.close());

  /** Asks an agent, and returns the text of its result, or the code and the message of its error. */
  const ask = async (
    agent: 'chain' | 'loop',
    meta?: unknown,
    headers: Record<string, string> = {},
  ): Promise<string> => {
    const params = {
      name: 'ask',
      arguments: { question: 'Why?' },
      ...(meta === undefined ? {} : { _meta: meta }),
    };
    const reply = await fetch(host.addresses[agent] ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    const { result, error } = (await reply.json()) as {
      result?: { content: readonly { text: string }[] };
      error?: { code: number; message: string };
    };
    return error ? `${error.code} ${error.message}` : (result?.content[0]?.text ?? '');
  };
  const ANSWER = 'chain-a asked on. chain-b asked on. chain-c says: 42, if the question was "Why?"';
  const refused = (calls: number, agent: string): string =>
    `-33007 Recursion limit reached: depth ${calls}, limit 5. ${agent} made no further call`;

  it('respect the depth in `_meta`, as a number or a text, under both names', async () => {
    for (const key of ['X-OpenStarry-Trace-Depth', 'traceDepth'])
      for (const depth of [6, '6', 99])
        assert.equal(await ask('chain', { [key]: depth }), refused(Number(depth), 'chain-a'));
    assert.equal(await ask('chain', { traceDepth: 3 }), ANSWER);
    assert.equal(await ask('chain', { traceDepth: 4 }), refused(6, 'chain-c'));
  });

  it('count a header before `_meta`, and a request without a depth as the first', async () => {
    const header = { 'x-openstarry-trace-depth': '6' };
    assert.equal(await ask('chain', { traceDepth: 0 }, header), refused(6, 'chain-a'));
    for (const meta of [undefined, {}, 7, null]) assert.equal(await ask('chain', meta), ANSWER);
  });

  it('refuse a depth that is no whole number', async () => {
    const words = '-33006 The depth of a trace is a whole number from 0';
    for (const depth of [-1, 1.5, 'many', '', null, [], {}, '9'.repeat(1000)])
      assert.equal(await ask('chain', { traceDepth: depth }), words, JSON.stringify(depth));
    assert.equal(await ask('chain', undefined, { 'x-openstarry-trace-depth': 'many' }), words);
  });

  it('end a loop after six calls', async () => {
    assert.equal(await ask('loop'), refused(6, 'loop-a'));
    assert.equal(await ask('loop', { 'X-OpenStarry-Trace-Depth': 5 }), refused(6, 'loop-b'));
  });
});
