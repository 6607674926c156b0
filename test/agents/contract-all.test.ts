import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { afterEach, describe, it } from 'mocha';
import { connectAgent } from '../../agents/src/connect.ts';
import type { Connection, Reply } from '../../agents/src/connection.ts';
import { fetchTools } from '../../agents/src/offer/fetch-tools.ts';
import type { StdioMode } from '../../agents/src/config/agent-config.ts';
import { protocolRow, type StdioProtocolName } from '../../protocol/src/catalog/protocols.ts';
import { closeRawAgents, reply, startRawAgent, until } from './support/raw-agent.ts';
import { agentAt, sendTo, type Sent } from './support/send.ts';
import { isAlive, scriptAgent } from './support/stdio-agent.ts';

/** A request, and what comes of it. The agents answer by hand-written bytes and know nothing of Parley. */
interface Exchange {
  readonly request: string;
  readonly answer: string;
}

/** How one kind of agent is asked and answers. */
interface Row {
  readonly name: string;
  /** How it is asked for its tools, where its protocol has a word for that. */
  readonly list?: Exchange;
  readonly call: Exchange;
  readonly failure: Exchange & { readonly code: string; readonly message: string };
  /** A reply that comes in pieces, where the protocol has such. */
  readonly stream?: { readonly request: string; readonly pieces: readonly string[] };
  /** A request that is never answered, and one at which a process ends. */
  readonly hang: string;
  readonly die: string;
  /** What the agent is asked before, by a part of the question, and its answers; what it then is to us. */
  readonly greeting?: {
    readonly answers: readonly (readonly [holds: string, answer: string])[];
    readonly peer: Connection['peer'];
  };
  readonly open: (row: Row) => Promise<OpenAgent>;
}

/** An agent that runs, or will at the first request. */
interface OpenAgent {
  readonly connection: Connection;
  /** What of it is there: sockets, processes. */
  countOpen(): number;
  /** It ends without a word. */
  leave(): Promise<void>;
}

const open = new Set<Connection>();

function listAnswers({ list, call, failure, greeting }: Row): readonly (readonly [string, string])[] {
  const own = [list, call, failure].flatMap(exchange =>
    exchange ? [[partOf(exchange.request), exchange.answer] as const] : [],
  );
  return [...(greeting?.answers ?? []), ...own];
}

/** What of a request the agents know it by: ids and traces are the connection's. */
function partOf(request: string): string {
  const said = /"(?:name|text|input)":"[^"]*"/.exec(request)?.[0];
  return said ?? /"method":"(?:agent::)?([^"]*)"/.exec(request)?.[1] ?? request;
}

function idOf(body: string): string {
  return /"id":("[^"]*"|\d+)/.exec(body)?.[1] ?? '1';
}

/** A reply of which the request's id is `ID`, as in the answers of agents that must name it. */
function withoutId(text: string, answer: string): string {
  return answer.includes('"id":ID')
    ? text.replaceAll(/"jsonrpc":"2\.0","id":(?:"[^"]*"|\d+)/g, '"jsonrpc":"2.0","id":ID')
    : text;
}

/** An agent over HTTP. What it answers with nothing is answered by an empty body. */
function overHttp(protocol: Connection['protocol']): Row['open'] {
  return async row => {
    const answers = listAnswers(row);
    const agent = await startRawAgent(async (socket, index) => {
      const request = agent.requests[index] ?? '';
      const body = request.replace(/^[^]*?\r\n\r\n/, '');
      const found = answers.find(([part]) => (body === '' ? request : body).includes(part));
      const answer = found?.[1].replaceAll('ORIGIN', agent.origin).replace('"id":ID', `"id":${idOf(body)}`);
      if (answer === '') socket.end(reply('', '202 Accepted'));
      else if (answer !== undefined) socket.end(reply(answer, '200 OK', typeOf(answer)));
      else if (row.stream && body.includes(partOf(row.stream.request)))
        await writePieces(
          socket,
          row.stream.pieces.map(piece => piece.replace('"id":ID', `"id":${idOf(body)}`)),
        );
      else if (request.startsWith('GET ')) socket.end(reply('', '405 Method Not Allowed'));
    });
    const connection = connectAgent(agentAt(protocol, agent.origin));
    open.add(connection);
    return { connection, countOpen: () => agent.countSockets(), leave: () => agent.close() };
  };
}

function typeOf(answer: string): string {
  if (/^(?:data|event):/.test(answer)) return 'text/event-stream';
  return answer.startsWith('{') ? 'application/json' : 'text/plain';
}

async function writePieces(socket: Socket, pieces: readonly string[]): Promise<void> {
  socket.write(`HTTP/1.1 200 OK\r\nContent-Type: ${typeOf(pieces.join(''))}\r\n\r\n`);
  for (const piece of pieces) {
    socket.write(piece);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  socket.end();
}

/** An agent that is a process. It tells its id to its error output. */
function asProcess(protocol: StdioProtocolName, mode?: StdioMode): Row['open'] {
  return row => {
    const pieces = row.stream?.pieces ?? [];
    const streamed = row.stream ? partOf(row.stream.request) : '';
    const answer = `const answers = ${JSON.stringify(listAnswers(row))}; const pieces = ${JSON.stringify(pieces)};
      const act = text => {
        warn('pid ' + process.pid + '\\n');
        if (text.includes(${JSON.stringify(partOf(row.die))})) process.exit(3);
        const found = answers.find(([part]) => text.includes(part));
        const id = /"id":("[^"]*"|\\d+)/.exec(text)?.[1];
        if (found && found[1] !== '') say(found[1].replace('"id":ID', '"id":' + id) + '\\n');
        else if (found) return;
        else if (${JSON.stringify(streamed)} !== '' && text.includes(${JSON.stringify(streamed)}))
          pieces.forEach((piece, index) => setTimeout(() => say(piece), 20 * index));
        else setInterval(() => undefined, 1000);
      };`;
    const reading = `let all = ''; process.stdin.on('data', piece => (all += piece)).on('end', () => act(all));`;
    const script = mode === 'one-shot' ? answer + reading : `${answer} on(act);`;
    const connection = connectAgent(scriptAgent(script, { protocol, ...(mode ? { mode } : {}) }));
    open.add(connection);
    return Promise.resolve({
      connection,
      countOpen: () => pids.filter(isAlive).length,
      leave: () => Promise.resolve(),
    });
  };
}

/** The processes of a test. */
const pids: number[] = [];

function keepPids({ heard }: Sent): void {
  for (const line of heard)
    if (line.startsWith('stderr: ')) pids.push(...(line.match(/\d+/g) ?? []).map(Number));
}

const HEAD = '[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]:';
const ask = (task: string): string => `[d:${HEAD}[s:task_request],[s:task]:[s:${task}],[s:constraints]:[d:]]`;
const said = (data: string, more = ''): string => `[d:${HEAD}[s:result],[s:data]:${data}${more}]`;

const AICL = {
  list: { request: ask('tools'), answer: said('[l:[s:echo]]') },
  call: { request: ask('echo'), answer: said('[s:a\\]b]') },
  failure: {
    request: ask('fail'),
    answer: `[d:${HEAD}[s:error],[s:code]:[i:5000],[s:reason]:[s:TOOL_FAILED]]`,
    code: '5000',
    message: 'TOOL_FAILED',
  },
  stream: {
    request: ask('count'),
    pieces: ['1', '2'].map(k =>
      said(`[s:${k}]`, `,[s:stream_id]:[s:x_${k}/2],[s:is_final]:[b:${String(k === '2')}]`),
    ),
  },
  hang: ask('hang'),
  die: ask('die'),
} as const;

const rpc = (method: string): string => `{"jsonrpc":"2.0","id":1,"method":"${method}"}`;
const ERROR = '{"jsonrpc":"2.0","error":{"code":-32602,"message":"no such file"}}';

const AIO = {
  list: { request: rpc('agent::list'), answer: '{"result":{"tools":[]}}' },
  call: { request: rpc('agent::echo'), answer: '{"output":{"type":"text","value":"hi"}}' },
  failure: { request: rpc('agent::fail'), answer: ERROR, code: '-32602', message: 'no such file' },
  hang: rpc('agent::hang'),
  die: rpc('agent::die'),
  greeting: {
    answers: [['::help', '{"result":{"type":"stdio","name":"worker"}}']],
    peer: { name: 'worker', capabilities: ['stdio'] },
  },
} as const;

const of = (frame: string): string => `{"jsonrpc":"2.0","id":ID,${frame}}`;
const tool = (name: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":{}}}`;
const NO_METHOD = of('"error":{"code":-32601,"message":"Method not found"}');

const MCP = {
  list: { request: rpc('tools/list'), answer: of('"result":{"tools":[{"name":"echo"}]}') },
  call: { request: tool('echo'), answer: of('"result":{"content":[{"type":"text","text":"hi"}]}') },
  failure: {
    request: tool('fail'),
    answer: of('"error":{"code":-32602,"message":"no such file"}'),
    code: '-32602',
    message: 'no such file',
  },
  hang: tool('hang'),
  die: tool('die'),
  greeting: {
    answers: [
      ['server/discover', NO_METHOD],
      [
        '"initialize"',
        of(
          '"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"probe","version":"2"}}',
        ),
      ],
      ['notifications/', ''],
    ],
    peer: { version: '2025-06-18', name: 'probe 2', capabilities: [] },
  },
} as const;

const userSays = (text: string): string =>
  `{"input":[{"role":"user","type":"message","content":[{"type":"text","text":"${text}"}]}]}`;
const run = (status: string, more = ''): string =>
  `data: {"object":"response","status":"${status}","id":"r"${more}}\n\n`;
const delta = (text: string): string =>
  `data: {"object":"content","type":"text","index":0,"delta":true,"msg_id":"m","status":"in_progress","text":"${text}"}\n\n`;

const named = (type: string, more: string): string =>
  `event: response.${type}\ndata: {"type":"response.${type}",${more}}\n\n`;
const textDelta = (text: string): string =>
  named('output_text.delta', `"item_id":"m","output_index":0,"content_index":0,"delta":"${text}"`);
const tell = (text: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"message/stream","params":{"message":{"kind":"message","messageId":"m","role":"user","parts":[{"kind":"text","text":"${text}"}]}}}`;
const artifact = (text: string): string =>
  `data: ${of(`"result":{"kind":"artifact-update","taskId":"t","contextId":"c","append":true,"artifact":{"artifactId":"a","parts":[{"kind":"text","text":"${text}"}]}}`)}\n\n`;

const ROWS: readonly Row[] = [
  { name: 'MCP over HTTP', ...MCP, open: overHttp('mcp') },
  { name: 'MCP over stdio', ...MCP, open: asProcess('mcp') },
  {
    name: 'Agent API over HTTP',
    call: { request: userSays('echo'), answer: run('completed', ',"output":[]') },
    failure: {
      request: userSays('fail'),
      answer: run('failed', ',"error":{"code":"500","message":"no such file"}'),
      code: '500',
      message: 'no such file',
    },
    stream: {
      request: userSays('count'),
      pieces: [run('created'), delta('1'), delta('2'), run('completed')],
    },
    hang: userSays('hang'),
    die: userSays('die'),
    open: overHttp('agent-api'),
  },
  {
    name: 'Responses over HTTP',
    call: {
      request: '{"input":"echo"}',
      answer: '{"id":"r","object":"response","status":"completed","output":[]}',
    },
    failure: {
      request: '{"input":"fail"}',
      answer:
        '{"id":"r","object":"response","status":"failed","error":{"code":"server_error","message":"no such model"},"output":[]}',
      code: 'server_error',
      message: 'no such model',
    },
    stream: {
      request: '{"input":"count"}',
      pieces: [
        named('created', '"response":{"id":"r","object":"response","status":"in_progress","output":[]}'),
        textDelta('1'),
        textDelta('2'),
        named('completed', '"response":{"id":"r","object":"response","status":"completed","output":[]}'),
      ],
    },
    hang: '{"input":"hang"}',
    die: '{"input":"die"}',
    open: overHttp('responses'),
  },
  {
    name: 'A2A over HTTP',
    call: {
      request: tell('echo'),
      answer: `data: ${of('"result":{"kind":"message","messageId":"n","role":"agent","parts":[{"kind":"text","text":"hi"}]}')}\n\n`,
    },
    failure: {
      request: tell('fail'),
      answer: of('"error":{"code":-32602,"message":"no such file"}'),
      code: '-32602',
      message: 'no such file',
    },
    stream: {
      request: tell('count'),
      pieces: [
        `data: ${of('"result":{"kind":"task","id":"t","contextId":"c","status":{"state":"working"}}')}\n\n`,
        artifact('1'),
        artifact('2'),
        `data: ${of('"result":{"kind":"status-update","taskId":"t","contextId":"c","status":{"state":"completed"},"final":true}')}\n\n`,
      ],
    },
    hang: tell('hang'),
    die: tell('die'),
    greeting: {
      answers: [
        [
          'agent-card.json',
          '{"protocolVersion":"0.3.0","name":"probe","description":"","url":"ORIGIN/","version":"2","capabilities":{"streaming":true},"skills":[],"defaultInputModes":["text"],"defaultOutputModes":["text"]}',
        ],
      ],
      peer: { version: '0.3', name: 'probe 2', capabilities: [] },
    },
    open: overHttp('a2a'),
  },

  {
    name: 'AICF over HTTP',
    list: { request: 'LIST', answer: 'TOOLS|echo' },
    call: { request: 'CALL|echo|a', answer: 'OK|{"a":1}' },
    failure: { request: 'CALL|fail', answer: 'ERR|500|broken', code: '500', message: 'broken' },
    stream: { request: 'CALL|count', pieces: ['STREAM|1\n', 'STREAM|2\n', 'END\n'] },
    hang: 'CALL|hang',
    die: 'CALL|die',
    open: overHttp('aicf'),
  },
  { name: 'AICL over HTTP', ...AICL, open: overHttp('aicl') },
  { name: 'AICL over stdio', ...AICL, open: asProcess('aicl') },
  {
    name: 'JSON-RPC over HTTP',
    list: { request: rpc('aip.capabilities.list'), answer: '{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}' },
    call: { request: rpc('aip.tool.invoke'), answer: '{"jsonrpc":"2.0","id":1,"result":{"success":true}}' },
    failure: { request: rpc('aip.nope'), answer: ERROR, code: '-32602', message: 'no such file' },
    hang: rpc('hang'),
    die: rpc('die'),
    greeting: {
      answers: [
        [
          'aip.handshake',
          '{"jsonrpc":"2.0","id":"handshake","result":{"version":"1.0.0","server":{"name":"probe"}}}',
        ],
      ],
      peer: { version: '1.0.0', name: 'probe', capabilities: [] },
    },
    open: overHttp('json-rpc'),
  },
  { name: 'AIO over HTTP', ...AIO, open: overHttp('aio') },
  { name: 'AIO over stdio, by lines', ...AIO, open: asProcess('aio', 'lines') },
  { name: 'AIO over stdio, one process a request', ...AIO, open: asProcess('aio', 'one-shot') },
];

function plain(answer: Reply, expected: string): Reply {
  return { ...answer, text: withoutId(answer.text, expected) };
}

for (const row of ROWS)
  describe(`the contract: ${row.name}`, () => {
    afterEach(async () => {
      await Promise.all([...open].map(each => each.close()));
      open.clear();
      pids.length = 0;
      await closeRawAgents();
    });

    const send = async (
      { connection }: OpenAgent,
      request: string,
      options?: Parameters<typeof sendTo>[2],
    ): Promise<Sent> => {
      const sent = await sendTo(connection, request, options);
      keepPids(sent);
      return sent;
    };

    const works = async (agent: OpenAgent): Promise<void> => {
      const { reply: answer } = await send(agent, row.call.request);
      assert.deepEqual(plain(answer, row.call.answer), {
        status: 'ok',
        isProtocol: true,
        text: row.call.answer,
      });
    };

    it('connects at the first request, and knows who answers', async () => {
      const agent = await row.open(row);
      assert.deepEqual([agent.connection.peer, agent.countOpen()], [undefined, 0]);
      await works(agent);
      assert.deepEqual(agent.connection.peer, row.greeting?.peer);
    });

    const { list } = row;
    if (list)
      it('lists', async () => {
        const agent = await row.open(row);
        const { reply: listed } = await send(agent, list.request);
        assert.deepEqual(plain(listed, list.answer), { status: 'ok', isProtocol: true, text: list.answer });
      });
    else
      it('does not list, and says so without asking', async () => {
        const agent = await row.open(row);
        const deaf = { head() {}, bytes: () => assert.fail('it asked'), note() {}, progress() {} };
        const fetched = await fetchTools(agent.connection, {}, deaf, new AbortController().signal);
        const { title } = protocolRow(agent.connection.protocol);
        assert.deepEqual(fetched, { ok: false, reason: `Agents of ${title} do not list their tools` });
      });

    it('calls and fails', async () => {
      const agent = await row.open(row);
      await works(agent);
      const { reply: failed } = await send(agent, row.failure.request);
      const { answer: text, code, message } = row.failure;
      assert.deepEqual(plain(failed, row.failure.answer), {
        status: 'error',
        code,
        message,
        isProtocol: true,
        text,
      });
    });

    it('lets every byte be heard that went and came', async () => {
      const agent = await row.open(row);
      await works(agent);
      const { heard } = await send(agent, row.call.request);
      const words = heard.filter(line => !line.startsWith('stderr')).map(line => line.split(':')[0]);
      assert.deepEqual(
        words.filter(word => !word?.includes('head')),
        ['out', 'in'],
      );
      const [out, came] = heard.filter(line => /^(?:out|in): /.test(line));
      assert.ok(out?.includes(partOf(row.call.request)), out);
      assert.equal(
        withoutId(came?.slice('in: '.length) ?? '', row.call.answer).trimEnd(),
        row.call.answer.trimEnd(),
      );
    });

    const { stream } = row;
    if (stream)
      it('streams', async () => {
        const agent = await row.open(row);
        const { reply: answer, progress } = await send(agent, stream.request);
        assert.equal(answer.status, 'ok');
        assert.equal(
          withoutId(answer.text, stream.pieces.join('')).replaceAll('\n', ''),
          stream.pieces.join('').replaceAll('\n', ''),
        );
        assert.deepEqual(
          progress.map(piece => withoutId(piece, stream.pieces.join('')).trim()).filter(Boolean),
          stream.pieces.map(piece => piece.trim()),
        );
      });

    it('is cancelled, and goes on', async () => {
      const agent = await row.open(row);
      await works(agent);
      const stop = new AbortController();
      const sending = send(agent, row.hang, { signal: stop.signal });
      setTimeout(() => stop.abort(), 100);
      const { reply: answer } = await sending;
      assert.deepEqual([answer.status, answer.code, answer.text], ['cancelled', 'CANCELLED', '']);
      await works(agent);
    });

    it('times out, and goes on', async () => {
      const agent = await row.open(row);
      await works(agent);
      const { reply: answer } = await send(agent, row.hang, { timeout: 150 });
      assert.deepEqual([answer.status, answer.code, answer.text], ['error', 'TIMEOUT', '']);
      assert.match(
        answer.message ?? '',
        /^Tried .* within 150 ms; wait for the agent or raise its 'timeout'$/,
      );
      await works(agent);
    });

    it('closes: what is open ends, and nothing is left behind', async () => {
      const agent = await row.open(row);
      await works(agent);
      const sending = send(agent, row.hang);
      await new Promise(resolve => setTimeout(resolve, 100));
      await agent.connection.close();
      assert.equal((await sending).reply.status, 'cancelled');
      await until('nothing is left', () => agent.countOpen() === 0);
      assert.equal((await send(agent, row.call.request)).reply.status, 'cancelled');
      assert.equal(agent.countOpen(), 0);
    });

    it('finds its agent gone, and says so', async () => {
      const agent = await row.open(row);
      await works(agent);
      await agent.leave();
      const { reply: answer } = await send(agent, row.die);
      assert.equal(answer.status, 'error');
      assert.match(answer.code ?? '', /^(?:ECONNREFUSED|EXIT 3)$/);
      assert.match(answer.message ?? '', /^Tried .*(?:nothing listens|the process ended with exit code 3)/);
      // A process is started anew.
      if (answer.code === 'EXIT 3') await works(agent);
    });
  });
