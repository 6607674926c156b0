import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, describe, it } from 'mocha';
import { message } from '../../../core/message/message.ts';
import { textIn, textValue } from '../../../core/values/value.ts';
import type { Serve } from '../../../protocols/serving/serving.ts';
import { SERVERS } from '../../../protocols/servers.ts';
import { until } from '../support/raw-agent.ts';
import {
  agentOf,
  bridge,
  bridgeWith,
  notesOf,
  showTrees,
  startListener,
  type TestBridge,
} from './support.ts';

/** Serves each request as a task, and its reply as plain text while it arrives. */
const serveText: Serve = agent => ({
  path: '/text',
  async answer(request, reply) {
    const asked = message('task', { task: textValue(request.body) });
    const type = 'text/plain; charset=utf-8';
    const call = agent.call(asked, {
      request,
      take: chunks => {
        for (const { fields } of chunks) reply.write(type, textIn(fields.data) ?? '');
      },
      drained: () => reply.drained(),
    });
    const { status, message: whole, failure } = await call.reply;
    reply.write(type, `\n${status} ${failure ?? ''} ${textIn(whole.fields.text) ?? ''}`);
    reply.end();
  },
});

const PIECE = 'x'.repeat(2 ** 16);

/** An agent of Responses that streams as much as its caller takes; `sent` counts the bytes that it has written. */
async function startFlood(pieces: number): Promise<{ url: string; sent: () => number; close: () => void }> {
  let sent = 0;
  const server = createServer((request, response) => {
    request.resume();
    void flood(response, pieces, bytes => (sent += bytes));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/responses`,
    sent: () => sent,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise(resolve => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.once('drain', done).once('close', done);
  });
}

async function flood(
  response: ServerResponse,
  pieces: number,
  count: (bytes: number) => void,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const write = async (event: unknown): Promise<void> => {
    const text = `data: ${JSON.stringify(event)}\n\n`;
    count(text.length);
    if (!response.write(text) && !response.destroyed) await drained(response);
  };
  const item = { id: 'm', type: 'message', role: 'assistant', status: 'in_progress', content: [] };
  await write({
    type: 'response.created',
    sequence_number: 0,
    response: { id: 'r', object: 'response', status: 'in_progress', output: [] },
  });
  await write({ type: 'response.output_item.added', sequence_number: 1, output_index: 0, item });
  for (let count = 0; count < pieces && !response.destroyed; count++)
    await write({
      type: 'response.output_text.delta',
      sequence_number: 2 + count,
      item_id: 'm',
      output_index: 0,
      content_index: 0,
      delta: PIECE,
    });
  response.end();
}

/** Sends a request and returns its response, whose body is not read yet. */
function ask(bridged: TestBridge, body = 'Write'): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = requestHttp(bridged.address, { method: 'POST', agent: false }, resolve);
    request.on('error', reject);
    request.end(body);
  });
}

describe('the flow through a bridge', () => {
  const cleanups: (() => unknown)[] = [];
  after(() => Promise.all(cleanups.map(clean => clean())));

  it('slows the agent down while its caller reads nothing, and passes all of the reply on afterwards', async () => {
    const pieces = 2_000;
    const agent = await startFlood(pieces);
    const bridged = await bridgeWith(
      agentOf({ protocol: 'responses', type: 'http', url: agent.url }),
      'responses',
      serveText,
    );
    cleanups.push(() => bridged.close(), agent.close);
    const response = await ask(bridged);
    await until('the agent to write', () => agent.sent() > 0);
    let before = -1;
    while (before !== agent.sent()) {
      before = agent.sent();
      await sleep(300);
    }
    // 131 MB would come in all; sockets of the system hold a few.
    assert.ok(before < 30_000_000, `${before} bytes were read from the agent`);
    let length = 0;
    for await (const piece of response) if (piece instanceof Uint8Array) length += piece.length;
    assert.ok(length >= pieces * PIECE.length, `${length} characters came`);
  });

  it('writes the pieces of a reply that come together as one chunk, and later ones as another', async () => {
    const serve: Serve = () => ({
      path: '/text',
      async answer(_, reply) {
        for (const piece of ['a', '\u{d83d}', '\u{de00}']) reply.write('text/plain', piece);
        await sleep(50);
        for (const piece of ['b', 'c']) reply.write('text/plain', piece);
        reply.end();
      },
    });
    const config = agentOf({ protocol: 'aicl', type: 'http', url: 'http://127.0.0.1:1/' });
    const bridged = await bridgeWith(config, 'responses', serve);
    cleanups.push(() => bridged.close());
    const response = await ask(bridged);
    const chunks: string[] = [];
    for await (const chunk of response) chunks.push(String(chunk));
    assert.deepEqual(chunks, ['a\u{1f600}', 'bc']);
    const recorded = bridged.events.flatMap(event =>
      event.type === 'wire' && event.direction === 'in' ? [event.bytes] : [],
    );
    assert.deepEqual(recorded, [{ text: 'a\u{1f600}' }, { text: 'bc' }]);
  });

  it('repeats a long text in every event of Responses that has it, and in the stored response', async () => {
    const flood = await startFlood(3);
    cleanups.push(flood.close);
    const bridged = await bridge(
      agentOf({ protocol: 'responses', type: 'http', url: flood.url }),
      'responses',
    );
    cleanups.push(() => bridged.close());
    const body = '{"model":"target","input":"Write","stream":true}';
    const text = await (await fetch(bridged.address, { method: 'POST', body })).text();
    const whole = JSON.stringify(PIECE.repeat(3));
    const having = text
      .split('\n\n')
      .filter(event => event.includes(whole))
      .map(event => /^event: response\.(.*)/.exec(event)?.[1]);
    assert.deepEqual(having, ['output_text.done', 'content_part.done', 'output_item.done', 'incomplete']);
    const id = /"id":"(resp_\w+)"/.exec(text)?.[1] ?? '';
    const stored = await (await fetch(`${bridged.address}/${id}`)).text();
    assert.ok(stored.includes(`"text":${whole}`), stored.slice(0, 300));
  });

  it('ends the call to the agent when its caller goes', async () => {
    const agent = await startFlood(1_000_000);
    const bridged = await bridgeWith(
      agentOf({ protocol: 'responses', type: 'http', url: agent.url }),
      'responses',
      serveText,
    );
    cleanups.push(() => bridged.close(), agent.close);
    const response = await ask(bridged);
    response.destroy();
    await until('both calls to end', () => bridged.events.filter(({ type }) => type === 'end').length === 2);
    const ends = bridged.events.filter(event => event.type === 'end');
    assert.deepEqual(
      ends.map(({ status }) => status),
      ['cancelled', 'cancelled'],
    );
  });

  it('takes 64 calls at a time, refuses more as busy, and takes new ones when they have ended', async () => {
    const waiting: ServerResponse[] = [];
    const server = createServer((request, response) => {
      request.resume();
      waiting.push(response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/responses`;
    const bridged = await bridgeWith(
      agentOf({ protocol: 'responses', type: 'http', url }),
      'responses',
      serveText,
    );
    cleanups.push(
      () => bridged.close(),
      () => server.closeAllConnections(),
      () => server.close(),
    );
    const post = async (): Promise<string> =>
      (await fetch(bridged.address, { method: 'POST', body: 'Write' })).text();
    const calls = Array.from({ length: 64 }, post);
    await until('64 calls', () => waiting.length === 64);
    assert.match(await post(), /^\nerror busy The agent target has 64 open calls, which is the maximum/);
    const reply = { id: 'r', object: 'response', status: 'completed', output: [] };
    for (const response of waiting)
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
    await Promise.all(calls);
    const next = post();
    await until('the next call', () => waiting.length === 65);
    waiting[64]?.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
    assert.match(await next, /^\nok/);
  });

  it('answers with an error for an agent that is down, answers nonsense or takes too long', async () => {
    const server = createServer((request, response) => {
      request.resume();
      if (request.url === '/nonsense')
        response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
    cleanups.push(
      () => server.closeAllConnections(),
      () => server.close(),
    );
    const ask = async (url: string): Promise<string> => {
      const config = agentOf({ protocol: 'responses', type: 'http', url, timeout: 0.2 });
      const bridged = await bridgeWith(config, 'responses', serveText);
      cleanups.push(() => bridged.close());
      return (await fetch(bridged.address, { method: 'POST', body: 'Write' })).text();
    };
    assert.match(await ask('http://127.0.0.1:1/'), /^\nerror unreachable .*ECONNREFUSED|nothing listens/);
    assert.match(await ask(`${origin}/nonsense`), /^\nerror unreachable .*200 OK/);
    assert.match(await ask(`${origin}/silent`), /^\nerror timeout .*200 ms/);
  });

  it('starts a process that ends again for the next call, at most once a second', async () => {
    const script = 'process.stdin.once("data", () => process.exit(3))';
    const config = agentOf({ protocol: 'aicl', type: 'stdio', command: 'node', args: ['-e', script] });
    const bridged = await bridgeWith(config, 'responses', serveText);
    cleanups.push(() => bridged.close());
    for (let call = 0; call < 3; call++) {
      const text = await (await fetch(bridged.address, { method: 'POST', body: 'Write' })).text();
      assert.match(text, /^\nerror unreachable .*exit code 3/);
    }
    const heads = bridged.events.filter(
      event => event.type === 'head' && event.direction === 'out' && event.line.startsWith('stdio'),
    );
    const times = heads.map(({ at }) => at);
    assert.equal(times.length, 3);
    const began = bridged.events[0]?.at ?? 0;
    assert.ok(
      times.every((at, index) => at - began > index * 990),
      `They started ${times.map(at => at - began).join(', ')} ms after the first call`,
    );
  });

  it('asks an agent that is down once for each request, and starts its process at most once a second', async () => {
    const config = agentOf({
      protocol: 'mcp',
      type: 'stdio',
      command: 'node',
      args: ['-e', 'process.exit(3)'],
    });
    const bridged = await bridge(config, 'mcp');
    cleanups.push(() => bridged.close());
    const body = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{}}}';
    for (let call = 0; call < 2; call++) {
      const text = await (await fetch(bridged.address, { method: 'POST', body })).text();
      assert.match(text, /"code":-32603,.*exit code 3/);
    }
    assert.deepEqual(showTrees(bridged.events), [
      'x (target as MCP, error) [capabilities (target, error)]',
      'x (target as MCP, error) [capabilities (target, error)]',
    ]);
    const starts = bridged.events.filter(event => event.type === 'head' && event.line.startsWith('stdio'));
    // MCP's older versions are tried with a process of their own.
    assert.equal(starts.length, 4);
    assert.ok((starts[2]?.at ?? 0) - (bridged.events[0]?.at ?? 0) > 990);
  });

  it('passes on requests and replies as it does with a trace where nobody receives one', async () => {
    const requests: string[] = [];
    const server = createServer((request, response) => {
      const one = (name: string): string => request.headersDistinct[name]?.[0] ?? '';
      const trace = one('traceparent').split('-')[1] ?? '';
      requests.push(`${trace} ${one('x-openstarry-trace-id')} ${one('x-openstarry-trace-depth')}`);
      request.resume();
      if (request.url === '/fails') response.writeHead(401).end('Wrong token: the-secret-of-the-agent');
      else void flood(response, 3, () => undefined);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    cleanups.push(() => server.close());
    const origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
    const headers = {
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      'x-openstarry-trace-id': 'chain',
      'x-openstarry-trace-depth': '2',
    };
    const texts: string[] = [];
    for (const observed of ['observed', 'unobserved'] as const)
      for (const path of ['/streams', '/fails']) {
        const entry = { protocol: 'responses', type: 'http', url: origin + path };
        const config = agentOf({ ...entry, headers: { authorization: 'Bearer the-secret-of-the-agent' } });
        const bridged = await bridgeWith(config, 'responses', serveText, observed);
        cleanups.push(() => bridged.close());
        const reply = await fetch(bridged.address, { method: 'POST', body: 'Write', headers });
        texts.push(await reply.text());
        assert.equal(bridged.events.length > 0, observed === 'observed');
      }
    assert.equal(texts[2], texts[0]);
    assert.equal(texts[3], texts[1]);
    assert.ok(texts[2]?.startsWith(PIECE.repeat(3)), texts[2]?.slice(-200));
    assert.ok(!texts.join('').includes('the-secret-of-the-agent'));
    assert.equal(new Set(requests).size, 1);
    assert.match(requests[0] ?? '', /^0af7651916cd43dd8448eb211c80319c chain /);
  });

  it('asks an agent that answers without a list of its tools once in 10 s, not before each call', async () => {
    const asked: string[] = [];
    let answer = '{"success":true,"data":3}';
    const agent = await startListener((request, response) => {
      let body = '';
      request.on('data', (piece: Buffer) => (body += piece.toString()));
      request.on('end', () => {
        asked.push(/"method":"aip\.([^"]*)/.exec(body)?.[1] ?? '');
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(`{"jsonrpc":"2.0","id":1,"result":${answer}}`);
      });
    });
    cleanups.push(() => agent.close());
    let time = 0;
    const serve = SERVERS.get('json-rpc');
    assert.ok(serve);
    const config = agentOf({ protocol: 'json-rpc', type: 'http', url: agent.address });
    const bridged = await bridgeWith(config, 'json-rpc', serve, 'observed', () => time);
    cleanups.push(() => bridged.close());
    const ask = async (method: string): Promise<string> => {
      const params = { tool: 'add', arguments: { a: 1 } };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      return (await fetch(bridged.address, { method: 'POST', body })).text();
    };
    for (let call = 0; call < 3; call++) assert.match(await ask('aip.tool.invoke'), /"data":3/);
    const first = ['handshake', 'capabilities.list', 'tool.invoke', 'tool.invoke', 'tool.invoke'];
    assert.deepEqual(asked.splice(0), first);
    time += 9_999;
    await ask('aip.tool.invoke');
    assert.deepEqual(asked.splice(0), ['tool.invoke']);
    time += 1;
    answer = '{"tools":[{"name":"add","inputSchema":{"type":"object"}}]}';
    for (let call = 0; call < 2; call++) assert.match(await ask('aip.capabilities.list'), /"name":"add"/);
    assert.equal(asked.splice(0).at(-1), 'capabilities.list');
    // A list that the agent gave is enough for calls.
    time += 100_000;
    await ask('aip.tool.invoke');
    assert.deepEqual(asked, ['tool.invoke']);
  });

  it('says which methods there are, and notes bytes that are not UTF-8', async () => {
    const bridged = await bridge(
      agentOf({ protocol: 'aicl', type: 'http', url: 'http://127.0.0.1:1/' }),
      'mcp',
    );
    cleanups.push(() => bridged.close());
    const refused = await fetch(bridged.address, { method: 'PUT', body: '{}' });
    assert.deepEqual([refused.status, refused.headers.get('allow')], [405, 'POST, GET, DELETE']);
    await fetch(bridged.address, { method: 'POST', body: Buffer.from([0x22, 0xff, 0x22]) });
    assert.deepEqual(notesOf(bridged), [
      'The request is not UTF-8: bytes that are no characters are read as U+FFFD',
    ]);
  });
});
