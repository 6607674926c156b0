import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { afterEach, describe, it } from 'mocha';
import { askIn } from '../../../agents/converting/converting-connection.ts';
import type { ResolvedAgent } from '../../../agents/config/resolve-agent.ts';
import { KnownTools } from '../../../agents/capabilities/known-tools.ts';
import { closeRawAgents, reply, startRawAgent, until, type RawAgent } from '../support/raw-agent.ts';
import { ask, call, closeAll, connect, mcpAt, mcpProgram, mcpScript, rpc, type Asked } from './support.ts';

const EVENTS = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n';
const GREETED =
  '"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"x","version":"1"}}';

/** What a server answers to a method: the members beside `jsonrpc` and `id`, or bytes that it writes itself. */
type Answers = Readonly<Record<string, string | ((socket: Socket, id: string) => void)>>;

/** A server over HTTP that answers well but for what `answers` says. */
function startServer(answers: Answers): Promise<RawAgent> {
  const all: Answers = {
    'server/discover': '"error":{"code":-32601,"message":"no"}',
    initialize: GREETED,
    'x/y': '"result":{"ok":true}',
    listen: socket => socket.end(reply('', '405 Method Not Allowed')),
    ...answers,
  };
  const agent = startRawAgent(async (socket, index) => {
    const [head = '', body = ''] = (await agent).requests[index]?.split('\r\n\r\n') ?? [];
    const id = /"id":("[^"]*"|\d+)/.exec(body)?.[1] ?? 'null';
    const answer = all[/"method":"([^"]*)"/.exec(body)?.[1] ?? nameStream(head)] ?? '';
    if (typeof answer === 'function') answer(socket, id);
    else if (answer === '') socket.end(reply('', '202 Accepted'));
    else socket.end(reply(`{"jsonrpc":"2.0","id":${id},${answer}}`, '200 OK', 'application/json'));
  });
  return agent;
}

/** What a stream is asked for: what comes unasked, or the rest of one that broke off. */
function nameStream(head: string): string {
  if (!head.startsWith('GET ')) return '';
  return /^last-event-id: /im.test(head) ? 'resume' : 'listen';
}

async function askServer(answers: Answers, request = rpc('x/y')): Promise<Asked & { origin: string }> {
  const { origin } = await startServer(answers);
  return { ...(await ask(connect(mcpAt(`${origin}/`)), request)), origin };
}

/** The head of a stream that can break off, and a piece of it. */
const CHUNKED = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n';
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

/** Server-sent events, one for each text, and the end. */
function stream(...data: readonly string[]): string {
  return `${EVENTS}${data.map(text => `data: ${text}\n\n`).join('')}`;
}

const NAMELESS = '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Cannot read this"}}';

const TWICE =
  "The agent answered a request twice (id '1'): the first answer counts, the other is in the raw reply";

describe('wrong answers of an MCP server are reported', () => {
  afterEach(closeAll);
  afterEach(closeRawAgents);

  it('two answers to one request: the first counts', async () => {
    const both = (id: string): [string, string] => [
      `{"jsonrpc":"2.0","id":${id},"result":{"a":1}}`,
      `{"jsonrpc":"2.0","id":${id},"result":{"a":2}}`,
    ];
    const streamed = await askServer({ 'x/y': (socket, id) => socket.end(stream(...both(id))) });
    assert.deepEqual([streamed.reply.text, streamed.notes], [both('1')[0], [TWICE]]);
    const listed = await askServer({
      'x/y': (socket, id) => socket.end(reply(`[${both(id).join()}]`, '200 OK', 'application/json')),
    });
    assert.deepEqual([listed.reply.text, listed.notes], [`[${both('1').join()}]`, [TWICE]]);
    const program = await ask(
      connect(
        mcpScript('on(({ id }) => { say({ id, result: { a: 1 } }); say({ id, result: { a: 2 } }); });'),
      ),
      call('a'),
    );
    // The other may come when the call has ended.
    await until('the other answer is told', () => program.notes.length > 0);
    assert.deepEqual([program.reply.text, program.notes], [both('1')[0], [TWICE]]);
  });

  it('an error that names no request answers the one that waits', async () => {
    const reported = {
      status: 'error',
      code: '-32600',
      message: 'Cannot read this',
      text: NAMELESS,
    } as const;
    const note = (method: string): string =>
      `The agent sent an error without a request id; it is treated as the answer to '${method}'`;
    const plain = (socket: Socket): unknown => socket.end(reply(NAMELESS, '200 OK', 'application/json'));
    const streamed = (socket: Socket): unknown => socket.end(stream(NAMELESS));
    for (const bad of [plain, streamed])
      for (const method of ['x/y', 'initialize']) {
        const asked = await askServer({ [method]: bad });
        assert.deepEqual(asked.reply, { ...reported, isProtocol: true });
        assert.deepEqual(asked.notes, [note(method)]);
      }
    for (const bad of [plain, streamed]) {
      const asked = await askServer({ 'server/discover': bad });
      assert.deepEqual([asked.reply.status, asked.notes], ['ok', [note('server/discover')]]);
    }
    const program = await ask(connect(mcpScript(`on(() => raw('${NAMELESS}\\n'));`)), call('a'));
    assert.deepEqual(
      [program.reply, program.notes],
      [{ ...reported, isProtocol: true }, [note('tools/call')]],
    );
  });

  it('an error that names no request while several wait answers none', async () => {
    const connection = connect(
      mcpScript(`
        let first;
        on(({ id }) => {
          if (first === undefined) return void (first = id);
          raw('${NAMELESS}\\n');
          say({ id: first, result: {} });
          say({ id, result: {} });
        });`),
    );
    const both = await Promise.all([ask(connection, call('a')), ask(connection, call('b'))]);
    assert.deepEqual(
      both.map(({ reply: { status }, notes }) => [status, notes]),
      [
        ['ok', []],
        [
          'ok',
          [
            `The agent sent an error without a request id, so it is unknown which of 2 it is for: '${NAMELESS}'`,
          ],
        ],
      ],
    );
  });

  it('a stream that ends without the answer, also to what is asked before the call', async () => {
    const ends = (socket: Socket): unknown => socket.end(`${EVENTS}: hello\n\n`);
    const first = await askServer({ 'server/discover': ends });
    assert.deepEqual([first.reply.status, first.notes], ['ok', []]);
    const next = await askServer({ initialize: ends });
    assert.deepEqual(next.reply, {
      status: 'error',
      code: 'NO_ANSWER',
      message: `Tried POST ${next.origin}/, but no answer came: 'it ended its reply before the answer to initialize'; send again, and look at the agent's own log`,
      text: ': hello\n\n',
      isProtocol: false,
    });
  });

  /** The beginning of an answer, in a stream that says how long to wait for the rest of it: an hour. */
  const OPENED = 'retry: 3600000\nid: e1\ndata: \n\n';
  const open = (socket: Socket, then: () => void): unknown =>
    socket.write(`${CHUNKED}${chunk(OPENED)}`, then);

  it('a stream that breaks off with its server: it is not waited for', async () => {
    let close = (): unknown => undefined;
    const server = await startServer({ 'x/y': socket => open(socket, () => close()) });
    close = () => void server.close();
    const { reply: answer } = await ask(connect(mcpAt(`${server.origin}/`)), rpc('x/y'));
    assert.deepEqual(answer, {
      status: 'incomplete',
      code: 'ECONNRESET',
      message: `Tried POST ${server.origin}/: 200 OK and ${OPENED.length} bytes came, then the connection was lost; the received part is stored, send again for the rest`,
      text: OPENED,
      isProtocol: false,
    });
  });

  it('a stream that breaks off alone: the rest of it is asked for at once', async () => {
    let rest = '';
    const { reply: answer, notes } = await askServer({
      'x/y'(socket, id) {
        rest = `{"jsonrpc":"2.0","id":${id},"result":{"late":true}}`;
        open(socket, () => socket.destroy());
      },
      resume: socket => socket.end(stream(rest)),
    });
    assert.deepEqual([answer.status, answer.text, notes], ['ok', rest, []]);
  });

  it('a wait that no timer can take: the rest of the stream is not asked for at once', async () => {
    let resumed = 0;
    const server = await startServer({
      'x/y': socket => socket.end(`${CHUNKED}${chunk('retry: 99999999999\nid: e1\ndata: \n\n')}0\r\n\r\n`),
      resume: socket => void (resumed++, socket.end(stream())),
    });
    const asked = await ask(connect(mcpAt(`${server.origin}/`, { timeout: 300 })), rpc('x/y'));
    assert.deepEqual([asked.reply.code, resumed], ['TIMEOUT', 0]);
  });

  it('another stream that cannot be opened again takes nothing from an answer that still comes', async () => {
    let whole = '';
    let other: Socket | undefined;
    const server = await startServer({
      'x/y'(socket, id) {
        whole = `{"jsonrpc":"2.0","id":${id},"result":{"late":true}}`;
        socket.write(EVENTS);
        server.refuse();
        other?.destroy();
        // By then it was tried twice, and refused.
        setTimeout(() => socket.end(`data: ${whole}\n\n`), 300);
      },
      listen: socket => (other ??= socket).write(`${CHUNKED}${chunk('retry: 1\nid: e1\ndata: \n\n')}`),
    });
    const { reply: answer } = await ask(connect(mcpAt(`${server.origin}/`)), rpc('x/y'));
    assert.deepEqual([answer.status, answer.text, other?.destroyed], ['ok', whole, true]);
  });

  it('a schema that is nested deeper than functions call one another', async () => {
    const deep = (depth: number): string =>
      `${'{"type":"object","properties":{"a":'.repeat(depth)}{}${'}}'.repeat(depth)}`;
    const list = `"result":{"tools":[{"name":"a","inputSchema":${deep(3000)}}]}`;
    const asked = await askServer({ 'tools/list': list }, rpc('tools/list'));
    assert.deepEqual(asked.reply, {
      status: 'ok',
      text: `{"jsonrpc":"2.0","id":1,${list}}`,
      isProtocol: true,
    });
  });

  it('five thousand tools, of which two have one name: all of them count', async () => {
    const agent = mcpScript(`on(({ id }) => {
      const tools = Array.from({ length: 5000 }, (_, at) => ({ name: 't' + (at === 7 ? 3 : at), description: 'd' }));
      say({ id, result: { tools } });
    });`);
    const tools = new KnownTools();
    const notes: string[] = [];
    const quiet = (): void => undefined;
    const listener = {
      head: quiet,
      bytes: quiet,
      progress: quiet,
      note: (text: string) => void notes.push(text),
    };
    const fetched = await tools.refresh(connect(agent), {}, listener, new AbortController().signal);
    assert.deepEqual(
      [fetched.ok && fetched.tools.length, notes],
      [
        5000,
        ["the list of tools has 't3' more than once; which of them a call reaches is the agent's choice"],
      ],
    );
    const asked = await ask(
      askIn(connect(agent), { protocols: ALL_PROTOCOLS, language: 'aicf', tools, warningPolicy: 'send' }),
      'LIST',
    );
    assert.deepEqual(asked.notes, [
      'tools[0].description and 4999 others: A list of tools in AICF holds nothing but their names',
    ]);
  });

  const SPOKEN = '2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05, 2024-10-07';
  const GREETINGS: readonly (readonly [result: string, fault: string])[] = [
    ['"x"', "has no object as its 'result'"],
    ['{}', "has no 'protocolVersion'"],
    ['{"protocolVersion":3,"capabilities":{},"serverInfo":{}}', "has a 'protocolVersion' that is not a text"],
    [
      '{"protocolVersion":"2025-06-18","capabilities":[],"serverInfo":{}}',
      "has a 'capabilities' that is not an object",
    ],
    ['{"protocolVersion":"2025-06-18","capabilities":{}}', "has no 'serverInfo'"],
    [
      '{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"x"}}',
      "has no 'version' in its 'serverInfo'",
    ],
    [
      '{"protocolVersion":"1999-01-01","capabilities":{},"serverInfo":{"name":"x","version":"1"}}',
      `names the version '1999-01-01' of MCP, which Parley does not support (${SPOKEN})`,
    ],
  ];

  it('an answer to initialize that is none, in one sentence', async () => {
    for (const [result, fault] of GREETINGS) {
      const whole = `{"jsonrpc":"2.0","id":0,"result":${result}}`;
      const plain = await askServer({ initialize: `"result":${result}` });
      const streamed = await askServer({ initialize: socket => socket.end(stream(whole)) });
      for (const { reply: answer, origin, notes } of [plain, streamed])
        assert.deepEqual(
          [answer, notes],
          [
            {
              status: 'error',
              code: 'INVALID_ANSWER',
              message: `Tried POST ${origin}/: its answer to 'initialize' ${fault}; check that it is an MCP server, or update it`,
              text: whole,
              isProtocol: false,
            },
            [],
          ],
        );
    }
  });

  it('an answer to initialize that is none, of a process: that we end it then is not reported as its fault', async () => {
    for (const [result, fault] of GREETINGS) {
      const asked = await ask(connect(greeter(result)), rpc('x/y'));
      assert.equal(asked.reply.code, 'INVALID_ANSWER');
      assert.ok(
        asked.reply.message?.endsWith(
          `: its answer to 'initialize' ${fault}; check that it is an MCP server, or update it`,
        ),
        asked.reply.message,
      );
    }
  });
});

/** A program that answers `initialize` with a result and knows nothing else. */
function greeter(result: string): ResolvedAgent {
  return mcpProgram([
    '-e',
    `require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
      const { id, method } = JSON.parse(line);
      const answer = method === 'initialize' ? '"result":' + process.argv[1] : '"error":{"code":-32601,"message":"no"}';
      if (id !== undefined) process.stdout.write('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',' + answer + '}\\n');
    });`,
    result,
  ]);
}
