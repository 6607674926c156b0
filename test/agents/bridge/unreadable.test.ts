import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { ProtocolName } from '../../../core/catalog/protocols.ts';
import { CALLERS } from './callers.ts';
import { agentOf, bridge, type TestBridge } from './support.ts';
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

const TYPE = { 'content-type': 'application/json' };
