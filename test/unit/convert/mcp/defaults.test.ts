import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import { convertText } from '../../../../protocols/convert/convert.ts';

/** The paths of what a conversion of a result of MCP loses. */
function lossesOf(members: string, to: string): readonly string[] {
  const text = `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"done"}],${members}}}`;
  return convertText(text, { protocols: ALL_PROTOCOLS, from: 'mcp', to }).losses.map(({ path }) => path);
}

describe('members of a result of MCP that mean the same as their absence', () => {
  for (const to of ['aicl', 'aicf', 'a2a', 'responses', 'agent-api', 'aio', 'json-rpc'])
    it(`are no loss in ${to}`, () => {
      assert.deepEqual(lossesOf('"isError":false', to), []);
      assert.deepEqual(lossesOf('"isError":false,"resultType":"complete"', to), []);
    });

  it('hide no loss beside them', () => {
    assert.deepEqual(lossesOf('"isError":false,"more":1', 'a2a'), ['result.more']);
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
