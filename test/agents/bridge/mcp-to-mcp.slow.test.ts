import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { after, before, describe, it } from 'mocha';
import { startEverything, type EverythingServer } from '../support/everything-server.ts';
import { agentOf, bridge, type TestBridge } from './support.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A client of the server itself, and one of the bridge to it. */
async function connect(url: string): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    {
      // Parley fills in defaults of forms too, and declares that to servers.
      capabilities: { elicitation: { form: { applyDefaults: true }, url: {} }, sampling: {}, roots: {} },
      versionNegotiation: { mode: 'legacy' },
    },
  );
  client.setRequestHandler('elicitation/create', ({ params }) => {
    asked.push(params);
    return { action: 'accept', content: { name: 'Ada', check: true } };
  });
  client.setRequestHandler('sampling/createMessage', ({ params }) => {
    asked.push(params);
    return {
      role: 'assistant',
      model: 'test-model',
      stopReason: 'endTurn',
      content: { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    };
  });
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///home/ada', name: 'Home' }] }));
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

/** A value without times and names of sessions, which differ from call to call. */
function withoutTimes(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value ?? null)
      .replaceAll(/\d+:\d\d:\d\d(?: [AP]M)?/g, 'TIME')
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID'),
  );
}

/** What clients were asked. */
let asked: unknown[] = [];

describe('a bridge from MCP to MCP', () => {
  let server: EverythingServer;
  let bridged: TestBridge;
  let direct: Client;
  let through: Client;
  before(async () => {
    server = await startEverything();
    bridged = await bridge(agentOf({ protocol: 'mcp', type: 'http', url: server.url }), 'mcp');
    direct = await connect(server.url);
    through = await connect(bridged.address);
  });
  after(async () => {
    await direct.close();
    await through.close();
    await bridged.close();
    await server.close();
  });

  const isSame = async (what: string, run: (client: Client) => Promise<unknown>): Promise<void> => {
    asked = [];
    const expected = withoutTimes(await run(direct));
    const expectedQuestions = withoutTimes(asked);
    asked = [];
    assert.deepEqual(withoutTimes(await run(through)), expected, what);
    assert.deepEqual(withoutTimes(asked), expectedQuestions, `the questions of ${what}`);
  };

  it('reports the server as it is', async () => {
    await isSame('the name', client => Promise.resolve(client.getServerVersion()));
    await isSame('the instructions', client => Promise.resolve(client.getInstructions()));
  });

  it('lists the same tools, resources, templates and prompts', async () => {
    await isSame('tools', client => client.listTools());
    await isSame('resources', client => client.listResources());
    await isSame('templates', client => client.listResourceTemplates());
    await isSame('prompts', client => client.listPrompts());
  });

  it('reads the same resources and gets the same prompts', async () => {
    const { resources } = await direct.listResources();
    for (const { uri } of resources.slice(0, 4)) await isSame(uri, client => client.readResource({ uri }));
    const { prompts } = await direct.listPrompts();
    for (const { name, arguments: given = [] } of prompts) {
      const args = Object.fromEntries(given.map(each => [each.name, VALUES[each.name] ?? '1']));
      await isSame(name, client =>
        client.getPrompt({ name, arguments: args }).catch((error: unknown) => String(error)),
      );
    }
    await isSame('a missing resource', client =>
      client.readResource({ uri: 'demo://nowhere' }).catch((error: unknown) => String(error)),
    );
    await isSame('a completion', client =>
      client
        .complete({
          ref: { type: 'ref/prompt', name: 'completable-prompt' },
          argument: { name: 'department', value: '' },
        })
        .catch((error: unknown) => String(error)),
    );
  });

  it('calls the same tools, with the same questions, progress and errors', async () => {
    const { tools } = await direct.listTools();
    for (const { name } of tools) {
      if (LEFT_OUT.has(name)) continue;
      const steps: unknown[] = [];
      await isSame(name, async client => {
        steps.length = 0;
        const result = await client
          .callTool(
            { name, arguments: ARGUMENTS[name] ?? {} },
            { onprogress: step => void steps.push({ ...step }) },
          )
          .catch((error: unknown) => String(error));
        return { result, steps: [...steps] };
      });
    }
  });
});

const VALUES: Fields & Readonly<Record<string, string>> = {
  city: 'Oslo',
  department: 'Engineering',
  name: 'Alice',
  resourceType: 'Text',
  resourceId: '1',
};

const ARGUMENTS: Readonly<Record<string, Fields>> = {
  echo: { message: 'Hello' },
  'get-sum': { a: 1.5, b: 2 },
  'get-annotated-message': { messageType: 'error', includeImage: true },
  'get-resource-links': { count: 3 },
  'get-resource-reference': { resourceType: 'Text', resourceId: 1 },
  'get-structured-content': { location: 'Chicago' },
  'trigger-long-running-operation': { duration: 1, steps: 4 },
  'trigger-url-elicitation': { url: 'https://example.org/' },
  'simulate-research-query': { topic: 'Tea' },
  'trigger-sampling-request': { prompt: 'Write', maxTokens: 20 },
};

/** The server asks for roots once for each connection, which the callers of a bridge share. */
const LEFT_OUT: ReadonlySet<string> = new Set(['get-roots-list']);
