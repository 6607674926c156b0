import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { connectAgent } from '../../../agents/all.ts';
import { Conversations } from '../../../agents/converting/conversations.ts';
import { startAiclAgent } from '../../../agents/demo/aicl-agent.ts';
import { AICL } from '../../../protocols/aicl/protocol.ts';
import { agentAt, sendTo } from '../support/send.ts';
import { closeAll, connectStdio, scriptAgent } from '../support/stdio-agent.ts';

const message = (type: string, fields: string, session = 's'): string =>
  `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:${session}],[s:msg_type]:[s:${type}]${fields}]`;
const TASK = message('task_request', ',[s:task]:[s:Write a report],[s:constraints]:[d:]');
const QUERY = message('data_query', ',[s:query]:[s:cities]');
const RESULT = message('result', ',[s:data]:[l:[i:18],[i:24]]');

describe('an AICL agent that asks back', () => {
  afterEach(closeAll);

  it('gets data and the result of a tool, and reports', async () => {
    const host = await startAiclAgent();
    const connection = connectAgent(agentAt('aicl', host.origin));
    const asked = await sendTo(connection, TASK);
    const called = await sendTo(connection, RESULT);
    const reported = await sendTo(connection, message('result', ',[s:data]:[i:21]'));
    const again = await sendTo(connection, RESULT);
    await Promise.all([connection.close(), host.close()]);
    assert.deepEqual(
      [asked, called].map(({ reply }) => [reply.status, reply.question?.session, reply.question?.text]),
      [
        [
          'ok',
          's',
          "The agent waits for the answer to its query for 'temperatures': send a 'result' or an 'error' in the session 's'",
        ],
        [
          'ok',
          's',
          "The agent waits for the answer to its call of 'stats.mean': send a 'result' or an 'error' in the session 's'",
        ],
      ],
    );
    assert.match(reported.reply.text, /2 temperatures with a mean of 21 degrees/);
    assert.equal(reported.reply.question, undefined);
    assert.deepEqual([again.reply.status, again.reply.code], ['error', '1000']);
  });

  it('refuses data of another form, and ends after an error and after 30 s of silence', async () => {
    let now = 0;
    const host = await startAiclAgent(() => now);
    const connection = connectAgent(agentAt('aicl', host.origin));
    const codes: (string | undefined)[] = [];
    for (const [wait, answer] of [
      [0, message('result', ',[s:data]:[s:warm]')],
      [0, message('error', ',[s:code]:[i:5000],[s:reason]:[s:TOOL_FAILED]')],
      [30_001, RESULT],
      [29_999, RESULT],
    ] as const) {
      await sendTo(connection, TASK);
      now += wait;
      const { reply } = await sendTo(connection, answer);
      codes.push(reply.code);
    }
    await Promise.all([connection.close(), host.close()]);
    assert.deepEqual(codes, ['4001', '5000', '1000', undefined]);
  });

  it('does not let a call of a process run into its time-out', async () => {
    const script = `on((line, count) => say(count === 0 ? '${QUERY}\\n' : result('s', 'done') + '\\n'));`;
    const connection = connectStdio(scriptAgent(script));
    const asked = await sendTo(connection, TASK, { timeout: 20_000 });
    const done = await sendTo(connection, RESULT, { timeout: 20_000 });
    assert.equal(asked.reply.question?.session, 's');
    assert.deepEqual([done.reply.status, done.reply.question], ['ok', undefined]);
    assert.equal(new Set([...asked.pids, ...done.pids]).size, 1);
  });

  it('has the answer in the trace of its question, and other requests in their own', () => {
    const conversations = new Conversations();
    conversations.wait('trace-1', { protocol: 'aicl', session: 's', text: '', asks: '', request: '' });
    conversations.wait('trace-2', undefined);
    const find = (text: string): string | undefined => conversations.findTrace({ wireText: text }, AICL);
    assert.deepEqual(
      [RESULT, message('error', ',[s:code]:[i:1]'), TASK, message('result', '', 'other'), 'no message'].map(
        find,
      ),
      ['trace-1', 'trace-1', undefined, undefined, undefined],
    );
    conversations.wait('trace-1', undefined);
    assert.equal(find(RESULT), undefined);
  });

  it('forgets the oldest of many questions that nobody answers', () => {
    const conversations = new Conversations();
    const ask = (session: string): void =>
      conversations.wait(`trace of ${session}`, {
        protocol: 'aicl',
        session,
        text: '',
        asks: '',
        request: '',
      });
    const find = (session: string): string | undefined =>
      conversations.findTrace({ wireText: message('result', '', session) }, AICL);
    for (let count = 0; count <= 1000; count++) ask(`s${count}`);
    assert.deepEqual(['s0', 's1', 's1000'].map(find), [undefined, 'trace of s1', 'trace of s1000']);
  });
});
