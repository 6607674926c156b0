import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { PROTOCOLS, type ProtocolName } from '../../../core/catalog/protocols.ts';
import { SERVERS } from '../../../protocols/servers.ts';
import { CALLERS, type Asking } from './callers.ts';
import { agentOf, bridgeWith, startListener, type TestBridge } from './support.ts';

type Kind = 'json-rpc' | 'aicf' | 'mcp';

/** An agent that has one tool, which changes without a word, and that may be down. */
interface Changing {
  tool: string;
  argument: string;
  isDown: boolean;
  lists: number;
  readonly address: string;
  readonly close: () => Promise<void>;
}

async function startAgent(kind: Kind): Promise<Changing> {
  const state = { tool: 'one', argument: 'text', isDown: false, lists: 0 };
  const agent = await startListener((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
    request.on('end', () => {
      if (state.isDown) return response.destroy();
      if (kind === 'aicf') {
        const [command, tool] = body.trim().split('|');
        if (command === 'LIST') state.lists++;
        const listed =
          command === 'LIST' ? `TOOLS|${state.tool}` : `TOOL|${tool}|It does|${state.argument}:string`;
        const called = tool === state.tool ? `OK|${tool} did it` : 'ERR|404|Tool not found';
        return response
          .writeHead(200, { 'content-type': 'text/plain' })
          .end(command === 'CALL' ? called : listed);
      }
      const { id, method, params } = JSON.parse(body || '{}') as {
        id?: number;
        method?: string;
        params?: { name?: string; tool?: string };
      };
      if (id === undefined) return response.writeHead(request.method === 'POST' ? 202 : 405).end();
      const send = (member: object): unknown =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, ...member }));
      if (method === 'initialize')
        return send({
          result: {
            protocolVersion: '2025-11-25',
            capabilities: { tools: {} },
            serverInfo: { name: 'x', version: '1' },
          },
        });
      if (method?.endsWith('list')) {
        state.lists++;
        const properties = { [state.argument]: { type: 'string' } };
        const inputSchema = { type: 'object', properties, required: [state.argument] };
        return send({ result: { tools: [{ name: state.tool, description: 'It does', inputSchema }] } });
      }
      const name = params?.name ?? params?.tool;
      if (name !== state.tool)
        return send({ error: { code: kind === 'mcp' ? -32602 : 404, message: `Tool not found: ${name}` } });
      const text = `${name} did it`;
      return send({ result: kind === 'mcp' ? { content: [{ type: 'text', text }] } : text });
    });
  });
  return Object.assign(state, agent);
}

describe('an agent whose tools change', () => {
  const open: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close();
  });

  const serve = async (
    kind: Kind,
    as: ProtocolName,
  ): Promise<{ readonly agent: Changing; readonly bridged: TestBridge; readonly later: () => void }> => {
    const agent = await startAgent(kind);
    open.push(agent.close);
    const server = SERVERS.get(as);
    assert.ok(server);
    let time = 0;
    const config = agentOf({ protocol: kind, type: 'http', url: agent.address });
    const bridged = await bridgeWith(config, as, server, 'observed', () => time);
    open.push(() => bridged.close());
    return { agent, bridged, later: () => void (time += 1_000) };
  };

  const ask = async ({ address }: TestBridge, { path, body }: Asking): Promise<string> => {
    const headers = { 'content-type': 'application/json' };
    const init = body === undefined ? {} : { method: 'POST', body, headers };
    return (await fetch(path === undefined ? address : new URL(path, address), init)).text();
  };

  for (const kind of ['json-rpc', 'aicf', 'mcp'] as const)
    for (const { name: as } of PROTOCOLS)
      it(`is called with them, and listed with them a second later (${kind} as ${as})`, async () => {
        const { list, call } = CALLERS[as];
        const { agent, bridged, later } = await serve(kind, as);
        assert.match(await ask(bridged, call('one', { text: 'x' })), /one did it/);
        assert.equal(agent.lists, 1);
        later();
        // A call of a tool that is known needs no list.
        assert.match(await ask(bridged, call('one', { text: 'x' })), /one did it/);
        assert.equal(agent.lists, 1);
        agent.tool = 'two';
        assert.match(await ask(bridged, call('two', { text: 'x' })), /two did it/);
        assert.equal(agent.lists, 2);
        later();
        agent.argument = 'words';
        assert.match(await ask(bridged, call('two', { words: 'x' })), /two did it/);
        later();
        agent.tool = 'three';
        if (list && as !== 'responses') assert.match(await ask(bridged, list), /three/);
      });

  for (const kind of ['json-rpc', 'aicf', 'mcp'] as const)
    it(`is asked for them again after it was down, or knows a tool no longer (${kind})`, async () => {
      const { list, call } = CALLERS['json-rpc'];
      assert.ok(list);
      const { agent, bridged } = await serve(kind, 'json-rpc');
      assert.match(await ask(bridged, call('one', { text: 'x' })), /one did it/);
      agent.isDown = true;
      assert.match(await ask(bridged, call('one', { text: 'x' })), /"error"/);
      Object.assign(agent, { isDown: false, tool: 'two' });
      assert.match(await ask(bridged, list), /"two"/);
      agent.tool = 'three';
      assert.match(await ask(bridged, call('two', { text: 'x' })), /"error":\{"code":404/);
      assert.match(await ask(bridged, list), /"three"/);
    });
});
