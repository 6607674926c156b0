import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import { convertText } from '../../../../protocols/convert/convert.ts';

/** The paths of what a conversion of a result of MCP loses. */
function lossesOf(members: string, to: string): readonly string[] {
  const text = `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"done"}],${members}}}`;
  return convertText(text, { protocols: ALL_PROTOCOLS, from: 'mcp', to }).losses.map(({ path }) => path);
}

/** What a server of 2026-07-28 says with each result. */
const MODERN =
  '"resultType":"complete","ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}';

describe('members of a result of MCP that mean the same as their absence', () => {
  for (const to of ['aicl', 'aicf', 'a2a', 'responses', 'agent-api', 'aio', 'json-rpc'])
    it(`are no loss in ${to}`, () => {
      assert.deepEqual(lossesOf('"isError":false', to), []);
      assert.deepEqual(lossesOf('"isError":false,"resultType":"complete"', to), []);
      assert.deepEqual(lossesOf(MODERN, to), []);
    });

  it('are what each request of 2026-07-28 says about its connection', () => {
    const own = (name: string, value: unknown): readonly [string, unknown] => [
      `io.modelcontextprotocol/${name}`,
      value,
    ];
    const _meta = Object.fromEntries([
      own('protocolVersion', '2026-07-28'),
      own('clientInfo', { name: 'client', version: '1' }),
      own('clientCapabilities', { sampling: {} }),
    ]);
    const lossesOfRequest = (more: object): readonly string[] => {
      const params = { name: 'echo', arguments: { x: 1 }, _meta: { ..._meta, ...more } };
      const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      const { losses } = convertText(text, { protocols: ALL_PROTOCOLS, from: 'mcp', to: 'aicl' });
      return losses.map(({ path }) => path);
    };
    assert.deepEqual(lossesOfRequest({}), []);
    assert.deepEqual(lossesOfRequest({ more: 1 }), ['params._meta.more']);
  });

  it('hide no loss beside them', () => {
    assert.deepEqual(lossesOf('"isError":false,"more":1', 'a2a'), ['result.more']);
    assert.deepEqual(lossesOf('"ttlMs":5,"cacheScope":"public"', 'a2a'), ['result']);
    assert.deepEqual(lossesOf(`${MODERN.slice(0, -1)},"more":1}`, 'a2a'), ['result._meta.more']);
    assert.deepEqual(lossesOf('"resultType":"other"', 'a2a'), ['result.resultType']);
  });

  it('stay in MCP', () => {
    const text =
      '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"done"}],"isError":false}}';
    const { text: written, losses } = convertText(text, {
      protocols: ALL_PROTOCOLS,
      from: 'mcp',
      to: 'mcp',
      layout: 'compact',
    });
    assert.deepEqual([written.trim(), losses], [text, []]);
  });
});
