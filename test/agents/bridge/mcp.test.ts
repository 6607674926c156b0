import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport, type ClientOptions } from '@modelcontextprotocol/client';
import { after, afterEach, before, describe, it } from 'mocha';
import { startDemoAgents, type DemoAgents } from '../../../agents/demo/start.ts';
import { parseJson } from '../../../core/text/json.ts';
import { agentOf, bridge, notesOf, showTrees, startListener, type TestBridge } from './support.ts';
import { startTarget } from './targets.ts';

type Era = 'legacy' | 'auto';

describe('an agent served as an MCP server', () => {
  let demo: DemoAgents;
  const open: { close(): Promise<void> }[] = [];
  before(async () => {
    demo = await startDemoAgents();
  });
  after(() => demo.close());
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.close();
  });

  const serve = async (protocol: string, name: string): Promise<TestBridge> => {
    const url = demo.addresses.get(name);
    const bridged = await bridge(agentOf({ protocol, type: 'http', url }, name), 'mcp');
    open.push(bridged);
    return bridged;
  };

  const connect = async (url: string, era: Era, options: ClientOptions = {}): Promise<Client> => {
    const client = new Client(
      { name: 'test', version: '1' },
      { ...options, versionNegotiation: { mode: era } },
    );
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    open.push(client);
    assert.equal(client.getProtocolEra(), era === 'auto' ? 'modern' : 'legacy');
    return client;
  };

  for (const era of ['legacy', 'auto'] as const) {
    it(`${era}: lists and calls the tools of an AICF server`, async () => {
      const bridged = await serve('aicf', 'toolbox');
      const client = await connect(bridged.address, era);
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        ['text.reverse', 'math.add', 'weather.forecast', 'image.gradient', 'slow.count', 'fail.always'],
      );
      const added = await client.callTool({ name: 'math.add', arguments: { a: 1, b: 2 } });
      assert.deepEqual(added.structuredContent, { sum: 3 });
      const failed = await client.callTool({ name: 'fail.always', arguments: {} });
      assert.equal(failed.isError, true);
      await assert.rejects(client.callTool({ name: 'nope', arguments: {} }), /nope.*not found|not found/i);
      assert.ok(showTrees(bridged.events).includes('math.add (toolbox as MCP, ok) [math.add (toolbox, ok)]'));
    });

    it(`${era}: says that a tool failed where an agent of AICF passes on a failure of MCP, which has no code`, async () => {
      const target = await startTarget('aicf', piece => piece.replace('it broke', 'it broke [mcp]'));
      open.push(target);
      const bridged = await bridge(agentOf({ protocol: 'aicf', type: 'http', url: target.url }), 'mcp');
      open.push(bridged);
      const client = await connect(bridged.address, era);
      const { content, isError } = await client.callTool({ name: 'fail', arguments: { text: 'x' } });
      assert.deepEqual([content, isError], [[{ type: 'text', text: 'it broke' }], true]);
    });

    it(`${era}: gives a task to an agent that takes tasks, with its chunks as progress`, async () => {
      const bridged = await serve('a2a', 'herald');
      const client = await connect(bridged.address, era);
      const steps: string[] = [];
      const received = await client.callTool(
        { name: 'ask', arguments: { task: 'Tell me a story' } },
        { onprogress: ({ message }) => void steps.push(message ?? '') },
      );
      assert.deepEqual(received.content, [{ type: 'text', text: 'Hear ye! Tell me a story' }]);
      assert.equal(steps.join(''), 'Hear ye! Tell me a story');
    });

    it(`${era}: passes on the questions of an MCP server`, async () => {
      const bridged = await serve('mcp', 'librarian');
      const client = await connect(bridged.address, era, {
        capabilities: { elicitation: { form: {}, url: {} }, sampling: {} },
      });
      client.setRequestHandler('elicitation/create', ({ params }) => {
        assert.match(params.message, /how many days .* Emma/);
        return { action: 'accept', content: { days: 3 } };
      });
      client.setRequestHandler('sampling/createMessage', () => ({
        role: 'assistant',
        model: 'm',
        content: { type: 'text', text: 'Fine.' },
      }));
      const lent = await client.callTool({ name: 'book.borrow', arguments: { title: 'Emma' } });
      assert.deepEqual(lent.content, [{ type: 'text', text: 'Emma is yours for 3 days' }]);
      const reviewed = await client.callTool({ name: 'book.review', arguments: { title: 'Emma' } });
      assert.deepEqual(reviewed.content, [{ type: 'text', text: 'A critic says: Fine.' }]);
      const { resources } = await client.listResources();
      assert.equal(resources[0]?.uri, 'book:odyssey');
      const { contents } = await client.readResource({ uri: 'book:emma' });
      assert.match(JSON.stringify(contents), /Emma Woodhouse/);
      const { prompts } = await client.listPrompts();
      assert.equal(prompts[0]?.name, 'summarize');
      const { messages } = await client.getPrompt({ name: 'summarize', arguments: { title: 'Emma' } });
      assert.match(JSON.stringify(messages), /Summarize Emma/);
      const { completion } = await client.complete({
        ref: { type: 'ref/prompt', name: 'summarize' },
        argument: { name: 'title', value: 'e' },
      });
      assert.deepEqual(completion.values, ['emma']);
    });
  }

  /** Serves an MCP agent whose tool answers by the response that is given. */
  const serveAnswer = async (answer: object): Promise<TestBridge> => {
    const agent = await startListener((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
      request.on('end', () => {
        if (request.method !== 'POST') return response.writeHead(405).end();
        const { id, method } = parseJson(body) as { id?: number; method: string };
        const serverInfo = { name: 'a', version: '1' };
        const answers: Readonly<Record<string, object>> = {
          initialize: {
            result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo },
          },
          'tools/list': { result: { tools: [{ name: 'mark', inputSchema: { type: 'object' } }] } },
          'tools/call': answer,
        };
        const given = answers[method] ?? { error: { code: -32601, message: 'Method not found' } };
        response.writeHead(id === undefined ? 202 : 200, { 'content-type': 'application/json' });
        return response.end(id === undefined ? '' : JSON.stringify({ jsonrpc: '2.0', id, ...given }));
      });
    });
    const bridged = await bridge(agentOf({ protocol: 'mcp', type: 'http', url: agent.address }), 'mcp');
    open.push(agent, bridged);
    return bridged;
  };

  it('notes no loss of what callers of 2026-07-28 receive', async () => {
    const content = [{ type: 'text', text: 'x' }];
    const bridged = await serveAnswer({ result: { content, _meta: { 'my.org/mark': 'yes' } } });
    const client = await connect(bridged.address, 'auto');
    const { _meta } = await client.callTool({ name: 'mark', arguments: {} });
    assert.equal(_meta?.['my.org/mark'], 'yes');
    assert.deepEqual(
      notesOf(bridged).filter(note => note.includes('no place')),
      [],
    );
  });

  for (const era of ['legacy', 'auto'] as const)
    it(`${era}: passes on no answer of an MCP agent that clients cannot read`, async () => {
      for (const content of ['x', [7], [{ text: 'x' }]]) {
        const client = await connect((await serveAnswer({ result: { content } })).address, era);
        await assert.rejects(client.callTool({ name: 'mark' }), {
          code: -32603,
          message: /The agent's result is none of MCP/,
        });
      }
      const coded = await serveAnswer({ error: { code: 'BROKEN', message: 'It broke' } });
      const failed = await (await connect(coded.address, era)).callTool({ name: 'mark' });
      assert.deepEqual([failed.content, failed.isError], [[{ type: 'text', text: 'It broke' }], true]);
      const result = { content: [], isError: null, _meta: null };
      const empty = await serveAnswer({ result });
      assert.deepEqual((await (await connect(empty.address, era)).callTool({ name: 'mark' })).content, []);
    });
});
