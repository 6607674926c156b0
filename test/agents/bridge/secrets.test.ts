import assert from 'node:assert/strict';
import { after, describe, it } from 'mocha';
import { PROTOCOLS } from '../../../core/catalog/protocols.ts';
import { CALLERS } from './callers.ts';
import { agentOf, bridge, startListener } from './support.ts';

/** Credentials in the entry of an agent, which it repeats in its reply. */
const CREDENTIALS = ['key-in-a-header-1', 'token-in-a-header-2', 'key-in-the-address-3'] as const;

describe('the credentials of an agent behind a bridge', () => {
  const open: { close(): Promise<void> }[] = [];
  after(async () => {
    for (const each of open.reverse()) await each.close();
  });

  for (const { name: as } of PROTOCOLS)
    it(`are in no half of a recorded call of ${as}, though the agent repeats them`, async () => {
      const agent = await startListener((request, response) => {
        let body = '';
        request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
        request.on('end', () => {
          const tools = [{ name: 'say', inputSchema: { type: 'object', properties: { text: {} } } }];
          const said = body.includes('aip.tool.invoke') ? CREDENTIALS.join(' ') : { tools };
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: said }));
        });
      });
      const [key, token, inAddress] = CREDENTIALS;
      const headers = { 'X-Api-Key': key, Authorization: `Bearer ${token}` };
      const url = `${agent.address}?api_key=${inAddress}`;
      const bridged = await bridge(agentOf({ protocol: 'json-rpc', type: 'http', url, headers }), as);
      open.push(agent, bridged);
      const { body = '' } = CALLERS[as].call('say', { text: 'x' });
      const response = await fetch(bridged.address, { method: 'POST', body });
      assert.ok((await response.text()).includes(key), 'the caller receives the reply as it is');
      await bridged.close();
      const recorded = JSON.stringify(bridged.events);
      for (const credential of CREDENTIALS) assert.ok(!recorded.includes(credential), credential);
      assert.match(recorded, /\[redacted\]/);
    });
});
