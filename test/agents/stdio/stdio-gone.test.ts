import { connectAgent } from '../../../agents/all.ts';
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { AiclStdioConnection } from '../../../agents/aicl/stdio-connection.ts';
import { connectAio } from '../../../agents/aio/connection.ts';
import type { ResolvedStdioAgent } from '../../../agents/config/resolve-agent.ts';
import type { Connection } from '../../../agents/connection.ts';
import { ConnectionPool } from '../../../agents/connection-pool.ts';
import { connectMcp, DEFAULT_MCP_LIMITS } from '../../../agents/mcp/connection.ts';
import { DEFAULT_STDIO_LIMITS } from '../../../agents/stdio/limits.ts';
import { mcpScript } from '../mcp/support.ts';
import { sized } from '../../support/size.ts';
import { until } from '../support/raw-agent.ts';
import { sendTo } from '../support/send.ts';
import { scriptAgent } from '../support/stdio-agent.ts';

const MOST_BYTES = sized(1 << 20, 1 << 14);
const LIMITS = { ...DEFAULT_STDIO_LIMITS, maxBytes: MOST_BYTES };

/** Every agent ends by itself once it is asked for `end`, after it has answered. */
const END = `setTimeout(() => process.exit(), 50)`;

/** And asked for `endless` it writes a line that does not end. */
const ENDLESS = `if (line.includes('endless')) {
  const piece = '{' + 'x'.repeat(${MOST_BYTES});
  const write = () => process.stdout.write(piece, write);
  return write();
}`;

const AICL = scriptAgent(
  `on(line => { ${ENDLESS} say(result('1', process.pid) + '\\n'); if (line.includes('end')) ${END}; });`,
);
const AIO = scriptAgent(
  `on(line => { ${ENDLESS} const { id, method } = JSON.parse(line); const result = method.endsWith('help') ? { type: 'stdio', methods: ['end', 'stay', 'endless'] } : process.pid; say(JSON.stringify({ id, result }) + '\\n'); if (method.endsWith('end')) ${END}; });`,
  { protocol: 'aio', mode: 'lines' },
);
const MCP = mcpScript(
  `on(({ id, params }) => { const line = params.name; ${ENDLESS} say({ id, result: { pid: process.pid } }); if (params.name === 'end') ${END}; });`,
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

/** Connections that read only so much of a message. */
const LIMITED: Readonly<Record<keyof typeof ask, (agent: ResolvedStdioAgent) => Connection>> = {
  aicl: agent => new AiclStdioConnection(agent, LIMITS),
  aio: agent => connectAio(agent, { stdio: LIMITS }),
  mcp: agent => connectMcp(agent, { limits: { ...DEFAULT_MCP_LIMITS, ...LIMITS } }),
};

describe('an unexpected end of a process', () => {
  const open: { close(): Promise<void> }[] = [];

  afterEach(() => Promise.all(open.splice(0).map(each => each.close())));

  for (const [protocol, agent] of AGENTS) {
    it(`is reported for an agent of ${protocol} between two requests, and not for one that was disconnected`, async () => {
      const gone: string[] = [];
      const stored = new ConnectionPool(connectAgent, undefined, {}, (key, why) =>
        gone.push(`${key} ${why}`),
      );
      open.push(stored);
      const send = async (what: string): Promise<string> => {
        const { reply } = await sendTo(stored.connect('tester', agent).connection, ask[protocol](what));
        return reply.status;
      };
      const first = [await send('stay'), await send('end')];
      await until('the process is gone', () => gone.length > 0);
      const second = await send('stay');
      await stored.disconnect('tester');
      assert.deepEqual([first, gone, second], [['ok', 'ok'], ['tester ended'], 'ok']);
    });

    it(`is reported with its reason if a message of an agent of ${protocol} is too long`, async () => {
      const gone: string[] = [];
      const connection = LIMITED[protocol](agent);
      open.push(connection);
      connection.onGone?.(why => gone.push(why));
      const ended = await sendTo(connection, ask[protocol]('endless'));
      await until('the process is gone', () => gone.length > 0);
      assert.deepEqual([ended.reply.code, gone], ['TOO_LONG', ['too-long']]);
    });
  }
});
