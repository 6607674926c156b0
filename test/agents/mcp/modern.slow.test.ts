import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import { after, afterEach, before, describe, it } from 'mocha';
import { askIn } from '../../../agents/converting/converting-connection.ts';
import type { Connection } from '../../../agents/connection.ts';
import { KnownTools } from '../../../agents/capabilities/known-tools.ts';
import type { LanguageId } from '../../../core/catalog/languages.ts';
import { until } from '../support/raw-agent.ts';
import { makeServer } from './servers/modern.ts';
import { ask, call, closeAll, connect, mcpAt, mcpProgram, rpc, said } from './support.ts';
import { shownPeer } from '../support/shown-peer.ts';

const TRACE = 'a'.repeat(32);
const CALL = 'b'.repeat(16);
const NAMES = { trace: TRACE, call: CALL, depth: 0 };

describe('a server of MCP 2026-07-28', () => {
  let http: Server;
  let handler: McpHttpHandler;
  let url = '';
  const regions: string[] = [];
  before(async () => {
    handler = createMcpHandler(makeServer, { legacy: 'reject' });
    const serve = toNodeHandler(handler);
    http = createServer((request, response) => {
      regions.push(String(request.headers['mcp-param-region']));
      void serve(request as Parameters<typeof serve>[0], response);
    });
    await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/`;
  });
  after(async () => {
    await handler.close();
    http.closeAllConnections();
    await new Promise(resolve => http.close(resolve));
  });
  afterEach(closeAll);

  const WAYS: readonly { readonly way: string; readonly open: () => Connection }[] = [
    { way: 'as a process', open: () => connect(mcpProgram(['test/agents/mcp/servers/modern-stdio.ts'])) },
    { way: 'over HTTP', open: () => connect(mcpAt(url)) },
  ];
  for (const { way, open } of WAYS) {
    it(`${way}: lists its tools, answers to the letter, tells what it is`, async () => {
      const connection = open();
      const listed = await ask(connection, rpc('tools/list'));
      const names = /"name":"(\w+)"/g;
      assert.deepEqual(
        [...listed.reply.text.matchAll(names)].map(([, name]) => name).filter(name => name !== 'modern'),
        ['echo', 'fail', 'slow', 'hang', 'near', 'confirm', 'rhyme'],
      );
      assert.ok(listed.came.includes(listed.reply.text));
      assert.deepEqual(shownPeer(connection.peer), {
        version: '2026-07-28',
        name: 'modern 1.2.3',
        capabilities: ['logging'],
      });
      const echoed = await ask(connection, call('echo', { message: 'hi' }));
      assert.equal(said(echoed), 'Echo: hi');
      assert.ok(echoed.came.includes(echoed.reply.text));
      assert.ok(echoed.sent.includes('"io.modelcontextprotocol/protocolVersion":"2026-07-28"'));
    });

    it(`${way}: a tool that fails, one that reports progress, one that does not exist`, async () => {
      const connection = open();
      const { status, message, isProtocol } = (await ask(connection, call('fail'))).reply;
      assert.deepEqual(
        { status, message, isProtocol },
        { status: 'error', message: 'no such file', isProtocol: true },
      );
      const slow = await ask(connection, call('slow'));
      assert.equal(said(slow), 'done');
      assert.equal(slow.came.match(/"method":"notifications\/progress"/g)?.length, 2);
      const none = await ask(connection, call('none'));
      assert.deepEqual([none.reply.status, none.reply.code], ['error', '-32602']);
      const removed = await ask(connection, rpc('logging/setLevel', { level: 'info' }));
      assert.equal(removed.reply.code, 'NOT_SENT');
    });

    it(`${way}: asks for more in rounds; the last answer is the reply`, async () => {
      const connection = open();
      const asked: unknown[] = [];
      const confirmed = await ask(connection, call('confirm'), {
        questions: {
          fillForm: question => {
            asked.push(question);
            return Promise.resolve({ action: 'accept', content: { confirm: true } });
          },
          openAddress: () => Promise.resolve('decline'),
          writeText: () => Promise.resolve(undefined),
          approve: () => Promise.resolve(false),
          listRoots: () => Promise.resolve([]),
        },
      });
      assert.equal(said(confirmed), 'confirmed: {"confirm":true}');
      assert.equal(asked.length, 1);
      assert.ok(confirmed.came.includes('"resultType":"input_required"'));
    });

    it(`${way}: asks for a text of a model, and its call fails if nobody answers`, async () => {
      const { reply } = await ask(open(), call('rhyme'));
      assert.deepEqual([reply.status, reply.code], ['error', 'NO_ANSWER']);
      assert.match(reply.message ?? '', /requests sampling .* was declined/);
    });

    it(`${way}: is stopped, is notified, and continues with the next call`, async () => {
      const connection = open();
      await ask(connection, call('echo', { message: 'a' }));
      const stop = new AbortController();
      setTimeout(() => stop.abort(), 200);
      const stopped = await ask(connection, call('hang'), { signal: stop.signal });
      assert.deepEqual([stopped.reply.status, stopped.reply.code], ['cancelled', 'CANCELLED']);
      if (way === 'as a process') await until('it was told', () => stopped.stderr.includes('aborted'));
      assert.equal(said(await ask(connection, call('echo', { message: 'b' }))), 'Echo: b');
    });

    it(`${way}: gets the names of the trace`, async () => {
      const connection = open();
      const { sent } = await ask(connection, call('echo', { message: 'a' }), { names: NAMES });
      const params = [...sent.matchAll(/\{"method":"tools\/call","params":(\{.*\}),"jsonrpc"/g)].map(
        ([, text = '']) => JSON.parse(text) as { _meta: Record<string, unknown> },
      );
      const meta = params[0]?._meta ?? {};
      const ids = [meta['traceparent'], meta['X-OpenStarry-Trace-ID'], meta['X-OpenStarry-Trace-Depth']];
      const bare = way === 'as a process' ? [TRACE, 0] : [undefined, undefined];
      assert.deepEqual(ids, [`00-${TRACE}-${CALL}-01`, ...bare]);
    });

    it(`${way}: is asked in AICF and in AICL`, async () => {
      const connection = open();
      const tools = new KnownTools();
      const notes: string[] = [];
      const askedIn = async (language: LanguageId, text: string): Promise<string> => {
        const sender = askIn(connection, {
          protocols: ALL_PROTOCOLS,
          language,
          tools,
          warningPolicy: 'hold',
        });
        const asked = await ask(sender, text);
        notes.push(...asked.notes);
        return asked.reply.text;
      };
      assert.equal(await askedIn('aicf', 'LIST'), 'TOOLS|echo|fail|slow|hang|near|confirm|rhyme\n');
      assert.equal(await askedIn('aicf', 'INFO|echo'), 'TOOL|echo|Says it again|message:string\n');
      notes.length = 0;
      assert.equal(await askedIn('aicf', 'CALL|echo|hi'), 'OK|Echo: hi\n');
      // What each reply says about its server is no loss.
      assert.deepEqual(notes, []);
      assert.match(await askedIn('aicf', 'CALL|fail'), /^ERR\|500\|no such file/);
      const header = '[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]';
      const reply = await askedIn(
        'aicl',
        `[d:${header}:[s:tool_call],[s:tool]:[s:echo],[s:params]:[d:[s:message]:[s:hi]]]`,
      );
      const expected = `[d:${header}:[s:result],[s:data]:[s:Echo: hi]`;
      assert.ok(reply.replace(/\s/g, '').startsWith(expected.replace(/\s/g, '')), reply);
    });
  }

  it('gets arguments as headers over HTTP where it wants them, also from who has not asked for its tools', async () => {
    const known = connect(mcpAt(url));
    await ask(known, rpc('tools/list'));
    regions.length = 0;
    assert.equal(said(await ask(known, call('near', { region: 'north' }))), 'near north');
    assert.deepEqual(regions, ['north']);
    assert.equal(said(await ask(connect(mcpAt(url)), call('near', { region: 'south' }))), 'near south');
    assert.equal(regions.at(-1), 'south');
  });

  it('tells over HTTP when what it offers has changed', async () => {
    const connection = connect(mcpAt(url));
    let changes = 0;
    connection.onCapabilitiesChanged?.(() => changes++);
    await ask(connection, rpc('tools/list'));
    handler.notify.toolsChanged();
    await until('the change is told', () => changes > 0);
    assert.equal(changes, 1);
  });
});
