import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createPlainServer, type AddressInfo, type Server } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, it } from 'mocha';
import { connectAgent } from '../../../agents/all.ts';
import { startHttpProxy } from '../../../agents/proxy/http/http-proxy.ts';
import { Recorder } from '../../../agents/proxy/recording/recorder.ts';
import type { AgentQuestions } from '../../../core/message/message.ts';
import { RANDOM_IDS, now } from '../../../agents/runtime.ts';
import { Redactor } from '../../../core/secrets/redact.ts';
import { closeRawAgents, reply, startRawAgent, until } from '../support/raw-agent.ts';
import { startEverything } from '../support/everything-server.ts';
import { agentAt } from '../support/send.ts';
import { closeProxies, converse, lineOf, record, Tape, wireOf } from './support.ts';

const LIST = 'Content-Length: 4\r\n\r\nLIST';

/** The user answers every form. */
const QUESTIONS: AgentQuestions = {
  fillForm: () => Promise.resolve({ action: 'accept', content: { days: 3 } }),
  openAddress: () => Promise.resolve('decline'),
  writeText: () => Promise.resolve(undefined),
  approve: () => Promise.resolve(false),
  listRoots: () => Promise.resolve([]),
};

async function listen(server: Server): Promise<number> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

describe('what a recording refuses', () => {
  afterEach(async () => {
    await closeProxies();
    await closeRawAgents();
  });

  const rows: readonly (readonly [name: string, head: string, status: string, why: string])[] = [
    [
      'a host that a page may have made point here',
      'POST / HTTP/1.1\r\nHost: evil.example:PORT\r\n',
      '403 Forbidden',
      "This recording accepts requests for 127.0.0.1:PORT and localhost:PORT only, and the request names the host 'evil.example:PORT'",
    ],
    [
      'another port',
      'POST / HTTP/1.1\r\nHost: localhost:1\r\n',
      '403 Forbidden',
      "This recording accepts requests for 127.0.0.1:PORT and localhost:PORT only, and the request names the host 'localhost:1'",
    ],
    [
      'no host',
      'POST / HTTP/1.1\r\n',
      '403 Forbidden',
      "A request must have one Host header, and this one has 0 Host headers; send one, 'Host: 127.0.0.1:PORT'",
    ],
    [
      'two hosts',
      'POST / HTTP/1.1\r\nHost: localhost:PORT\r\nHost: evil.example\r\n',
      '403 Forbidden',
      "A request must have one Host header, and this one has 2 Host headers; send one, 'Host: 127.0.0.1:PORT'",
    ],
    [
      'an address of another server',
      'POST http://evil.example/ HTTP/1.1\r\nHost: localhost:PORT\r\n',
      '403 Forbidden',
      'This recording forwards to one agent and takes requests for its paths only; it is not a proxy for other addresses',
    ],
    [
      'what is no HTTP',
      'EHLO\n',
      '400 Bad Request',
      'This is not an HTTP/1.1 request; a recording of an agent over HTTP accepts nothing else',
    ],
  ];
  for (const [name, head, status, why] of rows) {
    it(`${name}: a sentence, and the agent hears nothing`, async () => {
      const agent = await startRawAgent(socket => void socket.end(reply('OK')));
      const tape = new Tape();
      const proxy = await record(agent.origin, tape);
      const named = (text: string): string => text.replaceAll('PORT', String(proxy.port));
      const seen = await converse(proxy.port, [named(head + LIST)]);
      const body = `${named(why)}\n`;
      assert.deepEqual(seen, {
        bytes: `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
        end: 'ended',
      });
      assert.deepEqual([agent.requests, tape.events], [[], []]);
    });
  }

  it('takes localhost and every address of the loopback interface', async () => {
    const agent = await startRawAgent(socket => void socket.end(reply('OK')));
    const proxy = await record(agent.origin, new Tape());
    for (const host of ['localhost', 'LOCALHOST', '127.0.0.1', '127.0.0.2', '[::1]']) {
      const seen = await converse(proxy.port, [`POST / HTTP/1.1\r\nHost: ${host}:${proxy.port}\r\n${LIST}`]);
      assert.equal(seen.bytes.split('\r\n', 1)[0], 'HTTP/1.1 200 OK', host);
    }
  });

  it('an agent that is not there is 502 with a sentence, and recorded', async () => {
    const free = createPlainServer();
    const port = await listen(free);
    await new Promise(resolve => free.close(resolve));
    const tape = new Tape();
    const proxy = await record(`http://127.0.0.1:${port}/`, tape);
    const seen = await converse(proxy.port, [`POST /x HTTP/1.1\r\nHost: localhost:${proxy.port}\r\n${LIST}`]);
    const why = `Tried POST http://127.0.0.1:${port}/, but nothing listens at 127.0.0.1:${port} (connection refused); start the agent or correct its url`;
    assert.deepEqual(seen.bytes.split('\r\n\r\n'), [
      `HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${why.length + 1}\r\nConnection: close`,
      `${why}\n`,
    ]);
    await closeProxies();
    const [call] = tape.calls();
    assert.deepEqual(
      { line: call && lineOf(call), message: call?.message, notes: call?.notes },
      {
        line: 'aicf · LIST · error · ECONNREFUSED',
        message: why,
        notes: ['The recording answered instead of the agent'],
      },
    );
  });

  it('an agent over https is reached with its certificate, else 502', async () => {
    const [cert, key] = ['cert', 'key'].map(name =>
      readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url), 'utf8'),
    );
    const server = createSecureServer({ cert, key }, (request, response) => {
      request.resume();
      response.end(`OK|${request.headers.host ?? ''}`);
    });
    const port = await listen(server);
    const url = `https://127.0.0.1:${port}/`;
    const ask = async (tls: { readonly ca?: string }): Promise<string> => {
      const tape = new Tape();
      const proxy = await record(url, tape, { tls });
      const reply = await fetch(proxy.address, {
        method: 'POST',
        body: 'LIST',
        headers: { connection: 'close' },
      });
      const text = await reply.text();
      await proxy.close();
      return [reply.status, text.trimEnd(), ...tape.calls().map(lineOf)].join(' / ');
    };
    assert.deepEqual(
      [await ask({ ca: cert ?? '' }), await ask({})],
      [
        `200 / OK|127.0.0.1:${port} / aicf · LIST · ok`,
        `502 / Tried POST ${url}, but the agent's certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT); name its authority with 'tls.ca' or set 'tls.allowSelfSigned' / aicf · LIST · error · DEPTH_ZERO_SELF_SIGNED_CERT`,
      ],
    );
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  });

  it('a port that is taken is said, and another one offered', async () => {
    const taken = createPlainServer();
    const port = await listen(taken);
    const recording = {
      protocols: ALL_PROTOCOLS,
      agent: 'a',
      emit: () => undefined,
      now,
      ids: RANDOM_IDS,
      redactor: new Redactor([]),
    };
    const started = await startHttpProxy(
      { url: new URL('http://127.0.0.1:1/') },
      port,
      new Recorder(recording),
    );
    await new Promise(resolve => taken.close(resolve));
    const freePort = 'freePort' in started ? started.freePort : undefined;
    assert.deepEqual(started, {
      ok: false,
      message: `Port ${port} is taken by another program; port ${freePort} is free`,
      freePort,
    });
    assert.equal(typeof freePort, 'number');
  });
});

describe('what a recording keeps', () => {
  afterEach(async () => {
    await closeProxies();
    await closeRawAgents();
  });

  it('no credential: of headers, of addresses, of AICF, of OAuth, also where it comes again', async () => {
    const agent = await startRawAgent((socket, index) => {
      const body = [
        'OK|I heard s3cr3t-bearer',
        'OK|field-secret',
        '{"access_token":"new-tok-1","token_type":"Bearer"}',
      ][index];
      const type = index === 2 ? 'application/json' : 'text/plain';
      socket.end(
        `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nSet-Cookie: sid=c00kie\r\nContent-Length: ${body?.length ?? 0}\r\n\r\n${body ?? ''}`,
      );
    });
    const tape = new Tape();
    const proxy = await record(agent.origin, tape);
    const post = async (path: string, headers: string, body: string): Promise<void> => {
      const head = `POST ${path} HTTP/1.1\r\nHost: localhost:${proxy.port}\r\n${headers}Content-Length: ${body.length}\r\n\r\n`;
      // A piece ends in the middle of the body.
      await converse(proxy.port, [head + body.slice(0, 3), body.slice(3)]);
    };
    await post('/?token=query-secret', 'Authorization: Bearer s3cr3t-bearer\r\n', 'LIST');
    await post('/', '', 'CALL|a|b|AUTH:field-secret');
    await post(
      '/token',
      'Content-Type: application/x-www-form-urlencoded\r\n',
      'grant_type=authorization_code&code=auth-code-1',
    );
    await proxy.close();
    const stored = JSON.stringify(tape.events);
    for (const secret of [
      's3cr3t-bearer',
      'query-secret',
      'field-secret',
      'c00kie',
      'new-tok-1',
      'auth-code-1',
    ])
      assert.equal(stored.includes(secret), false, secret);
    const calls = tape.calls();
    assert.deepEqual(
      calls.map(call => [wireOf(call, 'out'), wireOf(call, 'in')]),
      [
        ['LIST', 'OK|I heard [redacted]'],
        ['CALL|a|b|AUTH:[redacted]', 'OK|[redacted]'],
        [
          'grant_type=authorization_code&code=[redacted]',
          '{"access_token":"[redacted]","token_type":"Bearer"}',
        ],
      ],
    );
    // What the agent got is what the caller sent.
    assert.match(agent.requests[0] ?? '', /^POST \/\?token=query-secret .*Bearer s3cr3t-bearer/s);
  });

  it('what a compressed reply says, and its bytes as they came', async () => {
    const body = gzipSync('ERR|404|no such tool');
    const agent = await startRawAgent(socket => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`);
      socket.end(body);
    });
    const tape = new Tape();
    const proxy = await record(agent.origin, tape);
    await converse(proxy.port, [`POST / HTTP/1.1\r\nHost: localhost:${proxy.port}\r\n${LIST}`]);
    await closeProxies();
    const [call] = tape.calls();
    assert.deepEqual(
      [call && lineOf(call), call?.message, call && Buffer.from(wireOf(call, 'in'), 'latin1').equals(body)],
      ['aicf · LIST · error · 404', 'no such tool', true],
    );
  });

  it('the tokens that an agent counts, its session, and where it leads past', async () => {
    const events = [
      'event: endpoint\ndata: http://127.0.0.1:9/messages\n\n',
      'data: {"object":"response","id":"r","status":"created","session_id":"s-9"}\n\n',
      'data: {"object":"response","id":"r","status":"completed","session_id":"s-9","usage":{"input_tokens":12,"output_tokens":7}}\n\n',
    ];
    const agent = await startRawAgent(socket => {
      socket.end(
        `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n${events.join('')}`,
      );
    });
    const tape = new Tape();
    const proxy = await record(agent.origin, tape);
    const body =
      '{"input":[{"role":"user","type":"message","content":[{"type":"text","text":"How deep is the sea?"}]}]}';
    await converse(proxy.port, [
      `POST /process HTTP/1.1\r\nHost: localhost:${proxy.port}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    ]);
    await closeProxies();
    const [call] = tape.calls();
    assert.deepEqual(
      [call && lineOf(call), call?.usage, call?.call.session, call?.notes],
      [
        'agent-api · How deep is the sea? · ok',
        { input: 12, output: 7 },
        's-9',
        [
          "The endpoint that the server names leads to 'http://127.0.0.1:9/messages': requests sent there bypass the recording",
        ],
      ],
    );
  });

  it('what an MCP server asks its caller, below the call within which it asks', async () => {
    const server = await startEverything();
    const tape = new Tape();
    const proxy = await record(server.url, tape);
    const connection = connectAgent(agentAt('mcp', proxy.address));
    const wireText =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"trigger-elicitation-request"}}';
    const nothing = {
      head: () => undefined,
      bytes: () => undefined,
      note: () => undefined,
      progress: () => undefined,
    };
    await connection.send({ wireText, questions: QUESTIONS }, nothing, new AbortController().signal);
    await connection.close();
    await server.close();
    await proxy.close();
    const asking = tape.calls().find(({ call }) => call.title === 'trigger-elicitation-request');
    const [question] = asking?.children ?? [];
    assert.deepEqual(
      [asking, question, question?.children[0]].map(
        node => node && [lineOf(node), node.call.agent, node.depth],
      ),
      [
        ['mcp · trigger-elicitation-request · ok', 'agent', 0],
        ['mcp · elicitation/create · ok', 'caller', 0],
        ['mcp · answer to elicitation/create · ok', 'agent', 0],
      ],
    );
  });

  it('what an MCP server of 2024-11-05 answers over its stream', async () => {
    let stream: ServerResponse | undefined;
    const server = createServer((request, response) => {
      if (request.method === 'GET') {
        stream = response.setHeader('content-type', 'text/event-stream');
        response.write('event: endpoint\ndata: /messages?s=1\n\n');
        return;
      }
      let body = '';
      request.on('data', piece => (body += String(piece)));
      request.on('end', () => {
        const { id, method } = JSON.parse(body) as { id: number; method: string };
        const answer =
          method === 'ping' || method === 'early' ? '"result":{}' : '"error":{"code":-32601,"message":"no"}';
        // A server may accept a message after it has answered it.
        if (method === 'early') setTimeout(() => response.writeHead(202).end('Accepted'), 50);
        else response.writeHead(202).end('Accepted');
        if (method !== 'hang')
          stream?.write(`event: message\ndata: {"jsonrpc":"2.0","id":${id},${answer}}\n\n`);
      });
    });
    const tape = new Tape();
    const proxy = await record(`http://127.0.0.1:${await listen(server)}/sse`, tape);
    const gone = new AbortController();
    const listening = await fetch(proxy.address, {
      headers: { accept: 'text/event-stream' },
      signal: gone.signal,
    });
    const observed = listening.body?.getReader();
    await observed?.read();
    for (const [index, method] of ['ping', 'nothing', 'early', 'hang'].entries()) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: index, method });
      await (await fetch(new URL('/messages?s=1', proxy.address), { method: 'POST', body })).text();
      if (method !== 'hang') await observed?.read();
    }
    gone.abort();
    await observed?.closed.catch(() => undefined);
    stream?.end();
    await until(
      'all is recorded',
      () => tape.calls().length === 5 && tape.calls().every(call => call.status !== 'open'),
    );
    server.closeAllConnections();
    server.close();
    assert.deepEqual(tape.calls().map(lineOf), [
      'mcp · listen for messages · ok',
      'mcp · ping · ok',
      'mcp · nothing · error · -32601',
      'mcp · early · ok',
      'mcp · hang · incomplete',
    ]);
  });

  it('calls with a long request also by the end of it', async () => {
    const server = createServer((request, response) => {
      request.resume().on('end', () => response.end('{"jsonrpc":"2.0","id":7,"result":{}}'));
    });
    const port = await listen(server);
    const tape = new Tape();
    const proxy = await record(`http://127.0.0.1:${port}`, tape);
    const long = 'x'.repeat(200_000);
    const body = `{"jsonrpc":"2.0","id":7,"params":{"name":"paint","arguments":{"a":"${long}"},"_meta":{"traceId":"run-2"}},"method":"tools/call"}`;
    await (await fetch(proxy.address, { method: 'POST', body })).text();
    server.close();
    server.closeAllConnections();
    await proxy.close();
    const [call] = tape.calls();
    assert.deepEqual(
      [call && lineOf(call), call?.call.names, call && wireOf(call, 'out') === body],
      ['mcp · paint · ok', [{ scheme: 'openstarry', trace: 'run-2' }], true],
    );
  });
});
