import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { StoredHeader } from '../../../core/events/events.ts';
import { readNames } from '../../../protocols/recognise/names.ts';
import { recogniseReply, ReplyReading } from '../../../protocols/recognise/reply.ts';
import { recogniseRequest } from '../../../protocols/recognise/request.ts';
import { readJsonValue } from '../../../language/values/json-reader.ts';
import { runs } from '../../support/size.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const header = (name: string, value: string): StoredHeader => ({ name, value });
const aicl = (type: string, more: string): string =>
  `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s-1],[s:msg_type]:[s:${type}],${more}]`;

describe('recogniseRequest', () => {
  const rows: readonly (readonly [text: string, sign: string])[] = [
    ['CALL|math.add|1|2', 'aicf request math.add'],
    ['Request: INFO|a\\|b', 'aicf request INFO a|b'],
    ['LIST', 'aicf request LIST'],
    [aicl('tool_call', '[s:tool]:[s:a\\u005Db],[s:params]:[d:]'), 'aicl request a]b #s-1'],
    [aicl('data_query', '[s:query]:[s:How\n much?]'), 'aicl request How much? #s-1'],
    [aicl('task_request', '[s:task]:[s:paint],[s:constraints]:[d:]'), 'aicl request paint #s-1'],
    [aicl('protocol_negotiate', '[s:supported]:[l:[s:1.0]]'), 'aicl request protocol_negotiate #s-1'],
    [aicl('result', '[s:data]:[i:1]'), 'aicl answer result #s-1'],
    ['{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}', 'mcp request initialize (1)'],
    ['{"jsonrpc":"2.0","method":"notifications/initialized"}', 'mcp notification notifications/initialized'],
    ['{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"add"}}', 'mcp request add (x)'],
    [
      '{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"book:emma"}}',
      'mcp request resources/read book:emma (2)',
    ],
    [
      '{"jsonrpc":"2.0","id":3,"method":"coder::help","trace_id":"AIO-TR-20260304-0001"}',
      'aio request help (3)',
    ],
    [
      '{"jsonrpc":"2.0","id":3,"method":"coder::tools.call","params":{"tool":"add","args":{}}}',
      'aio request add (3)',
    ],
    [
      '{"jsonrpc":"2.0","id":4,"method":"aip.tool.invoke","params":{"tool":"add"}}',
      'json-rpc request add (4)',
    ],
    ['{"jsonrpc":"2.0","id":4,"method":"aip.handshake"}', 'json-rpc request aip.handshake (4)'],
    [
      '{"jsonrpc":"2.0","id":5,"method":"message/send","params":{"message":{"kind":"message","messageId":"m","contextId":"c-1","role":"user","parts":[{"kind":"text","text":"hi"}]}}}',
      'a2a request message/send (5) #c-1',
    ],
    [
      '{"jsonrpc":"2.0","id":5,"method":"SendMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"hi"}]}}}',
      'a2a request SendMessage (5)',
    ],
    [
      '{"input":[{"role":"user","type":"message","content":[{"type":"text","text":"one"}]},{"role":"user","type":"message","content":[{"type":"text","text":"two"}]}],"session_id":"s-2"}',
      'agent-api request two #s-2',
    ],
    ['{"model":"m","input":"Tell me","stream":true}', 'responses request Tell me'],
    [
      '{"model":"m","input":[{"role":"user","content":[{"type":"input_text","text":"Tell"}]}],"conversation":{"id":"conv_1"}}',
      'responses request Tell #conv_1',
    ],
    [
      '[{"jsonrpc":"2.0","id":1,"method":"tools/list"},{"jsonrpc":"2.0","id":2,"method":"ping"}]',
      'mcp request 2 messages, first tools/list',
    ],
    ['{"a":1}', 'other request POST /x'],
    ['<html>', 'other request POST /x'],
    ['', 'other request POST /x'],
  ];
  for (const [text, sign] of rows) {
    it(`knows ${JSON.stringify(text.slice(0, 60))}`, () => {
      const found = recogniseRequest(
        { method: 'POST', path: '/x?token=a', headers: [], text },
        ALL_PROTOCOLS,
      );
      const id = found.id === undefined ? '' : ` (${found.id})`;
      const session = found.session === undefined ? '' : ` #${found.session}`;
      assert.equal(`${found.protocol} ${found.kind} ${found.title}${id}${session}`, sign);
    });
  }

  const rest: readonly (readonly [line: string, body: string, sign: string, known?: 'a2a'])[] = [
    ['POST /a2a/message:send', '{"message":{"contextId":"c"}}', 'a2a request SendMessage #c'],
    [
      'POST /v1/message:stream',
      '{"request":{"contextId":"c","content":[]}}',
      'a2a request message/stream #c',
    ],
    ['POST /own/message:send', '', 'a2a request SendMessage'],
    ['GET /tasks/t%2D1?historyLength=2', '', 'a2a request GetTask t-1', 'a2a'],
    ['GET /tasks/t-1', '', 'other request GET /tasks/t-1'],
    ['POST /v1/tasks/t-1:cancel', '', 'a2a request tasks/cancel t-1', 'a2a'],
    ['GET /v1/tasks/t-1:subscribe', '', 'a2a request tasks/resubscribe t-1', 'a2a'],
    ['GET /tasks/urn:task:one', '', 'a2a request GetTask urn:task:one', 'a2a'],
    ['POST /tasks/urn:task:one:cancel', '', 'a2a request CancelTask urn:task:one', 'a2a'],
    ['POST /tasks/t-1:delete', '', 'other request POST /tasks/t-1:delete', 'a2a'],
    ['DELETE /tasks/t-1/pushNotificationConfigs/c', '', 'a2a request DeleteTaskPushNotificationConfig'],
    ['GET /tasks', '', 'a2a request ListTasks', 'a2a'],
    ['GET /extendedAgentCard', '', 'a2a request GetExtendedAgentCard', 'a2a'],
    [
      'POST /hook',
      '{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}}',
      'a2a notification push notification: completed #c',
    ],
    [
      'POST /hook',
      '{"kind":"status-update","taskId":"t","contextId":"c","status":{"state":"input-required"}}',
      'a2a notification push notification: input-required #c',
    ],
    [
      'POST /hook',
      '{"artifactUpdate":{"taskId":"t","artifact":{"artifactId":"a","name":"plan","parts":[]}}}',
      'a2a notification push notification: artifact plan',
    ],
    ['POST /hook', '{"message":{"text":"hi"}}', 'other request POST /hook'],
    ['POST /hook', '{"id":"1","status":"paid"}', 'other request POST /hook'],
    ['GET /v1/responses/resp_1?stream=true', '', 'responses request response resp_1'],
    ['POST /v1/responses/resp_1/cancel', '', 'responses request cancel response resp_1'],
    ['DELETE /v1/responses/resp_1', '', 'other request DELETE /v1/responses/resp_1'],
    ['GET /v1/responses/resp_1/input_items', '', 'other request GET /v1/responses/resp_1/input_items'],
  ];
  for (const [line, text, sign, known] of rest) {
    it(`knows ${line} with ${JSON.stringify(text.slice(0, 40))}${known ? ', of A2A' : ''}`, () => {
      const [method = '', path = ''] = line.split(' ');
      const found = recogniseRequest({ method, path, headers: [], text, known }, ALL_PROTOCOLS);
      const session = found.session === undefined ? '' : ` #${found.session}`;
      assert.equal(`${found.protocol} ${found.kind} ${found.title}${session}`, sign);
    });
  }

  it('takes what looks like several protocols for the one that the agent speaks', () => {
    const protocols = (text: string, known?: 'mcp' | 'a2a'): string =>
      recogniseRequest({ headers: [], text, known }, ALL_PROTOCOLS).protocol;
    const own = '{"jsonrpc":"2.0","id":1,"method":"own/thing"}';
    const answer = '{"jsonrpc":"2.0","id":1,"result":{}}';
    assert.deepEqual(
      [own, answer].map(text => [protocols(text), protocols(text, 'mcp'), protocols(text, 'a2a')]),
      [
        ['json-rpc', 'mcp', 'a2a'],
        ['json-rpc', 'mcp', 'a2a'],
      ],
    );
  });

  it('knows MCP by its headers where there is no body', () => {
    const headers = [header('Mcp-Session-Id', 's-3'), header('Accept', 'text/event-stream')];
    const found = ['GET', 'DELETE'].map(method =>
      recogniseRequest({ method, path: '/mcp', headers, text: '' }, ALL_PROTOCOLS),
    );
    assert.deepEqual(
      found.map(({ protocol, title, session }) => [protocol, title, session]),
      [
        ['mcp', 'listen for messages', 's-3'],
        ['mcp', 'end session', 's-3'],
      ],
    );
  });

  it('answers to any text, and never throws', () => {
    fc.assert(
      fc.property(fc.string(), fc.json(), (text, json) => {
        for (const each of [
          text,
          json,
          `{"jsonrpc":"2.0","method":${json}}`,
          `[s:${text}`,
          `data: ${json}\n\n`,
        ]) {
          for (const path of ['/', '/v1/message:send', `/tasks/${text}:cancel`, `/tasks/${text}`]) {
            const sign = recogniseRequest(
              { method: 'POST', path, headers: [], text: each, known: 'a2a' },
              ALL_PROTOCOLS,
            );
            // A path is shown whole.
            assert.ok(sign.title.length > 0 && sign.title.length <= Math.max(80, `POST ${path}`.length));
            const reader = new ReplyReading(ALL_PROTOCOLS.find(sign.protocol), undefined);
            reader.push(each);
            reader.end();
          }
        }
      }),
      { numRuns: runs(100) },
    );
  });
});

describe('readNames', () => {
  const message = (params: string): ReturnType<typeof readJsonValue> =>
    readJsonValue(`{"id":7,"params":${params}}`);

  it('takes traceparent and OpenStarry names from headers, else from _meta', () => {
    const meta = `{"_meta":{"traceparent":"00-${TRACE}-${SPAN}-01","traceId":"run","traceDepth":3}}`;
    const inMeta = { names: [], notes: [] };
    assert.deepEqual(readNames([], message(meta)), {
      ...inMeta,
      names: [
        { scheme: 'w3c', trace: TRACE, parent: SPAN },
        { scheme: 'openstarry', trace: 'run', depth: 3 },
      ],
    });
    const headers = [header('X-OpenStarry-Trace-ID', 'other'), header('x-openstarry-trace-depth', '0')];
    assert.deepEqual(readNames(headers, message(meta)).names[1], {
      scheme: 'openstarry',
      trace: 'other',
      depth: 0,
    });
  });

  it('reads what an AIO message names, and a depth without a trace', () => {
    const aio = readJsonValue('{"id":7,"trace_id":"AIO-TR-20260304-0001"}');
    assert.deepEqual(readNames([header('x-openstarry-trace-depth', '4')], aio), {
      names: [{ scheme: 'aio', trace: 'AIO-TR-20260304-0001', id: '7' }],
      notes: [],
      depth: 4,
    });
  });

  for (const [depth, shown] of [
    ['-1', '-1'],
    ['1.5', 'float'],
    ['"many"', 'many'],
    ['true', 'bool'],
    ['1e300', 'float'],
  ] as const) {
    it(`ignores the depth ${depth} with a note`, () => {
      const { names, notes } = readNames([], message(`{"_meta":{"traceId":"run","traceDepth":${depth}}}`));
      assert.deepEqual(names, [{ scheme: 'openstarry', trace: 'run' }]);
      assert.deepEqual(notes, [`The trace depth '${shown}' is not a count of calls; it was ignored`]);
    });
  }

  for (const parent of [
    '',
    'x',
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}`,
  ]) {
    it(`ignores the traceparent '${parent}' with a note`, () => {
      const { names, notes } = readNames([header('traceparent', parent)], undefined);
      assert.deepEqual([names, notes.length], [[], 1]);
    });
  }
});

describe('ReplyReading', () => {
  const head = (
    status: number,
    type = 'application/json',
  ): ConstructorParameters<typeof ReplyReading>[1] => ({
    status,
    line: `${status} Words`,
    headers: [header('content-type', type)],
  });
  const read = (reader: ReplyReading, text: string): unknown => {
    for (const piece of text.match(/[^]{1,7}/g) ?? []) reader.push(piece);
    const { notes, ...sign } = reader.end();
    assert.deepEqual(notes, []);
    return sign;
  };

  it('says what A2A says of a failure over HTTP+JSON, in each of its forms', () => {
    const said = (status: number, body: object, title?: string): unknown =>
      read(
        new ReplyReading(ALL_PROTOCOLS.find('a2a'), head(status), 'requests', title),
        JSON.stringify(body),
      );
    const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'TASK_NOT_FOUND' }];
    const failed = { state: 'TASK_STATE_FAILED', message: { content: [{ text: 'no' }] } };
    const task = { id: 't', contextId: 'c', status: failed };
    const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
    assert.deepEqual(
      [
        said(404, { error: { code: 404, status: 'NOT_FOUND', message: 'no', details } }),
        said(404, { error: { code: 404, status: 'NOT_FOUND', message: 'no' } }),
        said(404, { code: -32001, message: 'no' }),
        said(404, {
          type: 'https://a.example/errors/task-not-found',
          title: 'Gone',
          status: 404,
          detail: 'no',
        }),
        said(404, { type: 'about:blank', title: 'no', status: 404 }),
        said(200, { task }),
        // As version 0.3 spells it.
        said(200, { task: { ...task, status: { state: 'TASK_STATE_CANCELLED' } } }),
        // The task failed, and the question about it did not.
        said(200, task, 'tasks/get t'),
        read(
          new ReplyReading(ALL_PROTOCOLS.find('a2a'), head(200, 'text/event-stream')),
          event({ task: { ...task, status: { state: 'TASK_STATE_WORKING' } } }) +
            event({ statusUpdate: { taskId: 't', status: failed } }).trimEnd(),
        ),
        read(
          new ReplyReading(ALL_PROTOCOLS.find('a2a'), head(200, 'text/event-stream')),
          `event: error\n${event({ error: { code: 500, status: 'INTERNAL', message: 'no' } })}`,
        ),
      ],
      [
        { status: 'error', code: 'TASK_NOT_FOUND', message: 'no' },
        { status: 'error', code: 'NOT_FOUND', message: 'no' },
        { status: 'error', code: '-32001', message: 'no' },
        { status: 'error', code: 'task-not-found', message: 'no' },
        { status: 'error', code: '404', message: 'no' },
        { status: 'error', message: 'no', session: 'c' },
        { status: 'error', message: 'The task was canceled', session: 'c' },
        { status: 'ok', session: 'c' },
        { status: 'error', message: 'no', session: 'c' },
        { status: 'error', code: 'INTERNAL', message: 'no' },
      ],
    );
  });

  it('says of a task of A2A that was asked for, or canceled, whether it was found', () => {
    const failed = { kind: 'task', id: 't', contextId: 'c', status: { state: 'failed' } };
    const asked = (title: string, reply: object): unknown =>
      read(
        new ReplyReading(ALL_PROTOCOLS.find('a2a'), head(200), 'requests', title),
        JSON.stringify({ jsonrpc: '2.0', id: 1, ...reply }),
      );
    const error = { code: -32001, message: 'no such task' };
    assert.deepEqual(
      [
        asked('tasks/get t', { result: failed }),
        asked('tasks/cancel t', { result: { ...failed, status: { state: 'canceled' } } }),
        asked('message/send', { result: failed }),
        asked('tasks/get t', { error }),
      ],
      [
        { status: 'ok', session: 'c' },
        { status: 'ok', session: 'c' },
        { status: 'error', message: 'The task failed', session: 'c' },
        { status: 'error', code: '-32001', message: 'no such task' },
      ],
    );
  });

  it('says what each protocol says of a failure, else what the status says', () => {
    const error = (code: number): string =>
      `{"jsonrpc":"2.0","id":1,"error":{"code":${code},"message":"no"}}`;
    const rows = [
      [new ReplyReading(ALL_PROTOCOLS.find('aicf'), head(200)), 'ERR|404|no'],
      [new ReplyReading(ALL_PROTOCOLS.find('aicf'), head(200)), 'OK|{"success":false,"error":"no"}'],
      [
        new ReplyReading(ALL_PROTOCOLS.find('aicl'), undefined),
        aicl('error', '[s:code]:[i:5000],[s:reason]:[s:no]'),
      ],
      [new ReplyReading(ALL_PROTOCOLS.find('mcp'), head(200)), error(-32602)],
      [
        new ReplyReading(ALL_PROTOCOLS.find('mcp'), head(200)),
        '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"no"}],"isError":true}}',
      ],
      [
        new ReplyReading(ALL_PROTOCOLS.find('json-rpc'), head(200)),
        '{"jsonrpc":"2.0","id":1,"result":{"success":false,"error":"no"}}',
      ],
      [new ReplyReading(ALL_PROTOCOLS.find('aio'), head(200)), '{"output":{"type":"error","value":"no"}}'],
      [new ReplyReading(ALL_PROTOCOLS.find('a2a'), head(200)), error(-32603)],
      [
        new ReplyReading(ALL_PROTOCOLS.find('a2a'), head(200)),
        '{"jsonrpc":"2.0","id":1,"result":{"kind":"task","id":"t","contextId":"c","status":{"state":"failed","message":{"kind":"message","messageId":"m","role":"agent","parts":[{"kind":"text","text":"no"}]}}}}',
      ],
      [
        new ReplyReading(ALL_PROTOCOLS.find('agent-api'), head(200, 'text/event-stream')),
        'data: {"error":"no"}\n\n',
      ],
    ] as const;
    assert.deepEqual(
      rows.map(([reader, text]) => read(reader, text)),
      [
        { status: 'error', code: '404', message: 'no' },
        { status: 'error', message: 'no' },
        { status: 'error', code: '5000', message: 'no', session: 's-1' },
        { status: 'error', code: '-32602', message: 'no' },
        { status: 'error', message: 'no' },
        { status: 'error', message: 'no' },
        { status: 'error', message: 'no' },
        { status: 'error', code: '-32603', message: 'no' },
        { status: 'error', message: 'no', session: 'c' },
        { status: 'error', message: 'no' },
      ],
    );
    assert.deepEqual(read(new ReplyReading(ALL_PROTOCOLS.find('other'), head(503)), 'down'), {
      status: 'error',
      code: 'HTTP 503',
      message: 'The agent answered 503 Words',
    });
    assert.deepEqual(read(new ReplyReading(ALL_PROTOCOLS.find('other'), head(200)), 'up'), {
      status: 'ok',
    });
  });

  it('reports failures of protocols that are only recorded', () => {
    const sse = (value: object): string =>
      `data: ${JSON.stringify({ type: 'TEXT' })}\n\ndata: ${JSON.stringify(value)}\n\n`;
    const unknown = (status: number, type?: string): ReplyReading =>
      new ReplyReading(undefined, head(status, type));
    const runError = { type: 'RUN_ERROR', message: 'no model', code: 'E1' };
    const anthropic = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    const openAi = { error: { message: 'Bad key', type: 'auth', code: null } };
    const cancelled = {
      status: 'cancelled',
      code: 'cancelled',
      message: 'The agent says that the turn was cancelled',
    };
    const acp = JSON.stringify({ jsonrpc: '2.0', id: 2, result: { stopReason: 'cancelled' } });
    assert.deepEqual(
      [
        read(unknown(200, 'text/event-stream'), sse(runError)),
        read(unknown(200), JSON.stringify(runError)),
        read(unknown(200, 'text/event-stream'), sse(anthropic)),
        read(unknown(401), JSON.stringify(openAi)),
        read(unknown(200), JSON.stringify({ stopReason: 'cancelled' })),
        recogniseReply(ALL_PROTOCOLS.find('mcp'), acp),
        recogniseReply(ALL_PROTOCOLS.find('mcp'), acp.replace('cancelled', 'end_turn')),
        read(unknown(200), '{"type":"TEXT","text":"RUN_ERROR"}'),
      ],
      [
        { status: 'error', code: 'E1', message: 'no model' },
        { status: 'error', code: 'E1', message: 'no model' },
        { status: 'error', code: 'overloaded_error', message: 'Overloaded' },
        { status: 'error', code: 'HTTP 401', message: 'The agent answered 401 Words: Bad key' },
        cancelled,
        { ...cancelled, notes: [] },
        { status: 'ok', notes: [] },
        { status: 'ok' },
      ],
    );
  });

  it('does not read a long body that is no stream, and says so', () => {
    const reader = new ReplyReading(ALL_PROTOCOLS.find('mcp'), head(200));
    const piece = 'x'.repeat(100_000);
    for (let count = 0; count < 12; count++) reader.push(piece);
    assert.deepEqual(reader.end(), {
      status: 'ok',
      notes: ['The reply is longer than 1 MiB; the outcome of the call is taken from its head'],
    });
  });

  it('reads the last event of a stream also where no empty line follows', () => {
    const completed = { id: 'resp_1', object: 'response', status: 'completed', output: [] };
    const usage = { input_tokens: 3, output_tokens: 4 };
    const last = { type: 'response.completed', response: { ...completed, usage, conversation: { id: 'c' } } };
    assert.deepEqual(
      read(
        new ReplyReading(ALL_PROTOCOLS.find('responses'), head(200, 'text/event-stream')),
        `event: response.completed\ndata: ${JSON.stringify(last)}\n`,
      ),
      { status: 'ok', usage: { input: 3, output: 4 } },
    );
    const task = { id: 'a-task-with-a-long-id', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } };
    assert.deepEqual(
      read(
        new ReplyReading(ALL_PROTOCOLS.find('a2a'), head(200, 'text/event-stream')),
        `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: { task } })}`,
      ),
      { status: 'ok', session: 'c', names: [{ scheme: 'a2a', trace: task.id }] },
    );
  });

  it('hears what a server asks its caller, across pieces', () => {
    const reader = new ReplyReading(ALL_PROTOCOLS.find('mcp'), head(200, 'text/event-stream'));
    const ask = '{"jsonrpc":"2.0","id":"q","method":"sampling/createMessage","params":{}}';
    const text = `data: {"jsonrpc":"2.0","method":"notifications/progress","params":{}}\n\nevent: message\ndata: ${ask}\n\n`;
    const asked = (text.match(/[^]{1,7}/g) ?? []).flatMap(piece => reader.push(piece).map(each => each.text));
    assert.deepEqual(asked, [ask]);
  });
});

describe('the usage of a reply', () => {
  const rows: readonly (readonly [text: string, usage: unknown])[] = [
    ['{"id":"r","object":"response","usage":{"input_tokens":3,"output_tokens":4}}', { input: 3, output: 4 }],
    ['{"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7}}', { input: 3, output: 4 }],
    ['{"jsonrpc":"2.0","id":1,"result":{"_meta":{"usage":{"inputTokens":3}}}}', { input: 3 }],
    ['{"result":{"task":{"metadata":{"usage":{"inputTokens":3}}}}}', { input: 3 }],
    ['{"result":{"statusUpdate":{"metadata":{"usage":{"prompt_tokens":3}}}}}', { input: 3 }],
    [
      '{"result":{"statusUpdate":{"status":{"message":{"metadata":{"usage":{"input_tokens":3}}}}}}}',
      { input: 3 },
    ],
    ['{"result":{"artifactUpdate":{"artifact":{"metadata":{"usage":{"output_tokens":4}}}}}}', { output: 4 }],
    [
      'event: a\ndata: {"usage":{"output_tokens":1}}\n\nevent: b\ndata: {"response":{"usage":{"output_tokens":9}}}\n\n',
      { output: 9 },
    ],
    [
      'data: {"type":"message_start","message":{"model":"m-1","usage":{"input_tokens":12,"cache_read_input_tokens":4,"output_tokens":1}}}\n\ndata: {"type":"content_block_delta","delta":{"text":"hi"}}\n\ndata: {"type":"message_delta","usage":{"output_tokens":5}}\n\n',
      { model: 'm-1', input: 12, cached: 4, output: 5 },
    ],
    [
      '{"model":"m-2","choices":[],"usage":{"prompt_tokens":9,"prompt_tokens_details":{"cached_tokens":2},"completion_tokens":7,"completion_tokens_details":{"reasoning_tokens":3}}}',
      { model: 'm-2', input: 9, cached: 2, output: 7, reasoning: 3 },
    ],
    [
      'data: {"type":"response.completed","response":{"model":"m-3","usage":{"input_tokens":9,"input_tokens_details":{"cached_tokens":0},"output_tokens":7,"output_tokens_details":{"reasoning_tokens":0}}}}\n\n',
      { model: 'm-3', input: 9, cached: 0, output: 7, reasoning: 0 },
    ],
    [
      '{"modelVersion":"g","usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":2,"cachedContentTokenCount":3,"thoughtsTokenCount":4}}',
      { model: 'g', input: 1, output: 2, cached: 3, reasoning: 4 },
    ],
    ['{"model":"o","prompt_eval_count":26,"eval_count":259}', { model: 'o', input: 26, output: 259 }],
    ['{"model":"m","choices":[]}', { model: 'm' }],
    ['{"usage":{"input_tokens":-3,"output_tokens":"4"}}', undefined],
    ['{"tokens":5}', undefined],
    ['OK|tokens', undefined],
  ];
  for (const [text, usage] of rows) {
    it(`reads ${JSON.stringify(text.slice(0, 60))}`, () =>
      assert.deepEqual(recogniseReply(undefined, text).usage, usage));
  }

  it('reads the totals at the end of a long stream', () => {
    const text = `data: {"t":"${'x'.repeat(1000)}"}\n\n`.repeat(2_000);
    const stream = `data: {"model":"m","usage":{"input_tokens":2}}\n\n${text}data: {"usage":{"output_tokens":5}}\n\n`;
    assert.deepEqual(recogniseReply(undefined, stream).usage, { model: 'm', input: 2, output: 5 });
  });

  it('merges the lines of a reply', () => {
    const lines = '{"model":"o","done":false}\n{"model":"o","prompt_eval_count":26,"eval_count":259}\n';
    assert.deepEqual(recogniseReply(undefined, lines).usage, { model: 'o', input: 26, output: 259 });
  });
});
