import { OPEN } from '../support/open-options.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { parseAgentsFile } from '../../../agents/config/agents-file.ts';
import { startDemoAgents, type DemoAgents } from '../../../agents/demo/start.ts';
import { openAgent } from '../../../agents/open-agent.ts';
import { Recorder } from '../../../agents/proxy/recording/recorder.ts';
import { now, RANDOM_IDS } from '../../../agents/runtime.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import { Redactor } from '../../../core/secrets/redact.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import type { CallNode } from '../../../trace/fold/tree.ts';
import { Tape } from './support.ts';

const NO_VARIABLES = {
  env: () => undefined,
  demo: () => undefined,
  input: () => undefined,
  secret: () => undefined,
  workspaceFolder: () => undefined,
};

describe('demo agents whose ways to each other are recorded', () => {
  let tape: Tape;
  let demo: DemoAgents;
  const opened: string[] = [];
  beforeEach(async () => {
    tape = new Tape();
    opened.length = 0;
    demo = await startDemoAgents(({ agent, protocol }) => {
      opened.push(agent);
      const emit = (event: TraceEvent): void => tape.take(event);
      const redactor = new Redactor([]);
      return new Recorder({
        protocols: ALL_PROTOCOLS,
        agent,
        protocol,
        emit,
        now,
        ids: RANDOM_IDS,
        redactor,
      });
    });
  });
  afterEach(async () => {
    await demo.close();
  });

  /** Asks one of them by our own client, whose calls go to the same tape. */
  async function ask(name: string): Promise<void> {
    const url = demo.addresses.get(name);
    const { agents } = parseAgentsFile(
      JSON.stringify({ agents: { [name]: { type: 'http', protocol: 'mcp', url } } }),
    );
    const config = agents.get(name);
    assert.ok(config);
    const agent = await openAgent(config, NO_VARIABLES, event => tape.take(event), {
      ...OPEN,
      language: 'aicf',
    });
    assert.ok(agent.ok);
    const quiet = {
      head: () => undefined,
      bytes: () => undefined,
      note: () => undefined,
      progress: () => undefined,
    };
    const request = { wireText: 'CALL|ask|Who was it?', title: 'ask' };
    await agent.send(request, quiet, new AbortController().signal).reply;
    await agent.close();
  }

  it('open a way when it is first taken, and show who asked whom', async () => {
    assert.deepEqual(opened, []);
    await ask('chain');
    assert.deepEqual(opened, ['chain-b', 'chain-c']);
    await demo.close();
    assert.deepEqual(
      tape.trees().map(({ roots }) => roots.map(draw)),
      [['chain ok > chain-b ok > chain-c ok']],
    );
  });

  it('show the loop, and where the guard ended it', async () => {
    await ask('loop');
    await demo.close();
    const calls = tape.calls();
    assert.deepEqual(
      calls.map(({ call, depth, code }) => `${depth} ${call.agent} ${code ?? ''}`.trimEnd()),
      [
        '0 loop -33007',
        '1 loop-b -33007',
        '2 loop-c -33007',
        '3 loop -33007',
        '4 loop-b -33007',
        '5 loop-c -33007',
        '6 loop -33007',
      ],
    );
    assert.deepEqual(calls[3]?.cycle, ['loop', 'loop-b', 'loop-c', 'loop']);
  });
});

/** A call with those below it. */
function draw({ call, status, children }: CallNode): string {
  return [`${call.agent} ${status}`, ...children.map(draw)].join(' > ');
}
