import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { PROTOCOLS } from './support/http-agent.ts';
import { ATTACKS } from './table.ts';

describe('attacks', () => {
  for (const attack of ATTACKS.filter(each => each.isShort))
    it(`${attack.group}, ${attack.protocol}: ${attack.name}`, async () => {
      const outcome = await attack.run(attack.isMeasured ? 'short' : 'inside');
      assert.deepEqual(outcome.faults, []);
    });

  it('are at least 60 over HTTP, in eight protocols, and 49 over stdio, in three, each with a name of its own', () => {
    const names = (group: string): number =>
      new Set(ATTACKS.filter(each => each.group === group).map(({ name }) => name)).size;
    const protocols = (group: string): Set<string> =>
      new Set(ATTACKS.filter(each => each.group === group).map(({ protocol }) => protocol));
    assert.ok(names('http') >= 60, String(names('http')));
    assert.ok(names('stdio') >= 49, String(names('stdio')));
    assert.deepEqual([...protocols('http')].sort(), [...PROTOCOLS].sort());
    assert.deepEqual([...protocols('stdio')].sort(), ['aicl', 'aio', 'mcp']);
    const keys = ATTACKS.map(({ name, protocol, group }) => `${group}/${protocol}/${name}`);
    assert.deepEqual(keys, [...new Set(keys)]);
  });
});
