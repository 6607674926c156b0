import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { groupTargets } from '../../../../client/src/conversion/target-order.ts';

const NAMES = ['aicl', 'aicf', 'json-rpc', 'aio', 'mcp', 'agent-api', 'responses', 'a2a', 'json'];
const SAME = 'the same messages in one clean layout';

describe('the protocols to convert to', () => {
  const without = (...left: readonly string[]): readonly string[] =>
    NAMES.filter(name => !left.includes(name));
  const order = (question: Parameters<typeof groupTargets>[0]): unknown =>
    groupTargets(question).map(({ title, targets }) => [title, targets.map(({ name }) => name)]);

  it('stand as they are where nothing is known', () => {
    assert.deepEqual(order({}), [[undefined, NAMES]]);
  });

  it('begin with the last one and end with the own one', () => {
    assert.deepEqual(order({ last: 'mcp', own: 'aicl' }), [
      ['last used', ['mcp']],
      ['other protocols', without('aicl', 'mcp')],
      ['as it is', ['aicl']],
    ]);
    assert.deepEqual(order({ last: 'aicl', own: 'aicl' }), [
      [undefined, without('aicl')],
      ['as it is', ['aicl']],
    ]);
  });

  it('say what the own one is good for, and what is shown now', () => {
    const rows = groupTargets({ own: 'json', current: 'json' }).flatMap(({ targets }) => targets);
    assert.deepEqual(
      rows.filter(({ name }) => name === 'json' || name === 'mcp'),
      [
        { name: 'mcp', label: 'MCP', description: 'Model Context Protocol' },
        { name: 'json', label: 'JSON', description: `${SAME} (shown now)` },
      ],
    );
  });
});
