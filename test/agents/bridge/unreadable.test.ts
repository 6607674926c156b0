import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import type { ProtocolName } from '../../../core/catalog/protocols.ts';
import { CALLERS } from './callers.ts';
import { agentOf, bridge, notesOf, startListener, type TestBridge } from './support.ts';
import { startTarget, type Target } from './targets.ts';

const DEEP = `${'['.repeat(201)}1${']'.repeat(201)}`;

/** JSON that is valid and that a value cannot hold unchanged, with what is wrong with it. */
const UNREADABLE = [
  [`"more":${DEEP}`, /Values are nested deeper than 200 levels here \(at character 208\)/],
  ['"a;b":1,"a;b":2', /The key 'a;b' comes twice \(at character 10\)/],
  [`"more":${'9'.repeat(100_001)}`, /has more than 100000 digits \(at character 9\)/],
] as const;

describe('a request that cannot be passed on unchanged', () => {
  let target: Target;
  const open: TestBridge[] = [];
  before(async () => {
    target = await startTarget('json-rpc');
  });
  after(async () => {
    await Promise.all(open.map(each => each.close()));
    await target.close();
  });

  const serve = async (as: ProtocolName): Promise<TestBridge> => {
    const bridged = await bridge(agentOf({ protocol: 'json-rpc', type: 'http', url: target.url }), as);
    open.push(bridged);
    return bridged;
  };

  const post = async (address: string, body: string | undefined): Promise<string> =>
    (await fetch(address, { method: 'POST', headers: TYPE, body: body ?? '' })).text();

  for (const as of ['mcp', 'a2a', 'responses', 'agent-api', 'aio', 'json-rpc'] as const)
    it(`is refused with what is wrong and where, in ${as}`, async () => {
      const { address } = await serve(as);
      const { body = '' } = CALLERS[as].call('say', { text: 'x' });
      for (const [member, fault] of UNREADABLE) {
        const refused = await post(address, body.replace('{', `{${member},`));
        assert.match(refused, fault);
        assert.match(refused, /so the JSON cannot be passed on unchanged: correct it there/);
      }
      assert.match(await post(address, `\u{feff}${body}`), /said it/);
    });

  for (const as of ['responses', 'agent-api'] as const)
    it(`is refused so where it is the arguments in a text, in ${as}`, async () => {
      const { address } = await serve(as);
      const { body = '' } = CALLERS[as].call('say', { text: 'x' });
      for (const [member, fault] of UNREADABLE) {
        const escaped = JSON.stringify(`{${member}}`).slice(1, -1);
        const refused = await post(
          address,
          body.replace(String.raw`{\"text\":\"x\"}`, () => escaped),
        );
        assert.match(refused, fault);
      }
    });
});

describe('a reply that cannot be passed on unchanged', () => {
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.close();
  });

  const notesFrom = async (protocol: 'json-rpc' | 'mcp', result: string): Promise<string> => {
    const agent = await startListener((request, response) => {
      request.setEncoding('utf8').on('data', (text: string) => {
        const { id, method } = JSON.parse(text) as { id?: number; method: string };
        const tools = '{"tools":[{"name":"x","inputSchema":{"type":"object"}}]}';
        const about =
          '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}';
        const isCall = method === 'tools/call' || method === 'aip.tool.invoke';
        const answer = isCall ? result : method === 'initialize' ? about : tools;
        response.writeHead(id === undefined ? 202 : 200, TYPE);
        response.end(id === undefined ? '' : `{"jsonrpc":"2.0","id":${id},"result":${answer}}`);
      });
    });
    open.push(agent);
    const bridged = await bridge(agentOf({ protocol, type: 'http', url: agent.address }), 'aicf');
    open.push(bridged);
    const { body = '' } = CALLERS.aicf.call('x', {});
    await (await fetch(bridged.address, { method: 'POST', body })).text();
    const ended = new Set<string>();
    for (const event of bridged.events) {
      assert.ok(!('call' in event) || !ended.has(event.call), JSON.stringify(event));
      if (event.type === 'end') ended.add(event.call);
    }
    return notesOf(bridged).join('\n');
  };

  it('has what was lost as notes of the call, before its end', async () => {
    assert.match(await notesFrom('json-rpc', '{"a":1,"a":2}'), /The key 'a' comes twice/);
    assert.match(await notesFrom('json-rpc', `{"a":${DEEP}}`), /nested deeper than 200 levels/);
    const block = '{"type":"text","text":"a","text":"b"}';
    assert.match(await notesFrom('mcp', `{"content":[${block}]}`), /The key 'text' comes twice/);
  });

  for (const [protocol, begin, doubled] of [
    ['responses', /^data: \{/, 'data: {"x":1,"x":2,'],
    ['agent-api', /^data: \{/, 'data: {"x":1,"x":2,'],
    ['a2a', /^data: \{/, 'data: {"x":1,"x":2,'],
    ['aicl', /^\[d:/, '[d:[s:x]:[i:1],[s:x]:[i:2],'],
  ] as const)
    it(`has a key that comes twice in its pieces as one note of the call, of ${protocol}`, async () => {
      const target = await startTarget(protocol, piece => piece.replace(begin, doubled));
      open.push(target);
      const bridged = await bridge(agentOf({ protocol, type: 'http', url: target.url }), 'aicl');
      open.push(bridged);
      const { task } = CALLERS.aicl;
      assert.ok(task);
      const answered = await fetch(bridged.address, { method: 'POST', body: task('count').body ?? '' });
      assert.match(await answered.text(), /one [\s\S]*two [\s\S]*three/);
      const notes = notesOf(bridged).filter(note => /twice/.test(note));
      assert.equal(notes.length, 1, notes.join('\n'));
      assert.deepEqual(
        notesOf(bridged).filter(note => /not a JSON-RPC message|not JSON/.test(note)),
        [],
      );
    });
});

const TYPE = { 'content-type': 'application/json' };
