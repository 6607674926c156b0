import { connectAgent } from '../../../agents/all.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { Sender } from '../../../agents/connection.ts';
import { askIn } from '../../../agents/converting/converting-connection.ts';
import { ConnectionPool } from '../../../agents/connection-pool.ts';
import { CapabilityReader } from '../../../agents/capabilities/capability-reader.ts';
import { closeA2aAgents, startA2aAgent, type A2aAgent } from '../support/a2a-agent.ts';
import { agentAt, sendTo, type Sent } from '../support/send.ts';
import { shownPeer } from '../support/shown-peer.ts';

const VERSIONS = ['1.0', '0.3'] as const;
const CARD = '/.well-known/agent-card.json';
const QUIET = { head() {}, bytes() {}, note() {}, progress() {} };

const stored = new ConnectionPool(connectAgent);

function ask(agent: A2aAgent): Sender {
  const { connection, tools, conversations } = stored.connect('it', agentAt('a2a', `${agent.origin}/`));
  return askIn(connection, {
    protocols: ALL_PROTOCOLS,
    language: 'aicf',
    tools,
    conversations,
    warningPolicy: 'hold',
  });
}

const notesOf = ({ observed }: Sent): readonly string[] =>
  observed.filter(each => each.startsWith('note: ')).map(each => each.slice(6));

afterEach(async () => {
  await stored.close();
  await closeA2aAgents();
});

describe('the skills of an A2A agent of the official library', () => {
  for (const version of VERSIONS) {
    it(`${version}: are its list of tools, which is its card and on the wire as that`, async () => {
      const agent = await startA2aAgent({ version, streaming: false });
      const sent = await sendTo(ask(agent), 'LIST');
      assert.deepEqual(sent.reply, { status: 'ok', text: 'TOOLS|plan\n', isProtocol: true });
      assert.deepEqual(agent.requests, [`GET ${CARD}`]);
      assert.ok(
        sent.observed.some(each => each.startsWith('in: ') && each.includes('"skills":[{"id":"plan"')),
      );
      assert.deepEqual(notesOf(sent), [
        'tools[0].title and 2 others: A list of tools in AICF holds nothing but their names',
      ]);
    });

    it(`${version}: are listed one by one, and for an unknown one a similar name is suggested`, async () => {
      const agent = await startA2aAgent({ version, streaming: false });
      const connection = ask(agent);
      assert.deepEqual((await sendTo(connection, 'INFO|plan')).reply, {
        status: 'ok',
        text: 'TOOL|plan|Plans\n',
        isProtocol: true,
      });
      const message = "Agent2Agent (A2A): there is no tool 'plant'; did you mean 'plan'?";
      assert.deepEqual((await sendTo(connection, 'INFO|plant')).reply, {
        status: 'error',
        code: '404',
        message,
        text: `ERR|404|${message}\n`,
        isProtocol: true,
      });
      assert.deepEqual(agent.requests, [`GET ${CARD}`, `GET ${CARD}`]);
    });

    it(`${version}: hold no call back, and are not asked for before one`, async () => {
      const agent = await startA2aAgent({ version, streaming: false });
      const connection = ask(agent);
      await sendTo(connection, 'LIST');
      for (const call of ['CALL|anything', 'CALL|anything|{"to":"Paris"}', 'CALL|plan|{"to":"Paris"}']) {
        const { reply } = await sendTo(connection, call);
        assert.equal(reply.status, 'ok', reply.message);
      }
      assert.deepEqual(
        agent.requests.map(each => each.startsWith('GET ')),
        [true, false, false, false],
      );
      assert.ok(agent.requests.at(-1)?.includes('"data":{"tool":"plan","arguments":{"to":"Paris"}}'));
    });
  }

  it('are none where its card has none', async () => {
    const agent = await startA2aAgent({ version: '0.3', streaming: false, more: { skills: [] } });
    const connection = ask(agent);
    assert.equal((await sendTo(connection, 'LIST')).reply.text, 'TOOLS\n');
    assert.equal((await sendTo(connection, 'INFO|plan')).reply.code, '404');
  });

  it('are called by their names if they have no ids, and reported if they have neither', async () => {
    const skills = [{ name: 'Plan trips' }, { tags: ['lost'] }, { id: 'a|b', name: 'a|b' }];
    const agent = await startA2aAgent({ version: '0.3', streaming: false, more: { skills } });
    const sent = await sendTo(ask(agent), 'LIST');
    assert.deepEqual(
      [sent.reply.text, notesOf(sent)],
      [
        'TOOLS|Plan trips|a\\|b\n',
        ["1 of the card's skills have neither an id nor a name; they are only in the raw reply"],
      ],
    );
  });

  it('are those of its card as it is now', async () => {
    const more: Record<string, unknown> = {};
    const agent = await startA2aAgent({ version: '1.0', streaming: false, more });
    const connection = ask(agent);
    assert.equal((await sendTo(connection, 'LIST')).reply.text, 'TOOLS|plan\n');
    more['skills'] = [{ id: 'book', name: 'Book' }];
    assert.equal((await sendTo(connection, 'LIST')).reply.text, 'TOOLS|book\n');
  });

  it('are unknown without a card, and the agent takes messages all the same', async () => {
    const agent = await startA2aAgent({ version: '1.0', streaming: false, card: undefined });
    const connection = ask(agent);
    assert.deepEqual((await sendTo(connection, 'LIST')).reply, {
      status: 'error',
      message:
        'The agent has no card at its address, and A2A agents list their skills nowhere else; send it a task',
      text: '',
      isProtocol: true,
    });
    assert.equal((await sendTo(connection, 'CALL|anything')).reply.status, 'ok');
  });

  it('leave the conversation as it is', async () => {
    const agent = await startA2aAgent({ version: '1.0', streaming: false });
    const connection = ask(agent);
    const contexts: unknown[] = [];
    for (const line of ['CALL|one', 'LIST', 'CALL|two']) {
      await sendTo(connection, line, { session: 'trip' });
      contexts.push(/"contextId":"([^"]+)"/.exec(agent.requests.at(-1) ?? '')?.[1]);
    }
    assert.deepEqual([contexts[0], contexts[1], typeof contexts[2]], [undefined, undefined, 'string']);
  });

  it('are what the agent offers, beside its version', async () => {
    const agent = await startA2aAgent({ version: '0.3', streaming: false });
    const connection = stored.connect('it', agentAt('a2a', `${agent.origin}/`));
    const reader = new CapabilityReader(connection);
    const { status } = await reader.read({ wireText: '' }, QUIET, new AbortController().signal);
    assert.deepEqual(
      [
        status,
        reader.problem,
        shownPeer(reader.peer),
        connection.tools.tools?.map(({ name, description, declaration, schema }) => ({
          name,
          description,
          declaration,
          schema,
        })),
        connection.tools.table,
      ],
      [
        'ok',
        undefined,
        { version: '0.3', name: 'Planner 2.1.0', capabilities: ['Plan trips'] },
        [{ name: 'plan', description: 'Plans', declaration: undefined, schema: undefined }],
        { isComplete: false, tools: new Map([['plan', undefined]]) },
      ],
    );
  });
});
