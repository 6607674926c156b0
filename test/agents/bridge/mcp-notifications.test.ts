import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { agentOf, bridge, notesOf, type TestBridge } from './support.ts';

/** An MCP server as a process, which sends notifications before the answer to a call. */
const AGENT = `
  const print = message => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
    const { id, method } = JSON.parse(line);
    if (method === 'initialize')
      print({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } } });
    else if (method === 'tools/list') print({ id, result: { tools: [{ name: 'x', inputSchema: { type: 'object' } }] } });
    else if (method === 'tools/call') {
      for (const elicitationId of ['1', '2']) print({ method: 'notifications/elicitation/complete', params: { elicitationId } });
      print({ method: 'notifications/resources/updated', params: { uri: 'file:///a' } });
      print({ method: 'notifications/unheard', params: {} });
      print({ id, result: { content: [] } });
    } else if (id !== undefined) print({ id, error: { code: -32601, message: 'no' } });
  });`;

describe('notifications of MCP that a bridge does not pass on', () => {
  const open: TestBridge[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map(each => each.close()));
  });

  const serve = async (): Promise<TestBridge> => {
    const entry = { protocol: 'mcp', type: 'stdio', command: 'node', args: ['-e', AGENT] };
    const bridged = await bridge(agentOf(entry), 'mcp');
    open.push(bridged);
    return bridged;
  };

  const post = async (bridged: TestBridge, message: object, more: object = {}): Promise<Response> =>
    fetch(bridged.address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...more },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });

  it('are notes of the call where the agent sends them, each kind once', async () => {
    const bridged = await serve();
    await (await post(bridged, { id: 1, method: 'tools/call', params: { name: 'x', arguments: {} } })).text();
    assert.deepEqual(
      notesOf(bridged).filter(note => note.includes('notification')),
      ['elicitation/complete', 'resources/updated', 'unheard'].map(
        name => `The agent sent the notification 'notifications/${name}', which has no effect here`,
      ),
    );
  });

  it('are notes where the caller sends them, and so is an answer that nobody waits for', async () => {
    const bridged = await serve();
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const begun = await post(bridged, { id: 1, method: 'initialize', params });
    const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' };
    await begun.text();
    for (const method of ['notifications/initialized', 'notifications/roots/list_changed'])
      assert.equal((await post(bridged, { method }, session)).status, 202);
    assert.equal((await post(bridged, { id: 'q', result: {} }, session)).status, 202);
    const modern = { 'mcp-protocol-version': '2026-07-28' };
    assert.equal((await post(bridged, { method: 'notifications/unheard' }, modern)).status, 202);
    assert.deepEqual(notesOf(bridged), [
      "The notification 'notifications/roots/list_changed' has no effect on the agent",
      'The message answers no open question of the agent, so it was not used',
      "The notification 'notifications/unheard' has no effect on the agent",
    ]);
  });
});
