import { connectAgent } from '../../agents/all.ts';
import { protocolOf } from '../support/protocol.ts';
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { ResolvedAgent } from '../../agents/config/resolve-agent.ts';
import type { Reply, WireListener } from '../../agents/connection.ts';
import { ConnectionPool } from '../../agents/connection-pool.ts';
import { CapabilityReader } from '../../agents/capabilities/capability-reader.ts';
import { describeUnlisted } from '../../agents/capabilities/capability-reader.ts';
import { connect, EVERYTHING, mcpProgram, mcpScript } from './mcp/support.ts';

let stored: ConnectionPool;

/** Asks an agent for all that it offers: what came of it, and the requests that went out. */
async function read(agent: ResolvedAgent): Promise<{
  readonly reader: CapabilityReader;
  readonly reply: { readonly status: Reply['status']; readonly message: string | undefined };
  readonly sent: readonly string[];
  readonly tools: readonly string[] | undefined;
}> {
  stored = new ConnectionPool(each => connect(each));
  const connection = stored.connect('it', agent);
  const reader = new CapabilityReader(connection);
  const sent: string[] = [];
  const listener: WireListener = {
    head: () => undefined,
    bytes: (direction, bytes) => {
      const method = /"method":"([^"]*\/list)"/.exec(new TextDecoder().decode(bytes))?.[1];
      if (direction === 'out' && method !== undefined) sent.push(method);
    },
    note: () => undefined,
    progress: () => undefined,
  };
  const { status, message } = await reader.read({ wireText: '' }, listener, new AbortController().signal);
  return { reader, reply: { status, message }, sent, tools: connection.tools.tools?.map(({ name }) => name) };
}

describe('what an agent offers', () => {
  afterEach(() => stored.close());

  it('are the tools, resources and prompts of the reference server of MCP', async () => {
    const { reader, reply, sent, tools } = await read(mcpProgram([EVERYTHING, 'stdio']));
    assert.deepEqual(
      [reply, sent],
      [
        { status: 'ok', message: undefined },
        ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'],
      ],
    );
    assert.equal(reader.peer?.version, '2025-11-25');
    assert.ok(tools?.includes('echo') && tools.includes('get-sum'), String(tools));
    assert.deepEqual(
      reader.prompts.map(({ name, detail }) => [name, detail]),
      [
        ['simple-prompt', ''],
        ['args-prompt', '(city, state?)'],
        ['completable-prompt', '(department, name)'],
        ['resource-prompt', '(resourceType, resourceId)'],
      ],
    );
    assert.ok(
      reader.resources.some(({ detail }) => detail === 'demo://resource/dynamic/text/{resourceId}'),
      JSON.stringify(reader.resources),
    );
  });

  it('are the tools alone of a server that says that it has no more', async () => {
    const script =
      "on(({ id }) => say({ id, result: { tools: [{ name: 'one', inputSchema: { type: 'object' } }] } }));";
    const { reader, reply, sent, tools } = await read(mcpScript(script));
    assert.deepEqual(
      { reply, sent, tools, resources: reader.resources, prompts: reader.prompts },
      {
        reply: { status: 'ok', message: undefined },
        sent: ['tools/list'],
        tools: ['one'],
        resources: [],
        prompts: [],
      },
    );
  });

  it('is nothing where the agent refuses to list its tools, which is no failure', async () => {
    const script = "on(({ id }) => say({ id, error: { code: -32601, message: 'No such method' } }));";
    const { reader, reply, tools } = await read(mcpScript(script));
    assert.deepEqual([reply.status, tools], ['ok', undefined]);
    assert.match(reader.problem ?? '', /No such method/);
  });

  it('is a failure if the agent does not run', async () => {
    const { reply, tools } = await read(mcpProgram(['-e', 'process.exit(3)']));
    assert.deepEqual([reply.status, tools], ['error', undefined]);
  });

  it('is not asked of agents whose protocol has no list', () => {
    assert.deepEqual(
      [
        describeUnlisted(protocolOf('mcp')),
        describeUnlisted(protocolOf('a2a')),
        describeUnlisted(protocolOf('responses')),
      ],
      [undefined, undefined, 'Agents of OpenAI Responses do not list their tools; send one a task'],
    );
    stored = new ConnectionPool(connectAgent);
  });
});
