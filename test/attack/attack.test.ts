import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { judge, sizeIn } from './support/attack.ts';
import { PROTOCOLS } from './support/http-agent.ts';
import { runParley } from './support/measure.ts';
import { ATTACKS } from './table.ts';

describe('attacks', () => {
  for (const attack of ATTACKS.filter(each => each.isShort))
    it(`${attack.group}, ${attack.protocol}: ${attack.name}`, async () => {
      const outcome = await attack.run(attack.isMeasured ? 'short' : 'inside');
      assert.deepEqual(outcome.faults, []);
    });

  it('are refused if their work is quadratic, and not if it is linear', async () => {
    const program = join(import.meta.dirname, 'support/planted-work.mjs');
    const input = sizeIn('short', 2_000_000);
    const faultsOf = async (way: string): Promise<readonly string[]> => {
      const run = await runParley([way, String(input)], { cwd: process.cwd(), form: 'short', program });
      return (await judge(run, { end: [0] }, { input })).faults;
    };
    assert.deepEqual(await faultsOf('linear'), []);
    const [fault = '', ...others] = await faultsOf('quadratic');
    assert.match(fault, /^ran 4\d\d,\d{3},\d{3} blocks of code, more than \d\d,\d{3},\d{3}$/);
    assert.deepEqual(others, []);
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
