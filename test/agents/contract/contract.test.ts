import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { afterEach, describe, it } from 'mocha';
import type { Reply } from '../../../agents/connection.ts';
import { closeRawAgents, reply, startRawAgent, until } from '../support/raw-agent.ts';
import { agentAt, connectTo, sendTo } from '../support/send.ts';

/** Replies as real servers wrote them, or written by hand after the documents; each with all that comes of it. */
interface Exchange {
  readonly name: string;
  readonly protocol: 'aicf' | 'aicl';
  readonly request: string;
  readonly body: string;
  readonly status?: string;
  readonly type?: string;
  readonly reply: Omit<Reply, 'text'>;
  readonly notes?: readonly string[];
}

const HTML = 'text/html; charset=utf-8';
const REQUEST = '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]:[s:task_request]]';
const RESULT =
  '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]:[s:result],[s:data]:[s:a\\u005Db]]';
const OK = { status: 'ok', isProtocol: true } as const;

const EXCHANGES: readonly Exchange[] = [
  { name: 'a list of tools', protocol: 'aicf', request: 'LIST', body: 'TOOLS|echo|boom|str', reply: OK },
  {
    name: 'a malformed request, typed as HTML',
    protocol: 'aicf',
    request: 'list',
    status: '400 Bad Request',
    type: HTML,
    body: 'ERR|400|Invalid AICF request format',
    reply: { status: 'error', isProtocol: true, code: '400', message: 'Invalid AICF request format' },
  },
  {
    name: 'data with an escaped delimiter',
    protocol: 'aicf',
    request: 'CALL|echo|a\\|b|c',
    body: 'OK|{"success":true,"data":{"a":"a\\|b","b":"c"}}',
    reply: OK,
  },
  {
    name: 'an error with escapes',
    protocol: 'aicf',
    request: 'CALL|boom',
    body: 'ERR|500|kaput \\| pipe\\nline2',
    reply: { status: 'error', isProtocol: true, code: '500', message: 'kaput | pipe\nline2' },
  },
  {
    name: 'success:false inside of OK',
    protocol: 'aicf',
    request: 'CALL|boom',
    body: 'OK|{"success":false,"error":"no such file"}',
    reply: { status: 'error', isProtocol: true, message: 'no such file' },
  },
  {
    name: 'data that is not escaped',
    protocol: 'aicf',
    request: 'CALL|echo',
    body: 'OK|{"path":"a\\nb"}',
    reply: OK,
    notes: ['This server does not escape its data; it was read unchanged'],
  },
  {
    name: 'lines that belong to the data',
    protocol: 'aicf',
    request: 'CALL|read',
    body: 'OK|# Title\n\nTEXT|more\n',
    reply: OK,
    notes: ['A line without a command was read as part of the data before it'],
  },
  {
    name: 'a stream without END',
    protocol: 'aicf',
    request: 'CALL|read',
    body: 'STREAM|a\nSTREAM|b\n',
    reply: OK,
    notes: ['The stream has no END; its data may be incomplete'],
  },
  {
    name: 'a stream that fails',
    protocol: 'aicf',
    request: 'CALL|read',
    body: 'STREAM|a\nERR|500|broken\n',
    reply: { status: 'error', isProtocol: true, code: '500', message: 'broken' },
  },
  { name: 'a result', protocol: 'aicl', request: REQUEST, body: RESULT, reply: OK },
  { name: 'two results', protocol: 'aicl', request: REQUEST, body: `${RESULT}\n${RESULT}\n`, reply: OK },
  {
    name: 'an error message',
    protocol: 'aicl',
    request: REQUEST,
    body: "[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]:[s:error],[s:code]:[i:2001],[s:reason]:[s:MISSING_REQUIRED_FIELD],[s:detail]:[s:Field 'task' required]]",
    reply: {
      status: 'error',
      isProtocol: true,
      code: '2001',
      message: "MISSING_REQUIRED_FIELD: Field 'task' required",
    },
  },
  {
    name: 'an error message without a reason',
    protocol: 'aicl',
    request: REQUEST,
    body: '[d:[s:msg_type]:[s:error],[s:code]:[i:3001]]',
    reply: {
      status: 'error',
      isProtocol: true,
      code: '3001',
      message: 'The requested tool is not available.',
    },
  },
  {
    name: 'talk around a message',
    protocol: 'aicl',
    request: REQUEST,
    body: `Sure, here it is: ${RESULT}`,
    reply: OK,
    notes: ['The reply holds text outside of its messages, which AICL forbids'],
  },
  {
    name: 'a bracket in a text as it is, and a last bracket that is missing',
    protocol: 'aicl',
    request: REQUEST,
    body: `${RESULT.replace(/\[s:[^\]]*\]\]$/, '[s:see [1] there]]')}\n${RESULT.slice(0, -1)}`,
    reply: OK,
    notes: [
      "Message 1 of the reply is not valid AICL: A bracket in a text is written '\\u005D': a receiver ends the text at this ']'",
      "Message 2 of the reply is not valid AICL: A closing ']' is missing before the message ends here",
    ],
  },
  {
    name: 'a message that is not closed',
    protocol: 'aicl',
    request: REQUEST,
    body: `${RESULT}[d:[s:protocol]:[s:Light`,
    reply: {
      status: 'incomplete',
      isProtocol: true,
      message:
        'The reply ended before the last of its messages was closed; the received part is stored, send again for the rest',
    },
  },
];

describe('a connection keeps its contract', () => {
  afterEach(closeRawAgents);

  for (const exchange of EXCHANGES) {
    it(`${exchange.protocol}: ${exchange.name}`, async () => {
      const agent = await startRawAgent(
        socket => void socket.end(reply(exchange.body, exchange.status, exchange.type)),
      );
      const connection = connectTo(agentAt(exchange.protocol, `${agent.origin}/aip/v1/aicf`));
      const sent = await sendTo(connection, exchange.request);
      assert.deepEqual(sent.reply, { ...exchange.reply, text: exchange.body });
      assert.deepEqual(sent.observed, [
        `out head: POST ${agent.origin}/aip/v1/aicf`,
        `out: ${exchange.request}`,
        `in head: ${exchange.status ?? '200 OK'}`,
        `in: ${exchange.body}`,
        ...(exchange.notes ?? []).map(note => `note: ${note}`),
      ]);
      await until('the connection is closed', () => agent.countSockets() === 0);
    });
  }

  it('sends the text as it is, as UTF-8, and asks for no compression', async () => {
    const agent = await startRawAgent(socket => void socket.end(reply('OK')));
    const headers = new Map([['X-API-Key', 'k']]);
    await sendTo(
      connectTo(agentAt('aicf', `${agent.origin}/aip/v1/aicf?x=1`, { headers })),
      'CALL|echo|ünï 中',
    );
    assert.deepEqual(agent.requests, [
      [
        'POST /aip/v1/aicf?x=1 HTTP/1.1',
        'accept: text/plain, */*;q=0.5',
        'accept-encoding: identity',
        'user-agent: parley',
        'content-type: text/plain',
        'x-api-key: k',
        'content-length: 19',
        `Host: 127.0.0.1:${agent.port}`,
        'Connection: keep-alive',
        '',
        Buffer.from('CALL|echo|ünï 中').toString('latin1'),
      ].join('\r\n'),
    ]);
  });

  it('shows a stream while it comes and ends with END although the line stays open', async () => {
    let received = 0;
    const agent = await startRawAgent(async socket => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n');
      await writeOneByOne(socket, ['STREAM|1\n', 'STREAM| 2\n', 'END\n'], () => received);
    });
    const sent = await sendTo(connectTo(agentAt('aicf', agent.origin)), 'CALL|slow', {
      onBody: count => void (received = count),
    });
    assert.deepEqual(sent.reply, { status: 'ok', isProtocol: true, text: 'STREAM|1\nSTREAM| 2\nEND\n' });
    assert.deepEqual(sent.progress, ['STREAM|1\n', 'STREAM| 2\n', 'END\n']);
    await until('the connection is closed', () => agent.countSockets() === 0);
  });

  it('notes once for an agent that a bracket goes out as six letters', async () => {
    const agent = await startRawAgent(socket => void socket.end(reply(RESULT)));
    const connection = connectTo(agentAt('aicl', agent.origin));
    const request = REQUEST.replace(/\[s:([^\]]*)\]\]$/, '[s:$1 [1\\u005D]]');
    assert.notEqual(request, REQUEST);
    const notes: (readonly string[])[] = [];
    for (const text of [REQUEST, request, request])
      notes.push((await sendTo(connection, text)).observed.filter(observed => observed.startsWith('note')));
    const note =
      'note: A text of the message holds a bracket, which is sent as \\u005D: an agent that follows only the LightAICL whitepaper shows these six characters. This note appears once per agent';
    assert.deepEqual(notes, [[], [note], []]);
  });

  it('shows messages one by one as they close', async () => {
    let received = 0;
    const agent = await startRawAgent(async socket => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const pieces = [RESULT.slice(0, 50), RESULT.slice(50), `\n${RESULT.slice(0, -1)}`, ']'];
      await writeOneByOne(socket, pieces, () => received);
      socket.end();
    });
    const sent = await sendTo(connectTo(agentAt('aicl', agent.origin)), REQUEST, {
      onBody: count => void (received = count),
    });
    assert.deepEqual(sent.reply, { status: 'ok', isProtocol: true, text: `${RESULT}\n${RESULT}` });
    assert.deepEqual(sent.progress, [RESULT, `\n${RESULT}`]);
  });
});

/** Writes each piece (ASCII) when the client has the one before, so that none of them arrive as one. */
async function writeOneByOne(
  socket: Socket,
  pieces: readonly string[],
  countReceived: () => number,
): Promise<void> {
  let written = 0;
  for (const piece of pieces) {
    socket.write(piece);
    written += piece.length;
    await until('the piece came', () => countReceived() === written);
  }
}
