import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport, type ClientOptions } from '@modelcontextprotocol/client';
import { after, afterEach, before, describe, it } from 'mocha';
import { startDemoAgents, type DemoAgents } from '../../../agents/demo/start.ts';
import { closeA2aAgents, startA2aAgent } from '../support/a2a-agent.ts';
import { agentOf, bridge, showTrees, type TestBridge } from './support.ts';

/** Answers a form by its message. */
type Fill = (message: string, schema: unknown) => Readonly<Record<string, string | boolean>> | undefined;

describe('questions of an agent that is served as an MCP server', () => {
  let demo: DemoAgents;
  const open: { close(): Promise<void> }[] = [];
  before(async () => {
    demo = await startDemoAgents();
  });
  after(() => demo.close());
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.close();
    await closeA2aAgents();
  });

  const serve = async (protocol: string, url: string | undefined): Promise<TestBridge> => {
    const bridged = await bridge(agentOf({ protocol, type: 'http', url }), 'mcp');
    open.push(bridged);
    return bridged;
  };

  const connect = async (url: string, era: 'legacy' | 'auto', fill?: Fill): Promise<Client> => {
    const options: ClientOptions = fill ? { capabilities: { elicitation: { form: {} } } } : {};
    const client = new Client(
      { name: 'test', version: '1' },
      { ...options, versionNegotiation: { mode: era } },
    );
    if (fill)
      client.setRequestHandler('elicitation/create', ({ params }) => {
        const content = fill(
          params.message,
          'requestedSchema' in params ? params.requestedSchema : undefined,
        );
        return content ? { action: 'accept', content } : { action: 'decline' };
      });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    open.push(client);
    return client;
  };

  const ask = async (client: Client, task: string): Promise<string> => {
    const { content } = await client.callTool({ name: 'ask', arguments: { task } });
    return JSON.stringify(content);
  };

  for (const era of ['legacy', 'auto'] as const) {
    it(`${era}: of an A2A agent are forms with one text, whose answer continues the task`, async () => {
      const { origin } = await startA2aAgent({ version: '1.0', streaming: true });
      const bridged = await serve('a2a', origin);
      const asked: string[] = [];
      const client = await connect(bridged.address, era, message => {
        asked.push(message);
        return { answer: 'Paris' };
      });
      const received = await ask(client, 'ask me');
      assert.equal(asked.length, 1);
      assert.match(received, /Paris/);
    });

    it(`${era}: of an A2A agent are the result for a caller without forms`, async () => {
      const { origin } = await startA2aAgent({ version: '1.0', streaming: false });
      const bridged = await serve('a2a', origin);
      const client = await connect(bridged.address, era);
      assert.match(await ask(client, 'ask me'), /[Ww]hich|[Ww]here|\?/);
    });

    it(`${era}: of an AICL agent are answered with its values`, async () => {
      const bridged = await serve('aicl', demo.addresses.get('analyst'));
      const answers = ['[18,24]', '21'];
      const client = await connect(bridged.address, era, () => ({ answer: answers.shift() ?? '' }));
      assert.match(await ask(client, 'Write a report'), /2 temperatures with a mean of 21 degrees/);
      assert.deepEqual(answers, []);
    });

    for (const [protocol, agent, approved, refused] of [
      ['responses', 'oracle', /It will rain/, /stays in the dark/],
      ['agent-api', 'storyteller', /it will rain/, /I do not look/],
    ] as const)
      it(`${era}: for approval of ${protocol} are forms with one choice`, async () => {
        const bridged = await serve(protocol, demo.addresses.get(agent));
        const task = protocol === 'responses' ? 'Tell me the future' : 'show: mcp_approval_request';
        const asked: string[] = [];
        for (const [choice, expected] of [
          [true, approved],
          [false, refused],
        ] as const) {
          const client = await connect(bridged.address, era, message => {
            asked.push(message);
            return { approved: choice };
          });
          assert.match(await ask(client, task), expected);
        }
        assert.equal(asked.length, 2);
        assert.match(asked[0] ?? '', /^May the agent run /);
      });
  }

  it('are declined with a note in the trace where the caller did not declare the capability', async () => {
    const bridged = await serve('mcp', demo.addresses.get('librarian'));
    const client = await connect(bridged.address, 'legacy');
    const lent = await client.callTool({ name: 'book.borrow', arguments: { title: 'Emma' } });
    assert.deepEqual(lent.content, [{ type: 'text', text: 'Emma stays on its shelf' }]);
    const notes = bridged.events.flatMap(event => (event.type === 'note' ? [event.text] : []));
    assert.ok(
      notes.some(note => note.includes('did not declare the capability elicitation.form')),
      notes.join('\n'),
    );
    assert.ok(showTrees(bridged.events).length > 0);
  });
});
