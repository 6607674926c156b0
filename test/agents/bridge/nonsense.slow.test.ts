import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { agentOf, bridge, type TestBridge } from './support.ts';

/** What an agent writes without an end, as an expression of its program. */
const FLOODS: Readonly<Record<string, string>> = {
  'text without a line end': "'x'.repeat(65536)",
  'lines of text': "'nonsense\\n'.repeat(8000)",
  'empty lines': "'\\n'.repeat(65536)",
  'lines of other JSON': "'{}\\n'.repeat(20000)",
};

/** An agent as a process of one line of output for a request, whose tool `flood` floods its output. */
const AGENTS: Readonly<Record<string, string>> = {
  mcp: `
    const answer = result => print(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
    const message = JSON.parse(line);
    if (message.method === 'initialize')
      answer({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } });
    else if (message.method === 'tools/list')
      answer({ tools: ['flood', 'say'].map(name => ({ name, inputSchema: { type: 'object' } })) });
    else if (message.method === 'server/discover')
      print(JSON.stringify({ jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'no' } }));
    else if (message.params?.name === 'flood') flood();
    else if (message.params?.name === 'say') answer({ content: [{ type: 'text', text: 'said it' }] });`,
  aio: `
    const { id, method, params, trace_id } = JSON.parse(line);
    const answer = result => print(JSON.stringify({ jsonrpc: '2.0', id, trace_id, result }));
    const name = method.split('::').pop();
    const methods = ['help', 'tools.list', 'tools.call'];
    if (name === 'help') answer({ name: 'x', version: '1', type: 'stdio', methods, modalities: ['text'] });
    else if (name === 'tools.list') answer({ tools: [{ name: 'flood' }, { name: 'say' }] });
    else if (params.tool === 'flood') flood();
    else answer({ type: 'text', value: 'said it' });`,
  aicl: `
    const session = /session_id\\]:\\[s:([^\\]]*)/.exec(line)[1];
    const answer = data => print('[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:' + session + '],[s:msg_type]:[s:result],[s:data]:' + data + ']');
    if (line.includes('data_query')) answer('[l:[d:[s:name]:[s:flood]],[d:[s:name]:[s:say]]]');
    else if (line.includes('[s:flood]')) flood();
    else answer('[s:said it]');`,
};

function program(protocol: string, flood: string): string {
  return `
    const print = text => process.stdout.write(text + '\\n');
    const flood = () => {
      const text = ${flood};
      const more = () => { while (process.stdout.write(text)); process.stdout.once('drain', more); };
      more();
    };
    require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
      if (line.trim() === '') return;
      ${AGENTS[protocol] ?? ''}
    });`;
}

describe('an agent that writes no messages without an end', () => {
  const open: TestBridge[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map(each => each.close()));
  });

  const call = async ({ address }: TestBridge, tool: string): Promise<string> => {
    const params = { tool, arguments: {} };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'aip.tool.invoke', params });
    const response = await fetch(address, { method: 'POST', body });
    return `${response.status} ${await response.text()}`;
  };

  for (const protocol of Object.keys(AGENTS))
    for (const [what, flood] of Object.entries(FLOODS)) {
      // Blank lines between messages mean nothing in LightAICL, and `{}` is text.
      if (protocol === 'aicl' && what === 'empty lines') continue;
      it(`is ended, and answers the next call: ${protocol}, ${what}`, async () => {
        const args = ['-e', program(protocol, flood)];
        const bridged = await bridge(agentOf({ protocol, type: 'stdio', command: 'node', args }), 'json-rpc');
        open.push(bridged);
        assert.match(await call(bridged, 'say'), /^200 .*said it/);
        const flooded = await call(bridged, 'flood');
        assert.match(flooded, /^502 .*it wrote more than 8 MiB or 20,000 lines in a row/);
        assert.match(await call(bridged, 'say'), /^200 .*said it/);
        const { length } = JSON.stringify(bridged.events);
        assert.ok(length < 24 * 2 ** 20, `${length} characters were recorded`);
      });
    }
});
