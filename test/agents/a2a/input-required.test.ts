import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { parseAgentsFile } from '../../../agents/config/agents-file.ts';
import { openAgent, type OpenedAgent } from '../../../agents/open-agent.ts';
import { closeProxies, record, Tape } from '../proxy/support.ts';
import { closeA2aAgents, startA2aAgent } from '../support/a2a-agent.ts';
import { OPEN } from '../support/open-options.ts';

const nothing = (): undefined => undefined;
const QUIET = { head: nothing, bytes: nothing, note: nothing, progress: nothing };
const VARIABLES = {
  env: nothing,
  demo: nothing,
  input: nothing,
  secret: nothing,
  workspaceFolder: nothing,
};

async function open(url: string, tape: Tape): Promise<OpenedAgent> {
  const { agents } = parseAgentsFile(
    JSON.stringify({ agents: { planner: { type: 'http', protocol: 'a2a', url } } }),
  );
  const planner = agents.get('planner');
  assert.ok(planner);
  const agent = await openAgent(planner, VARIABLES, event => tape.take(event), { ...OPEN, language: 'aicl' });
  assert.ok(agent.ok);
  return agent;
}

const task = (text: string): string =>
  `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:trip],[s:msg_type]:[s:task_request],[s:task]:[s:${text}]]`;

/** Sends a task that asks, and the answer to it. */
async function askAndAnswer(agent: OpenedAgent, more: { readonly session?: string }): Promise<void> {
  for (const text of ['ask', 'Paris']) {
    const request = { wireText: task(text), title: text, ...more };
    const { status } = await agent.send(request, QUIET, new AbortController().signal).reply;
    assert.equal(status, 'ok');
  }
}

describe('a task of A2A that asks its user, and the answer', () => {
  afterEach(async () => {
    await closeProxies();
    await closeA2aAgents();
  });

  for (const version of ['0.3', '1.0'] as const)
    for (const streaming of [true, false]) {
      const name = `${version} ${streaming ? 'with' : 'without'} streams`;

      it(`are one trace, and have one W3C trace id in a conversation: ${name}`, async () => {
        const { origin } = await startA2aAgent({ version, streaming });
        for (const session of ['trip', undefined]) {
          const tape = new Tape();
          const agent = await open(origin, tape);
          await askAndAnswer(agent, session === undefined ? {} : { session });
          await agent.close();
          assert.deepEqual(
            tape.trees().map(({ roots }) => roots.map(({ call }) => call.title)),
            [['ask', 'Paris']],
          );
          const ids = new Set(tape.calls().map(({ call }) => call.trace));
          assert.equal(ids.size, session === undefined ? 2 : 1);
        }
      });

      it(`are one trace of a recording: ${name}`, async () => {
        const { origin } = await startA2aAgent({ version, streaming });
        const tape = new Tape();
        const proxy = await record(origin, tape, { rewritesCards: true });
        const agent = await open(proxy.address, new Tape());
        await askAndAnswer(agent, {});
        await agent.close();
        await closeProxies();
        const sent = (title: string): boolean => /send|stream/i.test(title);
        assert.deepEqual(
          tape.trees().map(({ roots }) => roots.filter(({ call }) => sent(call.title)).length),
          [2],
        );
      });
    }
});
