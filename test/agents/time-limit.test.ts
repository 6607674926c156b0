import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { connectAgent } from '../../agents/all.ts';
import { KnownTools } from '../../agents/capabilities/known-tools.ts';
import { askIn } from '../../agents/converting/converting-connection.ts';
import { readTimeLimit, type TimeLimit } from '../../agents/converting/time-limit.ts';
import type { ProtocolName } from '../../core/catalog/protocols.ts';
import { message } from '../../core/message/message.ts';
import { readAiclPieces } from '../../language/values/aicl-reader.ts';
import { ALL_PROTOCOLS } from '../../protocols/all.ts';
import { closeRawAgents, startRawAgent } from './support/raw-agent.ts';
import { agentAt, sendTo } from './support/send.ts';

const NOW = Date.parse('2026-11-28T12:00:00Z');

function limitOf(
  fields: Readonly<Record<'timeout' | 'deadline' | 'constraints', string | undefined>>,
): TimeLimit {
  const read = Object.entries(fields).map(
    ([name, text]) => [name, text === undefined ? undefined : readAiclPieces(text).pieces[0]?.value] as const,
  );
  return readTimeLimit(message('task', Object.fromEntries(read)), NOW);
}

const deadline = (text: string): TimeLimit =>
  limitOf({ timeout: undefined, deadline: text, constraints: undefined });

describe('the time limit of a request', () => {
  for (const [text, milliseconds] of [
    ['[s:2026-11-28T12:00:05Z]', 5_000],
    ['[s:2026-11-28T13:00:05.5+01:00]', 5_500],
    ['[i:1795867260]', 60_000],
    ['[s:1795867260]', 60_000],
    ['[i:1795867260000]', 60_000],
    ['[s:30 s]', 30_000],
    ['[s:1.5min]', 90_000],
    ['[s:2 h]', 7_200_000],
  ] as const)
    it(`of the deadline ${text} is ${milliseconds} ms`, () => {
      assert.deepEqual(deadline(text), { timeout: milliseconds, warnings: [], notes: [] });
    });

  for (const text of ['[s:2026-11-28T11:59:59Z]', '[i:1]', '[i:1795867199]'])
    it(`holds a request whose deadline ${text} has passed`, () => {
      const { timeout, warnings } = deadline(text);
      assert.equal(timeout, undefined);
      assert.match(
        warnings.join(),
        /^the deadline '?.*'? has passed; write a later time, or a span such as '30 s'$/,
      );
    });

  for (const text of ['[s:soon]', '[s:tomorrow at noon]', '[s:5 days]', '[s:2026-13-45T00:00:00Z]', '[s:]'])
    it(`is not set by the deadline ${text}, with a note`, () => {
      const { timeout, warnings, notes } = deadline(text);
      assert.deepEqual([timeout, warnings], [undefined, []]);
      assert.match(notes.join(), /^The deadline '.*' limits nothing: write a time such as/);
    });

  it('is the shortest of the message and its constraints', () => {
    const fields = { timeout: '[i:9]', deadline: '[s:1 min]', constraints: '[d:[s:timeout]:[f:2.5]]' };
    assert.deepEqual(limitOf(fields), { timeout: 2_500, warnings: [], notes: [] });
  });

  it('is not set by a time-out that is no number of seconds', () => {
    const { timeout, notes } = limitOf({
      timeout: '[i:0]',
      deadline: undefined,
      constraints: '[d:[s:timeout]:[s:a]]',
    });
    assert.equal(timeout, undefined);
    assert.deepEqual(
      notes.map(note => note.slice(0, 14)),
      ["The timeout '0", "The timeout 'a"],
    );
  });

  describe('of a sent request', () => {
    afterEach(closeRawAgents);

    const HEAD = '[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]';
    const TASK = `[d:${HEAD}:[s:task_request],[s:task]:[s:x],[s:constraints]:[s:none],[s:deadline]:`;

    for (const protocol of [
      'aicl',
      'agent-api',
      'a2a',
      'responses',
      'aio',
    ] as const satisfies readonly ProtocolName[])
      it(`ends the call of an agent of ${protocol} that does not answer`, async () => {
        const agent = await startRawAgent(() => undefined);
        const connection = connectAgent(agentAt(protocol, agent.origin));
        const options = { protocols: ALL_PROTOCOLS, language: 'aicl', tools: new KnownTools() } as const;
        const sender = askIn(connection, { ...options, warningPolicy: 'hold' });
        const late = await sendTo(sender, `${TASK}[s:0.2 s]]`);
        assert.equal(late.reply.code, 'TIMEOUT', late.reply.message);
        const count = agent.requests.length;
        const past = await sendTo(sender, `${TASK}[i:1]]`);
        await connection.close();
        assert.deepEqual([past.reply.code, agent.requests.length], ['NOT_SENT', count]);
      });
  });
});
