import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { PROTOCOLS, type ProtocolName } from '../../../core/catalog/protocols.ts';
import { CALLERS } from './callers.ts';
import { agentOf, bridge, startListener, type TestBridge } from './support.ts';

/** A tool whose arguments may be null, and which takes any others. */
const TOOL = {
  name: 'take',
  inputSchema: {
    type: 'object',
    properties: { n: { type: ['string', 'null'] }, m: { type: 'string', nullable: true } },
    required: ['n'],
    additionalProperties: true,
  },
};
const GIVEN = '{"n":null,"m":null,"more":[1]}';
const AICL_GIVEN = '[s:n]:[d:[s:$null]:[b:true]],[s:m]:[d:[s:$null]:[b:true]],[s:more]:[l:[i:1]]';

/** A text that begins and ends with blanks. */
const PADDED = '  two lines\n  and blanks  ';

describe('what a bridge passes on as it is', () => {
  let agent: Awaited<ReturnType<typeof startListener>>;
  let received = '';
  const open: TestBridge[] = [];
  before(async () => {
    agent = await startListener((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
      request.on('end', () => {
        const isCall = body.includes('aip.tool.invoke');
        if (isCall) received = body;
        const result = isCall ? PADDED : { tools: [TOOL] };
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
      });
    });
  });
  after(async () => {
    await Promise.all(open.map(each => each.close()));
    await agent.close();
  });

  const call = async (as: ProtocolName, body: string): Promise<string> => {
    const bridged = await bridge(agentOf({ protocol: 'json-rpc', type: 'http', url: agent.address }), as);
    open.push(bridged);
    const headers = { 'content-type': 'application/json' };
    return (await fetch(bridged.address, { method: 'POST', headers, body })).text();
  };

  for (const { name: as } of PROTOCOLS)
    it(`are null and arguments that a tool does not name, where it allows them, in ${as}`, async () => {
      // The fields of AICF are those that the tool names.
      if (as === 'aicf') {
        await call(as, 'CALL|take|null|x');
        return assert.ok(received.includes('"arguments":{"n":"null","m":"x"}'), received);
      }
      const { body = '' } = CALLERS[as].call('take', { n: 'x' });
      const replaced = body
        .replace('{"n":"x"}', GIVEN)
        .replace(String.raw`{\"n\":\"x\"}`, () => JSON.stringify(GIVEN).slice(1, -1))
        .replace('[s:n]:[s:x]', () => AICL_GIVEN);
      assert.notEqual(replaced, body);
      await call(as, replaced);
      assert.ok(received.includes(`"arguments":${GIVEN}`), received);
    });

  for (const { name: as } of PROTOCOLS)
    it(`are blanks at the ends of a text, in ${as}`, async () => {
      const text = await call(as, CALLERS[as].call('take', { n: 'x' }).body ?? '');
      const escaped = JSON.stringify(PADDED).slice(1, -1);
      assert.ok(
        [PADDED, escaped, JSON.stringify(escaped).slice(1, -1)].some(each => text.includes(each)),
        JSON.stringify(text),
      );
    });
});
