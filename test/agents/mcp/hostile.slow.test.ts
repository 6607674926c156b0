import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { afterEach, describe, it } from 'mocha';
import type { Connection, Reply } from '../../../agents/connection.ts';
import type { ResolvedAgent } from '../../../agents/config/resolve-agent.ts';
import { closeRawAgents, reply, startRawAgent, until, type RawAgent } from '../support/raw-agent.ts';
import { isAlive } from '../support/stdio-agent.ts';
import { ask, call, closeAll, connect, mcpAt, mcpProgram, mcpScript, rpc, type Asked } from './support.ts';

const JSON_TYPE = 'application/json';
const EVENTS = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n';

/** What is reported to a caller, without the received text. */
function reported({ reply: { status, code, message } }: Asked): Omit<Reply, 'text' | 'isProtocol'> {
  return { status, ...(code === undefined ? {} : { code }), ...(message === undefined ? {} : { message }) };
}

/** A server that makes connections as it should, and answers everything else by `answer`. */
async function startServer(answer: (socket: Socket, id: string) => void): Promise<RawAgent> {
  const agent: RawAgent = await startRawAgent((socket, index) => {
    const body = agent.requests[index]?.split('\r\n\r\n')[1] ?? '';
    const id = /"id":("[^"]*"|\d+)/.exec(body)?.[1] ?? 'null';
    if (body.includes('"server/discover"'))
      socket.end(
        reply(`{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,"message":"no"}}`, '200 OK', JSON_TYPE),
      );
    else if (body.includes('"initialize"'))
      socket.end(
        reply(
          `{"jsonrpc":"2.0","id":${id},"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"x","version":"1"}}}`,
          '200 OK',
          JSON_TYPE,
        ),
      );
    else if (body.includes('"notifications/')) socket.end(reply('', '200 OK', JSON_TYPE));
    else answer(socket, id);
  });
  return agent;
}

/** Asks once, then once more of a server that has come to its senses: the connection still works. */
async function askTwice(
  bad: (socket: Socket, id: string) => void,
  limits: Parameters<typeof connect>[1] = {},
): Promise<{ readonly asked: Asked; readonly origin: string }> {
  let isBad = true;
  const agent = await startServer((socket, id) => {
    if (isBad) bad(socket, id);
    else socket.end(reply(`{"jsonrpc":"2.0","id":${id},"result":{"ok":true}}`, '200 OK', JSON_TYPE));
  });
  const connection = connect(mcpAt(`${agent.origin}/`), limits);
  const asked = await ask(connection, rpc('x/y'));
  isBad = false;
  assert.equal((await ask(connection, rpc('x/y'))).reply.status, 'ok');
  await connection.close();
  await until('all sockets are closed', () => agent.countSockets() === 0);
  return { asked, origin: agent.origin };
}

describe('a bad MCP server over HTTP', () => {
  afterEach(closeAll);
  afterEach(closeRawAgents);

  it('answers with a page in place of JSON', async () => {
    const page = '<!doctype html><title>Welcome to nginx</title>';
    const { asked, origin } = await askTwice(socket => socket.end(reply(page, '200 OK', 'text/html')));
    assert.deepEqual(reported(asked), {
      status: 'error',
      code: 'HTTP 200',
      message: `Tried POST ${origin}/: 200 OK came with an HTML page ('Welcome to nginx') and no Model Context Protocol reply; check that an agent of Model Context Protocol runs at this address`,
    });
    assert.deepEqual([asked.reply.text, asked.reply.isProtocol], [page, false]);
  });

  it('is none: every request gets a page that says not found', async () => {
    const agent = await startRawAgent(
      socket => void socket.end(reply('<html><pre>Cannot POST /</pre></html>', '404 Not Found', 'text/html')),
    );
    const asked = await ask(connect(mcpAt(`${agent.origin}/`)), rpc('tools/list'));
    assert.deepEqual([asked.reply.status, asked.reply.code], ['error', 'HTTP 404']);
    assert.match(asked.reply.message ?? '', /404 Not Found came with an HTML page \('Cannot POST \/'\)/);
  });

  it('wants a sign-in', async () => {
    const agent = await startRawAgent(socket => void socket.end(reply('no', '401 Unauthorized')));
    const asked = await ask(connect(mcpAt(`${agent.origin}/`)), rpc('tools/list'));
    assert.equal(asked.reply.code, 'HTTP 401');
    assert.match(
      asked.reply.message ?? '',
      /requires a sign-in, and there is no browser here; set its 'headers'/,
    );
  });

  it('redirects: the credentials stay here, and the target is reported', async () => {
    const other = await startRawAgent(socket => void socket.end(reply('{}', '200 OK', JSON_TYPE)));
    const { asked, origin } = await askTwice(socket =>
      socket.end(
        `HTTP/1.1 307 Temporary Redirect\r\nLocation: ${other.origin}/x\r\nContent-Length: 0\r\n\r\n`,
      ),
    );
    assert.deepEqual(reported(asked), {
      status: 'error',
      code: 'HTTP 307',
      message: `Tried POST ${origin}/: 307 Temporary Redirect came, which redirects to '${other.origin}/x', and redirects are not followed; put that address into the agent's url if you trust it`,
    });
    assert.deepEqual(other.requests, []);
  });

  it('answers another request than ours', async () => {
    const { asked, origin } = await askTwice(socket =>
      socket.end(reply('{"jsonrpc":"2.0","id":77,"result":{}}', '200 OK', JSON_TYPE)),
    );
    assert.deepEqual(reported(asked), {
      status: 'incomplete',
      code: 'HTTP 200',
      message: `Tried POST ${origin}/: 200 came with the answer to another request (id '77' in place of '1'); check that an MCP server runs at this address`,
    });
  });

  it('accepts a request and answers nothing', async () => {
    const { asked } = await askTwice(socket => socket.end(reply('', '202 Accepted')));
    assert.equal(asked.reply.code, 'HTTP 202');
    assert.match(asked.reply.message ?? '', /202 came with no answer to it/);
  });

  it('answers with a status that HTTP does not have', async () => {
    const { asked } = await askTwice(socket => socket.end(reply('{}', '999 Odd', JSON_TYPE)));
    assert.equal(asked.reply.code, 'HTTP 999');
    assert.match(asked.reply.message ?? '', /'999 Odd' came, which is not an HTTP response/);
  });

  it('hangs before its answer, after its head, and in a stream', async () => {
    for (const start of [
      '',
      'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n',
      `${EVENTS}: hello\n\n`,
    ]) {
      const { asked } = await askTwice(socket => void socket.write(start), { idle: 1500 });
      assert.equal(asked.reply.code, 'TIMEOUT');
      assert.match(asked.reply.message ?? '', /1500 ms|1\.5 s/);
    }
  });

  it('drops the connection before its answer, in the middle of it, and at the end of a stream without it', async () => {
    const before = await askTwice(socket => socket.destroy());
    assert.equal(before.asked.reply.code, 'ECONNRESET');
    const middle = await askTwice(socket => {
      socket.write(
        'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"jsonrpc"',
      );
      setTimeout(() => socket.destroy(), 30);
    });
    assert.deepEqual([middle.asked.reply.status, middle.asked.reply.text], ['incomplete', '{"jsonrpc"']);
    assert.match(
      middle.asked.reply.message ?? '',
      /the connection was lost; the received part is stored, send again for the rest$/,
    );
    const stream = await askTwice(socket => socket.end(`${EVENTS}: nothing\n\n`));
    assert.deepEqual([stream.asked.reply.status, stream.asked.reply.text], ['error', ': nothing\n\n']);
    assert.match(stream.asked.reply.message ?? '', /no answer came: 'it ended its reply before the answer'/);
  });

  it('sends more than is read', async () => {
    const { asked } = await askTwice(
      socket =>
        socket.end(reply(`{"jsonrpc":"2.0","id":1,"result":"${'x'.repeat(5_000)}"}`, '200 OK', JSON_TYPE)),
      { maxBytes: 4_000 },
    );
    assert.equal(asked.reply.code, 'TOO_LONG');
  });

  it('cuts its stream at every byte, ends lines as it likes and adds comments: the answer is read to the letter', async () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const data = '{"jsonrpc":"2.0","id":ID,"result":{"é":1.0}}';
      const agent = await startServer((socket, id) => {
        const body = [
          EVENTS,
          ': hi',
          end,
          end,
          'event: message',
          end,
          `data: ${data.replace('ID', id)}`,
          end,
          end,
        ];
        socket.setNoDelay(true);
        const bytes = Buffer.from(body.join(''));
        let at = 0;
        const next = (): void => {
          if (at === bytes.length) socket.end();
          else socket.write(bytes.subarray(at, ++at), () => setImmediate(next));
        };
        next();
      });
      const { reply: answer } = await ask(connect(mcpAt(`${agent.origin}/`)), rpc('x/y'));
      assert.deepEqual(answer, { status: 'ok', isProtocol: true, text: data.replace('ID', '1') });
      await closeAll();
    }
  });
});

/** Asks a program, with short limits. */
function askProgram(agent: ResolvedAgent, limits: Parameters<typeof connect>[1] = {}): Promise<Asked> {
  return ask(connect(agent, limits), call('a'));
}

/** The id of the process that a connection runs, as its head tells. */
async function findPid(connection: Connection, wireText: string): Promise<number> {
  let pid = 0;
  await connection.send(
    { wireText },
    {
      head: (_, __, facts) => void (pid = Number(facts.find(({ name }) => name === 'pid')?.value)),
      bytes: () => undefined,
      note: () => undefined,
      progress: () => undefined,
    },
    new AbortController().signal,
  );
  return pid;
}

const ANSWER = `say({ id: message.id, result: { ok: true } });`;

describe('a bad MCP server that is a process', () => {
  afterEach(closeAll);

  it('is not there, or ends at once', async () => {
    const missing = await askProgram(mcpProgram([], { command: 'no-such-command-here' }));
    assert.deepEqual(reported(missing), {
      status: 'error',
      code: 'ENOENT',
      message: `Tried to start 'no-such-command-here', but there is no command 'no-such-command-here'; install it or correct the agent's 'command'`,
    });
    const ended = await askProgram(mcpProgram(['-e', 'throw new TypeError("bad start")']));
    assert.deepEqual([ended.reply.status, ended.reply.code], ['error', 'EXIT 1']);
    assert.match(ended.reply.message ?? '', /its error output says 'TypeError: bad start'/);
  });

  it('says nothing to what it does not know, or ends at it: both are old, and work', async () => {
    const PRELUDE = `const say = m => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...m }) + '\\n');
      require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
        const { id, method } = JSON.parse(line);
        if (method === 'initialize') say({ id, result: { protocolVersion: '2024-11-05', capabilities: {}, serverInfo: { name: 'old', version: '1' } } });
        else if (method === 'tools/call') say({ id, result: { ok: true } });
        else if (method === 'server/discover') UNKNOWN
      });`;
    const silent = await askProgram(mcpProgram(['-e', PRELUDE.replace('UNKNOWN', '{}')]), { probe: 100 });
    assert.deepEqual([silent.reply.status, silent.notes], ['ok', []]);
    const ending = await askProgram(mcpProgram(['-e', PRELUDE.replace('UNKNOWN', 'process.exit(3);')]));
    assert.equal(ending.reply.status, 'ok');
    assert.equal(ending.notes.length, 1);
    assert.match(
      ending.notes[0] ?? '',
      /ended with exit code 3.* The agent was restarted and contacted with an older version of MCP$/,
    );
  });

  it('writes logs to its output: they are recorded and noted', async () => {
    const asked = await askProgram(mcpScript(`on(message => { raw('[INFO] hi\\n{"a":1}\\n'); ${ANSWER} });`));
    assert.equal(asked.reply.status, 'ok');
    assert.ok(asked.came.includes('[INFO] hi\n{"a":1}\n'));
    assert.deepEqual(asked.notes, [
      "The agent wrote text to its output that is not a valid JSON-RPC message, beginning '[INFO] hi'; logs belong to its error output",
      `The agent wrote text to its output that is not a valid JSON-RPC message, beginning '{"a":1}'; logs belong to its error output`,
    ]);
  });

  it('answers another request, and answers twice', async () => {
    const wrong = await askProgram(mcpScript(`on(message => say({ id: 77, result: {} }));`), {
      idle: 1_000,
    });
    assert.equal(wrong.reply.code, 'TIMEOUT');
    assert.deepEqual(wrong.notes, [`The agent answered a request that was not sent (id '77')`]);
    const twice = await askProgram(mcpScript(`on(message => { ${ANSWER} ${ANSWER} });`));
    assert.equal(twice.reply.status, 'ok');
  });

  it('ends in the middle of a call, and closes its input', async () => {
    const ended = await askProgram(mcpScript(`on(message => { { raw('{"jsonrpc"'); process.exit(7); } });`));
    assert.deepEqual([ended.reply.status, ended.reply.code], ['error', 'EXIT 7']);
    assert.ok(ended.came.endsWith('{"jsonrpc"'));
    assert.match(
      ended.reply.message ?? '',
      /a part of a message came, then the process ended with exit code 7/,
    );
  });

  it('closes its input and lives on: the next call fails with a message, and the one after gets a new process', async () => {
    const closed = connect(
      mcpScript(`on(message => {
        ${ANSWER}
        process.stdin.destroy();
        setTimeout(() => require('node:fs').closeSync(0));
        setInterval(() => undefined, 1000);
      });`),
      { untilExit: 100 },
    );
    assert.equal((await ask(closed, call('a'))).reply.status, 'ok');
    // It takes a moment for its end of the line to close; till then the system takes what is sent.
    await new Promise(resolve => setTimeout(resolve, 200));
    const next = await ask(closed, call('b'));
    assert.deepEqual([next.reply.status, next.reply.code], ['error', 'EPIPE']);
    const last = await ask(closed, call('c'));
    assert.equal(last.reply.status, 'ok');
    assert.deepEqual(last.notes, ['The connection to the agent had ended, so Parley reconnected']);
  });

  it('writes without an end, and floods its error output', async () => {
    const endless = await askProgram(
      mcpScript(`on(message => { setInterval(() => raw('x'.repeat(1000)), 1); });`),
      { maxBytes: 20_000 },
    );
    assert.equal(endless.reply.code, 'TOO_LONG');
    const flood = await askProgram(
      mcpScript(
        `on(message => { process.stderr.write('y'.repeat(100_000), () => setTimeout(() => { ${ANSWER} }, 200)); });`,
      ),
      { maxBytes: 5_000 },
    );
    assert.equal(flood.reply.status, 'ok');
    assert.equal(flood.stderr, 'y'.repeat(5_000));
    assert.deepEqual(flood.notes, [
      'The agent writes more to its error output than is recorded; the rest is left out',
    ]);
  });

  it('answers with what is not an object, which JSON-RPC of MCP forbids: it is shown all the same', async () => {
    const asked = await askProgram(mcpScript(`on(message => say({ id: message.id, result: 'text' }));`));
    assert.deepEqual(asked.reply, {
      status: 'ok',
      isProtocol: true,
      text: '{"jsonrpc":"2.0","id":1,"result":"text"}',
    });
    assert.deepEqual(asked.notes, ['The official client rejects this response; it is shown as received']);
  });

  it('writes what is not UTF-8', async () => {
    const asked = await askProgram(
      mcpScript(
        `on(message => process.stdout.write(Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":' + message.id + ',"result":{"x":"'), Buffer.from([0xff]), Buffer.from('"}}\\n')])));`,
      ),
    );
    assert.equal(asked.reply.text, '{"jsonrpc":"2.0","id":1,"result":{"x":"\ufffd"}}');
    assert.deepEqual(asked.notes, ['The reply is not UTF-8; invalid bytes are shown as U+FFFD']);
  });

  it('ignores the end of its input and SIGTERM: it is gone when the connection is closed', async () => {
    const connection = connect(
      mcpScript(
        `process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1000); on(message => { ${ANSWER} });`,
      ),
    );
    const pid = await findPid(connection, call('a'));
    assert.ok(isAlive(pid));
    await connection.close();
    assert.ok(!isAlive(pid));
  });

  it('never gets ready: the call is given up, and its process ends', async () => {
    const connection = connect(
      mcpProgram(['-e', 'process.stderr.write(String(process.pid)); setInterval(() => undefined, 1000)']),
      { idle: 2_500, probe: 100 },
    );
    const asked = await ask(connection, call('a'));
    assert.equal(asked.reply.code, 'TIMEOUT');
    const pid = Number(asked.stderr);
    assert.ok(pid > 0);
    await until('it is gone', () => !isAlive(pid));
  });

  it('takes its time to get ready: a call that waits for it too goes on when the first is stopped', async () => {
    const connection = connect(mcpProgram(['-e', `setTimeout(() => { ${LATE} }, 300);`]));
    const stop = new AbortController();
    const first = ask(connection, call('a'), { signal: stop.signal });
    const second = ask(connection, call('b'));
    setTimeout(() => stop.abort(), 100);
    assert.equal((await first).reply.status, 'cancelled');
    assert.equal((await second).reply.status, 'ok');
  });
});

/** A server of few words, for one that starts late. */
const LATE = `
  const say = m => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...m }) + '\\n');
  require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
    const { id, method } = JSON.parse(line);
    if (method === 'server/discover') say({ id, error: { code: -32601, message: 'no' } });
    else if (method === 'initialize') say({ id, result: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'late', version: '1' } } });
    else if (id !== undefined) say({ id, result: { ok: true } });
  });`;
