import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LONGEST_SCHEMA } from '../../../language/tools.ts';
import { readAgentTools, toLiveTools } from '../../../wire/live-tools.ts';

const DECLARATION = { name: 't', description: '', arguments: [], schema: { isOpen: true } };

describe('tools with schemas', () => {
  it('are sent with schemas of bounded length', () => {
    const tool = (schema: string | undefined): Parameters<typeof toLiveTools>[0][number] => ({
      name: 't',
      declaration: DECLARATION,
      schema,
    });
    assert.deepEqual(
      toLiveTools([
        tool('{}'),
        tool(undefined),
        tool('x'.repeat(LONGEST_SCHEMA + 1)),
        { ...tool('{}'), declaration: undefined },
      ]),
      [
        { name: 't', declaration: DECLARATION, schema: '{}' },
        { name: 't', declaration: DECLARATION },
        { name: 't', declaration: DECLARATION },
        { name: 't' },
      ],
    );
    const long = 'x'.repeat(LONGEST_SCHEMA);
    const sent = toLiveTools(Array.from({ length: 200 }, () => tool(long)));
    assert.equal(sent.filter(({ schema }) => schema !== undefined).length, 128);
  });

  it('are read with schemas of bounded length', () => {
    const read = (schema: unknown): unknown =>
      readAgentTools({ agents: [{ name: 'a', at: 0, tools: [{ name: 't', schema }] }] }).agents[0]?.tools;
    assert.deepEqual(read('{}'), [{ name: 't', schema: '{}' }]);
    assert.deepEqual(read(7), [{ name: 't' }]);
    assert.deepEqual(read('x'.repeat(LONGEST_SCHEMA + 1)), [{ name: 't' }]);
  });
});
