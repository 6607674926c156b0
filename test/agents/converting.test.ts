import { ALL_PROTOCOLS } from '../../protocols/all.ts';
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { askIn, type AskOptions } from '../../agents/converting/converting-connection.ts';
import { connectAgent } from '../../agents/all.ts';
import type { Sender } from '../../agents/connection.ts';
import { KnownTools } from '../../agents/capabilities/known-tools.ts';
import type { LanguageId } from '../../core/catalog/languages.ts';
import type { ProtocolName } from '../../core/catalog/protocols.ts';
import { closeRawAgents, reply, startRawAgent, until, type RawAgent } from './support/raw-agent.ts';
import { agentAt, sendTo, type Sent } from './support/send.ts';

/** Answers a body with bytes written by hand; undefined for nothing at all. */
type Answer = (body: string) => string | undefined;

async function serve(answer: Answer): Promise<RawAgent> {
  const agent: RawAgent = await startRawAgent((socket, index) => {
    const body = answer(bodiesOf(agent)[index] ?? '');
    if (body !== undefined) socket.end(reply(body));
  });
  return agent;
}

function bodiesOf(agent: RawAgent): readonly string[] {
  return agent.requests.map(request => request.slice(request.indexOf('\r\n\r\n') + 4));
}

function ask(
  agent: Pick<RawAgent, 'origin'>,
  protocol: ProtocolName,
  language: LanguageId,
  warningPolicy: AskOptions['warningPolicy'] = 'hold',
): Sender {
  return askIn(connectAgent(agentAt(protocol, agent.origin)), {
    protocols: ALL_PROTOCOLS,
    language,
    tools: new KnownTools(),
    warningPolicy,
  });
}

function notesOf({ observed }: Sent): readonly string[] {
  return observed.filter(line => line.startsWith('note: ')).map(line => line.slice(6));
}

const AICL_HEAD = '[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]:';

/** An AICF server with one tool, written by hand. */
const aicfTools: Answer = body => {
  if (body === 'LIST') return 'TOOLS|add|note';
  if (body === 'INFO|add') return 'TOOL|add|Adds|a:number|b:number|tags:array?';
  if (body.startsWith('INFO|')) return 'ERR|404|Tool not found';
  return body.startsWith('CALL|add|') ? 'OK|{"sum":3}' : 'OK';
};

/** A JSON-RPC server with one tool, written by hand; `list` is what it lists besides. */
function rpcTools(more = ''): Answer {
  return body => {
    if (body.includes('aip.capabilities.list'))
      return `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"getFile","inputSchema":{"type":"object","properties":{"fileKey":{"type":"string"},"depth":{"type":"integer"},"ids":{"type":"array"}},"required":["fileKey"]}}${more}]}}`;
    return body.includes('aip.tool.invoke')
      ? '{"jsonrpc":"2.0","id":1,"result":{"success":true,"data":1}}'
      : '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}';
  };
}

/** The arguments of the calls that came. */
function argumentsOf(agent: RawAgent): readonly string[] {
  return bodiesOf(agent).flatMap(body => /"arguments":(.*)\}\}$/.exec(body)?.[1] ?? []);
}

describe('an agent that is asked in another language', () => {
  afterEach(closeRawAgents);

  it('gets no request that is stopped while it is converted', async () => {
    const agent = await serve(rpcTools());
    const stop = new AbortController();
    const list = `[l:${'[i:1],'.repeat(60_000)}[i:1]]`;
    const text = `[d:${AICL_HEAD}[s:tool_call],[s:tool]:[s:getFile],[s:params]:[d:[s:ids]:${list}]]`;
    setImmediate(() => stop.abort());
    const { reply: stopped } = await sendTo(ask(agent, 'json-rpc', 'aicl'), text, { signal: stop.signal });
    assert.deepEqual(
      [stopped.status, stopped.message, agent.requests],
      ['cancelled', 'The call was stopped before its request was sent', []],
    );
  });

  it('gets arguments by place under the names of its schema, typed as that says', async () => {
    const agent = await serve(rpcTools());
    const connection = ask(agent, 'json-rpc', 'aicf');
    for (const line of [
      'CALL|getFile|a\\|b|2|x,y',
      'CALL|getFile|a||["x",1]',
      'CALL|getFile|',
      'CALL|getFile|{"fileKey":"k","depth":12345678901234567890}',
    ])
      assert.equal((await sendTo(connection, line)).reply.text, 'OK|{"success":true,"data":1}\n');
    assert.deepEqual(argumentsOf(agent), [
      '{"fileKey":"a|b","depth":2,"ids":["x","y"]}',
      '{"fileKey":"a","ids":["x",1]}',
      '{"fileKey":""}',
      '{"fileKey":"k","depth":12345678901234567890}',
    ]);
    assert.equal(bodiesOf(agent).filter(body => body.includes('aip.capabilities.list')).length, 1);
  });

  const SIGNATURE = "'getFile (fileKey: string, depth?: integer, ids?: array)'";
  for (const [line, said] of [
    ['CALL|getFile|a|2|x|y', `the call has 4 arguments, and ${SIGNATURE} takes 3; remove the others`],
    ['CALL|getFile', `the call lacks 'fileKey', and ${SIGNATURE} requires it`],
    ['CALL|getFile|a|deep', "'deep' is not of type 'integer', which 'depth' has; write one that is"],
    [
      'CALL|getFile|{"fileKey":"a","depth":true}',
      "true is not of type 'integer', which 'depth' has; write one that is",
    ],
    ['CALL|getFiles|a', "the agent lists no tool 'getFiles'; did you mean 'getFile'?"],
    [
      'CALL|getFile|{"fileKey":"a","depht":2}',
      `${SIGNATURE} takes no argument 'depht'; did you mean 'depth'?`,
    ],
    ['CALL|paint|a', "the agent lists no tool 'paint'; LIST shows the available ones"],
    ['CALL|getFile|a\nLIST', 'exactly one request is sent to an agent'],
    ['OK|1', 'exactly one request is sent to an agent'],
    [
      'PING|1',
      "AICF-RPC 1.0 has no command 'PING', so it cannot be converted to another protocol; write CALL, LIST or INFO",
    ],
  ] as const)
    it(`is not sent ${line.replace('\n', ' and ')}`, async () => {
      const agent = await serve(rpcTools());
      const sent = await sendTo(ask(agent, 'json-rpc', 'aicf'), line);
      assert.deepEqual(sent.reply, {
        status: 'error',
        code: 'NOT_SENT',
        message: `Not sent: ${said}`,
        text: '',
        isProtocol: false,
      });
      assert.deepEqual(argumentsOf(agent), []);
    });

  it('is sent it where somebody wants that, and the doubts are notes', async () => {
    const agent = await serve(rpcTools());
    const sent = await sendTo(ask(agent, 'json-rpc', 'aicf', 'send'), 'CALL|getFile|a|deep');
    assert.equal(sent.reply.status, 'ok');
    assert.deepEqual(argumentsOf(agent), ['{"fileKey":"a","depth":"deep"}']);
    assert.deepEqual(notesOf(sent), [
      "'deep' is not of type 'integer', which 'depth' has; write one that is",
    ]);
  });

  it('gets no credential as an argument, and that is said', async () => {
    const agent = await serve(rpcTools());
    const sent = await sendTo(ask(agent, 'json-rpc', 'aicf'), 'CALL|getFile|a|AUTH:abc');
    assert.deepEqual(argumentsOf(agent), ['{"fileKey":"a"}']);
    assert.deepEqual(notesOf(sent), [
      'The credential at the end of the request is not an argument and is not carried; it belongs in a header',
    ]);
  });

  it('that does not say what its tools take gets arguments by name, and no names that are a guess', async () => {
    const agent = await serve(body =>
      body.includes('invoke') ? '{"result":1}' : '{"error":{"code":-32601,"message":"no"}}',
    );
    const connection = ask(agent, 'json-rpc', 'aicf');
    const guessed = await sendTo(connection, 'CALL|paint|red');
    assert.equal(
      guessed.reply.message,
      'Not sent: the names of the arguments are a guess, because nothing declares the tool paint; give them by name, as in CALL|tool|{"name":"value"}',
    );
    assert.equal((await sendTo(connection, 'CALL|paint|{"colour":"red","size":1.0}')).reply.status, 'ok');
    assert.equal((await sendTo(connection, 'CALL|paint')).reply.status, 'ok');
    assert.deepEqual(argumentsOf(agent), ['{"colour":"red","size":1.0}', '{}']);
  });

  it('is asked again for its tools where one is called that it did not list', async () => {
    let more = '';
    const agent = await serve(body => rpcTools(more)(body));
    const connection = ask(agent, 'json-rpc', 'aicf');
    assert.equal((await sendTo(connection, 'CALL|paint|red')).reply.code, 'NOT_SENT');
    more = ',{"name":"paint","inputSchema":{"type":"object","properties":{"colour":{"type":"string"}}}}';
    assert.equal((await sendTo(connection, 'CALL|paint|red')).reply.status, 'ok');
    assert.deepEqual(argumentsOf(agent), ['{"colour":"red"}']);
  });

  it('that cannot be reached is reported as such, and asked again later', async () => {
    const gone = await serve(() => undefined);
    const connection = ask(gone, 'json-rpc', 'aicf');
    await gone.close();
    assert.equal((await sendTo(connection, 'CALL|getFile|a')).reply.code, 'ECONNREFUSED');
    const silent = await serve(() => undefined);
    const { reply: late } = await sendTo(ask(silent, 'json-rpc', 'aicf'), 'CALL|getFile|a', { timeout: 200 });
    assert.deepEqual([late.status, late.code], ['error', 'TIMEOUT']);
    await until('the connection is closed', () => silent.countSockets() === 0);
  });

  it('says of a tool that it does not list that there is none', async () => {
    const agent = await serve(rpcTools());
    const sent = await sendTo(ask(agent, 'json-rpc', 'aicf'), 'INFO|getFil');
    const said = "JSON-RPC (AIP): there is no tool 'getFil'; did you mean 'getFile'?";
    assert.deepEqual(sent.reply, {
      status: 'error',
      code: '404',
      message: said,
      isProtocol: true,
      text: `ERR|404|${said}\n`,
    });
    assert.deepEqual(notesOf(sent), []);
  });

  it('says of a tool that it lists twice that there are two', async () => {
    const again = ',{"name":"getFile","description":"Another"}';
    const agent = await serve(rpcTools(again));
    const sent = await sendTo(ask(agent, 'json-rpc', 'aicf'), 'INFO|getFile');
    assert.equal(sent.reply.text, 'TOOL|getFile||fileKey:string|depth:integer?|ids:array?\n');
    assert.deepEqual(notesOf(sent).slice(1), [
      "the agent lists 2 tools of the name 'getFile', and this is the first of them; which one a call reaches is its own choice",
    ]);
  });

  it('in AICF takes a tool_call of AICL by place, for as long as that says', async () => {
    const agent = await serve(body => (body.startsWith('CALL|add|9') ? undefined : aicfTools(body)));
    const connection = ask(agent, 'aicf', 'aicl');
    const call = (params: string, more = ''): string =>
      `[d:${AICL_HEAD}[s:tool_call],[s:tool]:[s:add],[s:params]:[d:${params}]${more}]`;
    const sent = await sendTo(connection, call('[s:b]:[f:2.0],[s:a]:[i:1],[s:tags]:[l:[s:x|y],[i:2]]'));
    assert.equal(sent.reply.status, 'ok');
    assert.match(
      sent.reply.text,
      /\[s:session_id\]:\[s:1\],\s*\[s:msg_type\]:\[s:result\],\s*\[s:data\]:\[d:\s*\[s:sum\]:\[i:3\]/,
    );
    assert.equal(bodiesOf(agent).at(-1), 'CALL|add|1|2.0|["x\\|y",2]');
    const late = await sendTo(connection, call('[s:a]:[i:9],[s:b]:[i:9]', ',[s:timeout]:[f:0.2]'));
    assert.deepEqual([late.reply.status, late.reply.code], ['error', 'TIMEOUT']);
    const wrong = await sendTo(connection, call('[s:a]:[s:one],[s:b]:[i:2]'));
    assert.equal(
      wrong.reply.message,
      "Not sent: 'one' is not of type 'number', which 'a' has; write one that is",
    );
    const refused = await sendTo(connection, call('[s:sums]:[i:1]').replace('[s:add]', '[s:ad]'));
    assert.equal(refused.reply.message, "Not sent: the agent lists no tool 'ad'; did you mean 'add'?");
  });

  it('in AICL takes what AICF asks', async () => {
    const agent = await serve(() => `[d:${AICL_HEAD}[s:result],[s:data]:[d:[s:a\\u005D]:[s:x|y]]]`);
    const connection = ask(agent, 'aicl', 'aicf');
    for (const line of ['LIST', 'INFO|add', 'CALL|add|{"a":1}']) {
      const { reply: answer } = await sendTo(connection, line);
      assert.deepEqual(answer, { status: 'ok', isProtocol: true, text: 'OK|{"a]":"x\\|y"}\n' });
    }
    const [call] = bodiesOf(agent).slice(-1);
    assert.match(
      call ?? '',
      /\[s:msg_type\]:\[s:tool_call\],\[s:tool\]:\[s:add\],\[s:params\]:\[d:\[s:a\]:\[i:1\]\]/,
    );
  });

  it('in AICF is sent a task where it lists a tool of that name, and else where somebody wants that', async () => {
    const task = `[d:${AICL_HEAD}[s:task_request],[s:task]:[s:count],[s:constraints]:[d:]]`;
    const others = await serve(aicfTools);
    const held = await sendTo(ask(others, 'aicf', 'aicl'), task);
    assert.equal(held.reply.code, 'NOT_SENT');
    assert.equal(
      held.reply.message,
      'Not sent: AICF-RPC 1.0 has no message for a task, and its agents refuse one',
    );
    assert.deepEqual(bodiesOf(others), ['LIST', 'INFO|add', 'INFO|note']);
    await sendTo(ask(others, 'aicf', 'aicl', 'send'), task);
    const doer = await serve(body => (body === 'LIST' ? 'TOOLS|task' : 'OK|done'));
    const { reply: answer } = await sendTo(ask(doer, 'aicf', 'aicl'), task);
    assert.equal(answer.status, 'ok');
    for (const agent of [others, doer]) assert.equal(bodiesOf(agent).at(-1), 'CALL|task|count');
  });

  it('has its errors in the language of who asks', async () => {
    const error = `[d:${AICL_HEAD}[s:error],[s:code]:[i:3001],[s:reason]:[s:TOOL_UNAVAILABLE]]`;
    const agent = await serve(() => error);
    const { reply: answer } = await sendTo(ask(agent, 'aicl', 'aicf'), 'LIST');
    assert.deepEqual([answer.status, answer.code], ['error', '3001']);
    assert.match(answer.text, /^ERR\|404\|.*\[aicl 3001\]\n$/);
  });

  it('streams its reply in the language of who asks while it comes', async () => {
    let received = 0;
    const tools = ['TOOLS|task', 'TOOL|task|Does it'];
    const agent = await startRawAgent(async (socket, index) => {
      const reported = tools[index];
      if (reported !== undefined) return void socket.end(reply(reported));
      const before = received;
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      let written = 0;
      for (const piece of ['STREAM|one]', '\n', 'STREAM| two\\n\n', 'END\n']) {
        socket.write(piece);
        written += piece.length;
        await until('the piece came', () => received - before === written);
      }
      socket.end();
    });
    const call = `[d:${AICL_HEAD}[s:task_request],[s:task]:[s:count],[s:constraints]:[d:]]`;
    const sent = await sendTo(ask(agent, 'aicf', 'aicl'), call, { onBody: count => void (received = count) });
    assert.equal(sent.reply.status, 'ok');
    assert.match(sent.reply.text, /\[s:data\]:\[s:one\\u005D two\n\]/);
    assert.equal(sent.progress.join(''), sent.reply.text);
  });

  it('that answers with something else shows that as it is', async () => {
    const agent = await serve(() => '<html><title>Nothing here</title></html>');
    const { reply: answer } = await sendTo(ask(agent, 'json-rpc', 'aicf'), 'LIST');
    assert.deepEqual(
      [answer.status, answer.code, answer.isProtocol, answer.text],
      ['error', 'HTTP 200', false, '<html><title>Nothing here</title></html>'],
    );
  });
});
