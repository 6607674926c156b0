import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { ResolvedStdioAgent } from '../../agents/src/config/resolve-agent.ts';
import { KeptConnections } from '../../agents/src/kept-connections.ts';
import { mcpScript } from './mcp/support.ts';
import { until } from './support/raw-agent.ts';
import { sendTo } from './support/send.ts';
import { scriptAgent } from './support/stdio-agent.ts';

/** Every agent ends by itself once it is asked for `end`, after it has answered. */
const END = `setTimeout(() => process.exit(), 50)`;

const AICL = scriptAgent(
  `on(line => { say(result('1', process.pid) + '\\n'); if (line.includes('end')) ${END}; });`,
);
const AIO = scriptAgent(
  `on(line => { const { id, method } = JSON.parse(line); const result = method.endsWith('help') ? { type: 'stdio', methods: ['end', 'stay'] } : process.pid; say(JSON.stringify({ id, result }) + '\\n'); if (method.endsWith('end')) ${END}; });`,
  { protocol: 'aio', mode: 'lines' },
);
const MCP = mcpScript(
  `on(({ id, params }) => { say({ id, result: { pid: process.pid } }); if (params.name === 'end') ${END}; });`,
);

const ask = {
  aicl: (what: string) =>
    `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]:[s:task_request],[s:task]:[s:${what}],[s:constraints]:[d:]]`,
  aio: (what: string) => JSON.stringify({ method: what }),
  mcp: (what: string) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: what, arguments: {} } }),
};

const AGENTS: readonly (readonly [keyof typeof ask, ResolvedStdioAgent])[] = [
  ['aicl', AICL],
  ['aio', AIO],
  ['mcp', MCP],
];

describe('the end of a process that nobody ended', () => {
  const open: KeptConnections[] = [];

  afterEach(() => Promise.all(open.splice(0).map(kept => kept.close())));

  for (const [protocol, agent] of AGENTS) {
    it(`is told of an agent of ${protocol} between two requests, and not of one that was disconnected`, async () => {
      const gone: string[] = [];
      const kept = new KeptConnections(undefined, {}, key => gone.push(key));
      open.push(kept);
      const send = async (what: string): Promise<string> => {
        const { reply } = await sendTo(kept.connect('tester', agent).connection, ask[protocol](what));
        return reply.status;
      };
      const first = [await send('stay'), await send('end')];
      await until('the process is gone', () => gone.length > 0);
      const second = await send('stay');
      await kept.disconnect('tester');
      assert.deepEqual([first, gone, second], [['ok', 'ok'], ['tester'], 'ok']);
    });
  }
});
