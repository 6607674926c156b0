import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { connectAgent } from '../../../agents/all.ts';
import { CapabilityReader } from '../../../agents/capabilities/capability-reader.ts';
import { parseAgentsFile } from '../../../agents/config/agents-file.ts';
import type { Reply, Send } from '../../../agents/connection.ts';
import { openAgent } from '../../../agents/open-agent.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { startA2aAgent, type A2aAgent } from '../support/a2a-agent.ts';
import { EVERYTHING_SCRIPT, startEverything, type EverythingServer } from '../support/everything-server.ts';
import { startResponsesMock, type ResponsesMock } from '../support/responses-mock.ts';

const LISTENER = {
  head: () => undefined,
  bytes: () => undefined,
  note: () => undefined,
  progress: () => undefined,
};
const VARIABLES = {
  env: () => undefined,
  input: () => undefined,
  secret: () => undefined,
  demo: () => undefined,
  workspaceFolder: () => '/',
};

/** The reply to the first request to an agent with an entry, which is for its tools or a task. */
async function ask(entry: object, wireText?: string): Promise<Reply> {
  const config = parseAgentsFile(JSON.stringify({ agents: { it: entry } })).agents.get('it');
  assert.ok(config);
  const opened = await openAgent(config, VARIABLES, () => undefined, {
    protocols: ALL_PROTOCOLS,
    connect: connectAgent,
    watches: true,
    warningPolicy: 'send',
    ...(wireText === undefined ? {} : { language: 'aicf' }),
  });
  assert.ok(opened.ok);
  const reader = new CapabilityReader(opened.pooled);
  const list: Send = (...args) => reader.read(...args);
  const { signal } = new AbortController();
  const { reply } =
    wireText === undefined
      ? opened.send({ wireText: '' }, LISTENER, signal, list)
      : opened.send({ wireText }, LISTENER, signal);
  const came = await reply;
  await opened.close();
  return came;
}

describe('an agent of another protocol than its entry says', () => {
  let everything: EverythingServer;
  let a2a: A2aAgent;
  let mock: ResponsesMock;
  before(async () => {
    [everything, mock] = await Promise.all([startEverything(), startResponsesMock('sk-abcdefgh12345678')]);
  });
  beforeEach(async () => {
    a2a = await startA2aAgent({ version: '1.0', streaming: false });
  });
  afterEach(() => a2a.close());
  after(() => Promise.all([everything.close(), mock.close()]));

  it('is named: an MCP server as AIO, as A2A and as a Responses agent', async () => {
    for (const protocol of ['aio', 'a2a', 'responses', 'json-rpc', 'aicf']) {
      const reply = await ask({ protocol, url: everything.url }, 'CALL|echo|hello');
      assert.deepEqual(
        [reply.status, reply.code, reply.mistake?.protocol, reply.mistake?.address],
        ['error', 'WRONG_PROTOCOL', 'mcp', everything.url],
        protocol,
      );
      assert.match(reply.message ?? '', /^This is an MCP server \(mcp-servers\/everything\): /);
    }
  });

  it('is named: an A2A agent as MCP and as AIO', async () => {
    for (const protocol of ['mcp', 'aio']) {
      const { mistake } = await ask({ protocol, url: `${a2a.origin}/` });
      assert.equal(mistake?.protocol, 'a2a', protocol);
    }
  });

  it('is named: a Responses agent as A2A and as MCP', async () => {
    for (const protocol of ['a2a', 'mcp']) {
      const { mistake, message } = await ask({ protocol, url: mock.url }, 'CALL|echo|hello');
      assert.equal(mistake?.protocol, 'responses', `${protocol}: ${message}`);
      assert.match(message ?? '', /^This is an OpenAI-style agent: /);
    }
  });

  it('is named: the process of an MCP server as AIO and as AICL, although it is silent', async () => {
    for (const protocol of ['aio', 'aicl']) {
      const { mistake } = await ask(
        { protocol, type: 'stdio', command: process.execPath, args: [EVERYTHING_SCRIPT, 'stdio'] },
        'CALL|echo|hello',
      );
      assert.deepEqual([mistake?.protocol, mistake?.address], ['mcp', undefined], protocol);
    }
  });

  it('gets no message of another protocol while it is only slow', async () => {
    const seen: string[] = [];
    const slow = createServer((request, response) => {
      let body = '';
      request.on('data', piece => (body += piece));
      request.on('end', () => seen.push(`${request.method} ${body}`));
      if (request.method === 'GET') return void response.writeHead(404).end();
      setTimeout(() => response.writeHead(200, { 'Content-Type': 'text/plain' }).end('OK|done'), 2_000);
    });
    await new Promise<void>(resolve => slow.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/aip/v1/aicf`;
    const { status, text } = await ask({ protocol: 'aicf', url }, 'CALL|wait|1');
    slow.close();
    slow.closeAllConnections();
    assert.deepEqual(
      [status, text, seen.filter(each => each.includes('jsonrpc')), seen.includes('GET ')],
      ['ok', 'OK|done', [], true],
    );
  });

  it('is not looked for where the agent answers in its protocol', async () => {
    const rightly = await ask({ protocol: 'mcp', url: everything.url });
    const before = a2a.requests.length;
    const own = await ask({ protocol: 'a2a', url: `${a2a.origin}/` });
    assert.deepEqual(
      [rightly.status, rightly.mistake, own.status, a2a.requests.slice(before)],
      ['ok', undefined, 'ok', ['GET /.well-known/agent-card.json']],
    );
  });
});
