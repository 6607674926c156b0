import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { connectAio } from '../../../agents/aio/connection.ts';
import { AioTraceIds } from '../../../agents/aio/trace-ids.ts';
import { askIn } from '../../../agents/converting/converting-connection.ts';
import type { Connection } from '../../../agents/connection.ts';
import { KnownTools } from '../../../agents/capabilities/known-tools.ts';
import { closeRawAgents, reply, startRawAgent, type RawAgent } from '../support/raw-agent.ts';
import { agentAt, sendTo } from '../support/send.ts';

const open = new Set<Connection>();

/** A connection with trace ids of its own, on a day that does not change. */
function connect(agent: Parameters<typeof connectAio>[0]): Connection {
  const now = (): Date => new Date('2026-03-04T05:06:07Z');
  let last = 0;
  const connection = connectAio(agent, { traceIds: new AioTraceIds(() => ++last), now });
  open.add(connection);
  return connection;
}

const QUIET = {
  head: () => undefined,
  bytes: () => undefined,
  note: () => undefined,
  progress: () => undefined,
};

/** An agent over HTTP that answers by the method of a request, without the agent's name. */
async function serve(answers: Readonly<Record<string, string>>): Promise<RawAgent> {
  const agent: RawAgent = await startRawAgent((socket, index) => {
    const { method } = JSON.parse(bodiesOf(agent)[index] ?? '') as { method: string };
    const body =
      answers[method.replace(/^.*::/, '')] ??
      '{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"}}';
    socket.end(reply(body, '200 OK', 'application/json'));
  });
  return agent;
}

function bodiesOf(agent: RawAgent): readonly string[] {
  return agent.requests.map(request => request.slice(request.indexOf('\r\n\r\n') + 4));
}

/** The trace ids of a connection, in order: the day and its milliseconds, then the random number. */
const traceId = (number: number): string => `AIO-TR-20260304-183670000${String(number).padStart(5, '0')}`;
const FIRST_TRACE = traceId(1);

/** A request as it goes out. */
function request(id: number, method: string, params?: unknown, trace = FIRST_TRACE): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params, trace_id: trace });
}

const HELP_HTTP =
  '{"jsonrpc":"2.0","id":1,"result":{"type":"http","name":"reader","version":"2","methods":[{"name":"summarize","description":"Shortens","inputSchema":{"type":"object","properties":{"text":{"type":"string"},"words":{"type":"integer"}},"required":["text"]}},"input"],"modalities":["text","image"]}}';
const HELP_MCP =
  '{"jsonrpc":"2.0","id":1,"output":{"transport":["grpc","mcp"],"methods":["help","tools_list","tools_call","resources.list"],"modalities":["text"],"mcp":{"tools":true,"resources":true,"prompts":false,"sampling":true}}}';

describe('an AIO agent over HTTP', () => {
  afterEach(async () => {
    await Promise.all([...open].map(each => each.close()));
    open.clear();
    await closeRawAgents();
  });

  it('is asked for help first, and once; a call of a tool is one of its methods', async () => {
    const body = '{"jsonrpc":"2.0","id":9,"result":{"short":"so"}}';
    const agent = await serve({ help: HELP_HTTP, summarize: body });
    const connection = connect(agentAt('aio', agent.origin));
    const wire =
      '{"method":"agent::tools.call","params":{"tool":"summarize","args":{"text":"so it goes","n":12345678901234567890}},"more":1.0}';
    const { reply: answer } = await sendTo(connection, wire);
    assert.deepEqual(answer, { status: 'ok', isProtocol: true, text: body });
    await sendTo(connection, wire);
    assert.deepEqual(bodiesOf(agent), [
      request(1, 'tester::help'),
      `{"jsonrpc":"2.0","id":2,"method":"reader::summarize","params":{"text":"so it goes","n":12345678901234567890},"more":1.0,"trace_id":"${FIRST_TRACE}"}`,
      `{"jsonrpc":"2.0","id":1,"method":"reader::summarize","params":{"text":"so it goes","n":12345678901234567890},"more":1.0,"trace_id":"${traceId(2)}"}`,
    ]);
    assert.deepEqual(connection.peer, {
      name: 'reader 2',
      product: { name: 'reader', version: '2' },
      methods: ['summarize', 'input'],
      capabilities: ['http', 'text', 'image'],
    });
  });

  it('gets one trace id for all requests of a task, whose ids count up over all agents', async () => {
    const agent = await serve({ help: HELP_HTTP, input: '{"result":1}' });
    const traceIds = new AioTraceIds(() => 7);
    let hour = 4;
    const now = (): Date => new Date(`2026-03-05T0${hour++}:00:00Z`);
    const [one, other] = [1, 2].map(() => connectAio(agentAt('aio', agent.origin), { traceIds, now }));
    assert.ok(one && other);
    for (const connection of [one, other]) open.add(connection);
    const send = async (connection: Connection, trace: string, session?: string): Promise<void> => {
      const names = { trace, call: '1', depth: 0 };
      const outgoing = {
        wireText: '{"method":"input"}',
        names,
        ...(session === undefined ? {} : { session }),
      };
      await connection.send(outgoing, QUIET, new AbortController().signal);
    };
    await send(one, 'a');
    await send(one, 'b', 'trip');
    await send(other, 'c', 'trip');
    await send(one, 'a');
    const sent = bodiesOf(agent).map(body => JSON.parse(body) as { trace_id: string; id: number });
    const names = sent.map(({ trace_id: trace, id }) => `${trace}#${id}`);
    const [task, trip] = ['AIO-TR-20260305-14400000000007', 'AIO-TR-20260305-25200000000007'];
    assert.deepEqual(names, [`${task}#1`, `${task}#2`, `${trip}#1`, `${trip}#2`, `${trip}#3`, `${task}#3`]);
  });

  it('has each trace id once, also within a millisecond', () => {
    const numbers = [3, 3, 4];
    const traceIds = new AioTraceIds(() => numbers.shift() ?? 0);
    const now = new Date('2026-03-05T23:59:59.999Z');
    assert.deepEqual(
      ['a', 'b', 'a'].map(task => traceIds.idOf(task, now)),
      ['AIO-TR-20260305-86399999000003', 'AIO-TR-20260305-86399999000004', 'AIO-TR-20260305-86399999000003'],
    );
  });

  it('counts the messages of a trace in any order, and of none with an endless name', () => {
    const traceIds = new AioTraceIds();
    for (const id of [3, 1, 7, 7]) traceIds.take('T', id);
    assert.deepEqual([traceIds.freeIn('T', 1), traceIds.freeIn('T', 3), traceIds.freeIn('T', 7)], [2, 4, 8]);
    const long = 'T'.repeat(1_000_000);
    traceIds.take(long, 1);
    assert.equal(traceIds.freeIn(long, 1), 1);
  });

  it('gets a request as it is written, with what it lacks', async () => {
    const agent = await serve({ help: HELP_MCP, sampling: '{"result":1}' });
    const connection = connect(agentAt('aio', agent.origin));
    const own =
      '{"trace_id":"T-1","params":{"input":{"type":"text","value":"\\u00e9"}, "n":1.0},"id":1,"method":"llm::sampling.start"}';
    await sendTo(connection, own);
    await sendTo(connection, '{"method":"agent::sampling.start","id":"x","params":{"input":"a"}}');
    assert.deepEqual(bodiesOf(agent), [
      '{"jsonrpc":"2.0","id":2,"method":"tester::help","trace_id":"T-1"}',
      `{"jsonrpc":"2.0",${own.slice(1)}`,
      `{"jsonrpc":"2.0","method":"tester::sampling.start","id":"x","params":{"input":"a"},"trace_id":"${FIRST_TRACE}"}`,
    ]);
  });

  for (const [wire, reason] of [
    ['[1]', 'an AIO request is a JSON object with a method, such as {"method":"agent::help"}'],
    [
      '{"method":"a::b","trace_id":7}',
      "'trace_id' of an AIO request is a text that is not empty, or is left out to get one",
    ],
    [
      '{"method":"a::b","id":1.5}',
      "'id' of an AIO request is a whole number or a text, or is left out to get one",
    ],
    [
      '{"method":"a::tools.call","params":[1]}',
      `'params' of an AIO request is an object of named parameters, such as {"input":"text"}`,
    ],
    [
      '{"method":"a::tools.call","params":{"args":{}}}',
      `'tools.call' needs the name of the tool as a text, as in {"tool":"calculate_area","args":{"x":3}}`,
    ],
    [
      '{"method":"a::tools.call","params":{"tool":"t","args":[3]}}',
      "'args' of 'tools.call' is an object of arguments by name",
    ],
    [
      '{"method":"a::sampling.start"}',
      `'sampling.start' needs an input, as in {"input":{"type":"text","value":"Summarize this"}}`,
    ],
    [
      '{"method":"a::sampling.start","params":{"input":{"type":"smell","value":"x"}}}',
      "an input has the type 'smell', and the types of AIO are text, image, audio, video and file",
    ],
    [
      '{"method":"a::sampling.start","params":{"inputs":[{"type":"text","value":"x"},{"type":"image"}]}}',
      "an input of the type 'image' needs a 'value' that is a text",
    ],
    [
      '{"method":"a::sampling.start","params":{"input":{"type":"image","value":"cat.png"}}}',
      "the value of the type 'image' is neither Base64 nor an address, beginning 'cat.png'",
    ],
    [
      '{"method":"a::sampling.start","params":{"inputs":{"type":"text","value":"x"}}}',
      "'inputs' is a list of values, and 'input' a single one",
    ],
  ] as const)
    it(`does not get ${wire}`, async () => {
      const agent = await serve({ help: HELP_MCP });
      const { reply: answer } = await sendTo(connect(agentAt('aio', agent.origin)), wire);
      assert.deepEqual([answer.code, answer.message], ['NOT_SENT', `Not sent: ${reason}`]);
    });

  it('keeps a trace id that the request has', async () => {
    const agent = await serve({ help: HELP_HTTP, input: '{"output":{"type":"text","value":"hi"}}' });
    const connection = connect(agentAt('aio', agent.origin));
    await sendTo(connection, '{"method":"x::input","trace_id":"AIO-TR-20260304-0041"}');
    await sendTo(connection, '{"method":"x::input"}');
    assert.deepEqual(bodiesOf(agent), [
      '{"jsonrpc":"2.0","id":1,"method":"tester::help","trace_id":"AIO-TR-20260304-0041"}',
      '{"jsonrpc":"2.0","id":2,"method":"x::input","trace_id":"AIO-TR-20260304-0041"}',
      '{"jsonrpc":"2.0","id":1,"method":"x::input","trace_id":"AIO-TR-20260304-18367000000001"}',
    ]);
  });

  it('of the kind mcp gets help and the methods of its modules alone, spelt as it lists them', async () => {
    const agent = await serve({ help: HELP_MCP, tools_call: '{"result":{"ok":true}}' });
    const connection = connect(agentAt('aio', agent.origin));
    const call = '{"method":"agent::tools.call","params":{"tool":"add","args":{"x":3}}}';
    assert.equal((await sendTo(connection, call)).reply.status, 'ok');
    const refused = await sendTo(
      connection,
      '{"method":"agent::input","params":{"input":{"type":"text","value":"hi"}}}',
    );
    assert.deepEqual(refused.reply, {
      status: 'error',
      code: 'NOT_SENT',
      message:
        "Not sent: the agent is of the kind mcp, and such agents take only help and the methods of their modules, not 'input'; write sampling.start or tools.call",
      text: '',
      isProtocol: false,
    });
    assert.deepEqual(connection.peer?.capabilities, ['mcp', 'tools', 'resources', 'sampling', 'text']);
    assert.deepEqual(bodiesOf(agent), [
      request(1, 'tester::help'),
      request(2, 'tester::tools_call', { tool: 'add', args: { x: 3 } }),
    ]);
  });

  it('is not sent what its help says that it has not, and is where somebody wants that', async () => {
    const agent = await serve({ help: HELP_MCP });
    const connection = connect(agentAt('aio', agent.origin));
    const warnings = [
      [
        '{"method":"agent::prompts.list"}',
        "the agent's help says that it has no module 'prompts', to which 'prompts.list' belongs",
      ],
      [
        '{"method":"agent::sampling.start","params":{"input":{"type":"video","value":"https://example.org/v"}}}',
        "the agent's help lists the modalities text, and the request holds a value of type 'video'",
      ],
    ] as const;
    for (const [wire, warning] of warnings) {
      const { reply: answer } = await sendTo(connection, wire);
      assert.deepEqual([answer.code, answer.message], ['NOT_SENT', `Not sent: ${warning}`]);
    }
    assert.equal(agent.requests.length, 1);
    const notes: string[] = [];
    const listener = {
      head: () => undefined,
      bytes: () => undefined,
      note: (text: string) => void notes.push(text),
      progress: () => undefined,
    };
    const answer = await connection.send(
      { wireText: warnings[0][0], warningPolicy: 'send' },
      listener,
      new AbortController().signal,
    );
    assert.deepEqual([answer.status, answer.code, answer.message], ['error', '-32601', 'Method not found']);
    assert.deepEqual(notes, [
      "The agent's help says that it has no module 'prompts', to which 'prompts.list' belongs",
    ]);
  });

  it('that knows no help is asked all the same', async () => {
    const agent = await serve({ input: '{"jsonrpc":"2.0","id":1,"result":"hi"}' });
    const connection = connect(agentAt('aio', agent.origin));
    const { reply: answer } = await sendTo(connection, '{"method":"agent::input"}');
    assert.deepEqual([answer.status, connection.peer], ['ok', undefined]);
  });

  it('learns its help from who asks for nothing else', async () => {
    const agent = await serve({ help: HELP_HTTP });
    const connection = connect(agentAt('aio', agent.origin));
    const { reply: answer } = await sendTo(connection, '{"method":"agent::help"}');
    assert.equal(answer.text, HELP_HTTP);
    assert.equal(connection.peer?.name, 'reader 2');
    assert.deepEqual(bodiesOf(agent), [request(1, 'tester::help')]);
  });

  for (const [name, body, expected] of [
    ['result', '{"jsonrpc":"2.0","id":1,"result":{"a":1}}', { status: 'ok' }],
    ['output', '{"output":{"type":"text","value":"hi"}}', { status: 'ok' }],
    ['outputs', '{"outputs":[{"type":"image","value":"iVBORw0KGgo="}]}', { status: 'ok' }],
    [
      'error',
      '{"error":{"code":-32602,"message":"no x"}}',
      { status: 'error', code: '-32602', message: 'no x' },
    ],
    [
      'an error that hides',
      '{"output":{"type":"error","value":"broken"}}',
      { status: 'error', message: 'broken' },
    ],
  ] as const)
    it(`answers under ${name}`, async () => {
      const agent = await serve({ help: HELP_HTTP, input: body });
      const { reply: answer } = await sendTo(
        connect(agentAt('aio', agent.origin)),
        '{"method":"agent::input"}',
      );
      assert.deepEqual(answer, { ...expected, isProtocol: true, text: body });
    });

  it('is asked in AICF: its methods are the tools', async () => {
    const agent = await serve({ help: HELP_HTTP, summarize: '{"result":{"short":"so"}}' });
    const asked = askIn(connect(agentAt('aio', agent.origin)), {
      protocols: ALL_PROTOCOLS,
      language: 'aicf',
      tools: new KnownTools(),
      warningPolicy: 'hold',
    });
    const ask = async (line: string): Promise<unknown> => {
      const { reply: answer } = await sendTo(asked, line);
      return answer.message ?? answer.text;
    };
    assert.equal(await ask('LIST'), 'TOOLS|summarize\n');
    assert.equal(await ask('INFO|summarize'), 'TOOL|summarize|Shortens|text:string|words:integer?\n');
    assert.equal(
      await ask('INFO|sumarize'),
      "AIO-MCP 1.2.1: there is no tool 'sumarize'; did you mean 'summarize'?",
    );
    assert.equal(await ask('CALL|summarize|so it goes|2'), 'OK|{"short":"so"}\n');
    assert.equal(
      await ask('CALL|sumarize|x'),
      "Not sent: the agent lists no tool 'sumarize'; did you mean 'summarize'?",
    );
    const calls = bodiesOf(agent).filter(body => body.includes('::summarize'));
    assert.deepEqual(
      calls.map(body => (JSON.parse(body) as { params: unknown }).params),
      [{ text: 'so it goes', words: 2 }],
    );
  });

  it('is asked in AICF with the modules of its kind', async () => {
    const tools =
      '{"result":{"tools":[{"name":"add","description":"Adds","inputSchema":{"type":"object","properties":{"x":{"type":"number"},"y":{"type":"number"}},"required":["x","y"]}}]}}';
    const agent = await serve({
      help: HELP_MCP,
      tools_list: tools,
      tools_call: '{"result":7}',
    });
    const asked = askIn(connect(agentAt('aio', agent.origin)), {
      protocols: ALL_PROTOCOLS,
      language: 'aicf',
      tools: new KnownTools(),
      warningPolicy: 'hold',
    });
    assert.equal((await sendTo(asked, 'LIST')).reply.text, 'TOOLS|add\n');
    assert.equal((await sendTo(asked, 'INFO|add')).reply.text, 'TOOL|add|Adds|x:number|y:number\n');
    assert.deepEqual((await sendTo(asked, 'CALL|add|3|4')).reply, {
      status: 'ok',
      isProtocol: true,
      text: 'OK|7\n',
    });
    assert.equal(
      (await sendTo(asked, 'CALL|add|3')).reply.message,
      "Not sent: the call lacks 'y', and 'add (x: number, y: number)' requires it",
    );
    assert.equal(
      (await sendTo(asked, 'CALL|add|3|four')).reply.message,
      "Not sent: 'four' is not of type 'number', which 'y' has; write one that is",
    );
  });
});
