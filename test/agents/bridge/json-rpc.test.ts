import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { startDemoAgents, type DemoAgents } from '../../../agents/demo/start.ts';
import { parseJson } from '../../../core/text/json.ts';
import { agentOf, bridge, showTrees, type TestBridge } from './support.ts';

async function post(bridged: TestBridge, body: unknown): Promise<unknown> {
  const response = await fetch(bridged.address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return parseJson(await response.text());
}

function invoke(tool: string, given: unknown): unknown {
  return { jsonrpc: '2.0', id: 7, method: 'aip.tool.invoke', params: { tool, arguments: given } };
}

describe('an agent served as JSON-RPC', () => {
  let demo: DemoAgents;
  const open: TestBridge[] = [];
  before(async () => {
    demo = await startDemoAgents();
  });
  after(async () => {
    await Promise.all(open.map(each => each.close()));
    await demo.close();
  });

  const serve = async (protocol: string, name: string): Promise<TestBridge> => {
    const url = demo.addresses.get(name);
    const bridged = await bridge(agentOf({ protocol, type: 'http', url }, name), 'json-rpc');
    open.push(bridged);
    return bridged;
  };

  it('lists and calls the tools of an MCP server, in one tree of caller and agent', async () => {
    const bridged = await serve('mcp', 'librarian');
    const listed = await post(bridged, { jsonrpc: '2.0', id: 1, method: 'aip.capabilities.list' });
    assert.match(JSON.stringify(listed), /"name":"book\.borrow"/);
    assert.deepEqual(await post(bridged, invoke('math.add', { a: 1, b: 2 })), {
      jsonrpc: '2.0',
      id: 7,
      result: { sum: 3 },
    });
    assert.deepEqual(showTrees(bridged.events), [
      'aip.capabilities.list (librarian as JSON-RPC, ok) [capabilities (librarian, ok)]',
      'math.add (librarian as JSON-RPC, ok) [math.add (librarian, ok)]',
    ]);
  });

  it('gives a task to an agent that takes tasks, by the tool ask', async () => {
    const bridged = await serve('a2a', 'herald');
    const answered = await post(bridged, invoke('ask', { task: 'Tell me a story' }));
    assert.deepEqual(answered, { jsonrpc: '2.0', id: 7, result: 'Hear ye! Tell me a story' });
    assert.deepEqual(showTrees(bridged.events), ['ask (herald as JSON-RPC, ok) [task (herald, ok)]']);
  });

  it('says which tools there are where one is not found', async () => {
    const bridged = await serve('aicf', 'toolbox');
    assert.match(
      JSON.stringify(await post(bridged, invoke('ask', { task: 'Tell me a story' }))),
      /"code":404,"message":"The tool 'ask' was not found in the agent 'toolbox': call one of its tools 'text\.reverse'/,
    );
  });
});
