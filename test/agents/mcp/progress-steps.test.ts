import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { connectAgent } from '../../../agents/all.ts';
import { KnownTools } from '../../../agents/capabilities/known-tools.ts';
import type { WireListener } from '../../../agents/connection.ts';
import { askIn } from '../../../agents/converting/converting-connection.ts';
import { startDemoAgents } from '../../../agents/demo/start.ts';
import { sendTracked } from '../../../agents/tracked.ts';
import type { ProgressStep } from '../../../core/message/message.ts';
import { Redactor } from '../../../core/secrets/redact.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { agentAt } from '../support/send.ts';
import { call, closeAll, connect, mcpScript } from './support.ts';

describe('the progress of an MCP call', () => {
  it('reaches the caller step by step, with secrets replaced', async () => {
    const demo = await startDemoAgents();
    const connection = connectAgent(agentAt('mcp', demo.addresses.get('librarian') ?? ''));
    const options = { protocols: ALL_PROTOCOLS, tools: new KnownTools(), warningPolicy: 'send' } as const;
    const sender = askIn(connection, { ...options, language: 'aicf' });
    const steps: ProgressStep[] = [];
    const listener: WireListener = {
      head: () => undefined,
      bytes: () => undefined,
      note: () => undefined,
      progress: () => undefined,
      step: step => void steps.push(step),
    };
    const tracking = {
      emit: () => undefined,
      now: () => performance.now(),
      ids: { newTrace: () => 'a'.repeat(32), newCall: () => 'b'.repeat(16) },
      redactor: new Redactor(['2']),
    };
    const { agent, protocol } = connection;
    const to = { agent, protocol, send: sender.send.bind(sender) };
    const stop = new AbortController();
    const sent = sendTracked(to, tracking, { wireText: 'CALL|slow.count|2' }, listener, stop.signal);
    const { status } = await sent.reply;
    await Promise.all([connection.close(), demo.close()]);
    assert.equal(status, 'ok');
    assert.deepEqual(
      steps.map(({ done, total, message }) => [done, total, message]),
      [
        [1, undefined, '1'],
        [2, undefined, ' [redacted]'],
      ],
    );
  });

  it('of a process reaches the caller also where the answer follows at once', async () => {
    const agent = mcpScript(`
      on(({ id, params }) => {
        const progressToken = params._meta.progressToken;
        const lines = [1, 2].map(progress => ({ method: 'notifications/progress', params: { progressToken, progress } }));
        raw([...lines, { id, result: { content: [] } }].map(line => JSON.stringify({ jsonrpc: '2.0', ...line }) + '\\n').join(''));
      });`);
    const connection = connect(agent);
    const steps: number[] = [];
    const nothing = (): undefined => undefined;
    const listener: WireListener = {
      head: nothing,
      bytes: nothing,
      note: nothing,
      progress: nothing,
      step: ({ done }) => void steps.push(done),
    };
    const { status } = await connection.send(
      { wireText: call('work') },
      listener,
      new AbortController().signal,
    );
    await closeAll();
    assert.equal(status, 'ok');
    assert.deepEqual(steps, [1, 2]);
  });
});
