import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ConversionName } from '../../../core/catalog/conversions.ts';
import { convertText } from '../../../protocols/convert/convert.ts';
import { readMessages } from '../../../protocols/convert/read-text.ts';
import { Report } from '../../../core/message/report.ts';

const messagesOf = (text: string, from?: ConversionName): unknown =>
  readMessages(text, { from, report: new Report() }).messages.map(({ message }) => message);

const aicl = (fields: string): string => `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],${fields}]\n`;

interface Example {
  readonly it: string;
  readonly from: string;
  readonly to: ConversionName;
  readonly lines: readonly (string | object)[];
  readonly losses?: readonly string[];
  readonly notes?: readonly string[];
}

/** What a person who knows the other protocol would write. */
const EXAMPLES: readonly Example[] = [
  {
    it: 'a text that is called content is the text of a message of A2A',
    from: aicl('[s:msg_type]:[s:result],[s:content]:[s:fine]'),
    to: 'a2a',
    lines: [
      {
        jsonrpc: '2.0',
        id: 1,
        result: {
          message: {
            messageId: 'msg-1',
            role: 'ROLE_AGENT',
            parts: [{ text: 'fine' }],
            contextId: 's1',
            metadata: { parley: { content: 'fine' } },
          },
        },
      },
    ],
  },
  {
    it: 'the parts of a stream that are called content are lines of AICF',
    from:
      aicl('[s:msg_type]:[s:result],[s:content]:[s:par],[s:stream_id]:[s:stream_1/2]') +
      aicl('[s:msg_type]:[s:result],[s:content]:[s:t],[s:stream_id]:[s:stream_2/2],[s:is_final]:[b:true]'),
    to: 'aicf',
    lines: ['STREAM|par', 'STREAM|t', 'END'],
    losses: ['[1].content', '[1].session', '[2].content', '[2].session', '[3].session'],
  },
  {
    it: 'a call without arguments names its tool in A2A',
    from: '{"kind":"call","tool":"screenshot"}\n',
    to: 'a2a',
    lines: [
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'SendMessage',
        params: {
          message: { messageId: 'msg-1', role: 'ROLE_USER', parts: [{ data: { tool: 'screenshot' } }] },
        },
      },
    ],
  },
  {
    it: 'a call that OpenAI answered with is a call in the Agent API',
    from: '{"id":"resp_1","object":"response","created_at":0,"status":"completed","output":[{"type":"function_call","id":"fc_67ca","call_id":"call_un","name":"get_weather","arguments":"{}","status":"completed"}]}\n',
    to: 'agent-api',
    lines: [
      {
        object: 'response',
        status: 'completed',
        error: null,
        id: 'response_1',
        created_at: 0,
        completed_at: null,
        output: [
          {
            object: 'message',
            status: 'completed',
            type: 'function_call',
            id: 'fc_67ca',
            role: 'assistant',
            content: [{ type: 'data', data: { call_id: 'call_un', name: 'get_weather', arguments: '{}' } }],
          },
        ],
        usage: null,
        session_id: null,
      },
    ],
  },
  {
    it: 'a message with its content before its role keeps that order',
    from: '{"model":"m","input":[{"role":"user","content":"a"},{"type":"message","id":"m1","content":[{"type":"output_text","text":"b"}],"role":"assistant"}]}\n',
    to: 'agent-api',
    lines: [
      {
        input: [
          { object: 'message', type: 'message', role: 'user', content: [{ type: 'text', text: 'a' }] },
          {
            object: 'message',
            type: 'message',
            id: 'm1',
            content: [{ type: 'text', text: 'b' }],
            role: 'assistant',
          },
        ],
        parley: { rest: { responses: { model: 'm' } } },
      },
    ],
  },
  {
    it: 'a conversation is a task of LightAICL that says what was said last',
    from: '{"model":"m","input":[{"role":"user","content":[{"type":"input_text","text":"what is this?"},{"type":"input_image","image_url":"u"}]}]}\n',
    to: 'aicl',
    lines: [
      '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:parley],[s:msg_type]:[s:task_request],[s:task]:[s:what is this?],[s:constraints]:[d:],[s:parley]:[d:[s:kind]:[s:task],[s:items]:[l:[d:[s:type]:[s:message],[s:role]:[s:user],[s:content]:[l:[d:[s:type]:[s:input_text],[s:text]:[s:what is this?]],[d:[s:type]:[s:input_image],[s:image_url]:[s:u]]]]],[s:rest]:[d:[s:responses]:[d:[s:model]:[s:m]]]]]',
    ],
  },
  {
    it: 'an event without words is an empty text among the chunks of LightAICL',
    from: '{"kind":"chunk","event":"created"}\n{"kind":"chunk","data":"Hi"}\n{"kind":"end"}\n',
    to: 'aicl',
    lines: [
      '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:parley],[s:msg_type]:[s:result],[s:data]:[s:],[s:stream_id]:[s:stream_1/2],[s:parley]:[d:[s:kind]:[s:chunk],[s:event]:[s:created]]]',
      '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:parley],[s:msg_type]:[s:result],[s:data]:[s:Hi],[s:stream_id]:[s:stream_2/2],[s:is_final]:[b:true]]',
    ],
  },
  {
    it: 'a message of several parts is a conversation',
    from: '{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"role":"user","parts":[{"kind":"text","text":"analyse"},{"kind":"file","file":{"uri":"u"}}],"messageId":"msg-1","kind":"message"}}}\n',
    to: 'json',
    lines: [
      {
        kind: 'task',
        items: [
          {
            type: 'message',
            role: 'user',
            content: [
              { type: 'input_text', text: 'analyse' },
              { type: 'input_file', file_url: 'u' },
            ],
          },
        ],
        rest: { a2a: { method: 'message/send' } },
      },
    ],
  },
  {
    it: 'what a task asks for is its result where it has no artifact',
    from: '{"jsonrpc":"2.0","id":1,"result":{"task":{"id":"t1","status":{"state":"TASK_STATE_INPUT_REQUIRED","message":{"messageId":"x","role":"ROLE_AGENT","parts":[{"text":"which city?"}]}}}}}\n',
    to: 'aicf',
    lines: ['OK|which city?'],
    losses: ['task'],
  },
  {
    it: 'values of AIO are blocks of MCP',
    from: '{"jsonrpc":"2.0","id":1,"outputs":[{"type":"image","value":"iVBORw0KGgo="}]}\n',
    to: 'mcp',
    lines: [
      {
        jsonrpc: '2.0',
        id: 1,
        result: {
          content: [{ type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png', _meta: { parley: {} } }],
        },
      },
    ],
  },
  {
    it: 'a tool that failed is a result of MCP that says so',
    from: 'ERR|500|kaput\nOK|{"success":false,"error":"no"}\nERR|500|no [aicl 4001]\n',
    to: 'mcp',
    lines: [
      {
        jsonrpc: '2.0',
        id: 1,
        result: {
          content: [{ type: 'text', text: 'kaput' }],
          isError: true,
          _meta: { parley: { error: { protocol: 'aicf', code: 500, text: 'kaput' } } },
        },
      },
      {
        jsonrpc: '2.0',
        id: 2,
        result: {
          content: [{ type: 'text', text: 'no' }],
          isError: true,
          _meta: {
            parley: { error: { protocol: 'aip', text: 'no', data: { success: false, error: 'no' } } },
          },
        },
      },
      {
        jsonrpc: '2.0',
        id: 3,
        error: { code: -32603, message: 'no', data: { protocol: 'aicl', code: 4001, text: 'no' } },
      },
    ],
  },
  {
    it: 'a result of MCP that names an error which it does not tell is an error of its own',
    from: '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"other"}],"isError":true,"_meta":{"parley":{"error":{"protocol":"aicf","code":500,"text":"kaput"}}}}}\n',
    to: 'json',
    lines: [
      {
        kind: 'error',
        protocol: 'mcp',
        text: 'other',
        data: { content: [{ type: 'text', text: 'other' }], isError: true },
        rest: { parley: { error: { protocol: 'aicf', code: 500, text: 'kaput' } } },
      },
    ],
  },
  {
    it: 'a method that is no tool is told, and what AICF cannot say of it by its own path',
    from: '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///a","_meta":{"progressToken":"p"}}}\n',
    to: 'aicf',
    lines: ['CALL|resources/read|file:///a'],
    losses: ['arguments', ''],
    notes: [
      "'resources/read' is a method of MCP and no tool; it is written as a call of a tool by that name",
    ],
  },
];

describe('messages as the other protocol has them', () => {
  for (const { it: name, from, to, lines, losses = [], notes = [] } of EXAMPLES)
    it(name, () => {
      const converted = convertText(from, { to, layout: 'compact' });
      const expected = lines.map(line => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
      assert.equal(converted.text, expected.join(''));
      assert.deepEqual(
        converted.losses.map(({ path }) => path),
        losses,
      );
      assert.deepEqual(
        converted.notes.map(({ message }) => message),
        notes,
      );
      if (losses.length === 0) assert.deepEqual(messagesOf(converted.text, to), messagesOf(from));
    });

  it('answers requests in their own sessions', () => {
    const request = (session: string): string => `{"kind":"call","session":"${session}","tool":"t"}\n`;
    const reply = (session: string): string => `{"kind":"result","session":"${session}","data":1}\n`;
    const source = `${request('a')}${request('b')}${reply('b')}{"kind":"call","tool":"t"}\n${reply('c')}${reply('a')}`;
    const converted = convertText(source, { to: 'json-rpc', layout: 'compact' }).text;
    const ids = converted.split('\n').map(line => /"id":(\d+)/.exec(line)?.[1]);
    assert.deepEqual(ids, ['1', '2', '2', '3', '3', '1', undefined]);
    assert.deepEqual(messagesOf(converted), messagesOf(source));
  });

  it('begins an artifact of A2A before more is added to it', () => {
    const { text } = convertText('STREAM|a\nSTREAM|b\nEND\nSTREAM|c\nEND\n', { to: 'a2a' });
    const appends = text
      .split('\n')
      .map(line => [/"text":"(\w)"/.exec(line)?.[1], line.includes('"append":true')]);
    assert.deepEqual(
      appends.filter(([letter]) => letter),
      [
        ['a', false],
        ['b', true],
        ['c', false],
      ],
    );
    assert.deepEqual(messagesOf(text), messagesOf('STREAM|a\nSTREAM|b\nEND\nSTREAM|c\nEND\n'));
  });

  it('streams a text that is called content as text', () => {
    const parts = '{"kind":"chunk","content":"Hi"}\n{"kind":"chunk","content":" you"}\n{"kind":"end"}\n';
    const events = (to: ConversionName): string => convertText(parts, { to }).text;
    assert.deepEqual(events('responses').match(/"(?:delta|text)":"[^"]*"/g), [
      '"text":""',
      '"delta":"Hi"',
      '"delta":" you"',
      '"text":"Hi you"',
      '"text":"Hi you"',
      '"text":"Hi you"',
      '"text":"Hi you"',
    ]);
    for (const to of ['responses', 'agent-api', 'a2a'] as const) {
      assert.ok(!events(to).includes('heartbeat') && !events(to).includes('parley.part'), to);
      assert.deepEqual(messagesOf(events(to)), messagesOf(parts));
    }
  });

  it('reads a stream of a server that leaves out what says nothing', () => {
    const item = '"output_index":0,"content_index":0,"item_id":"msg_1"';
    const response = (status: string, more: string): string =>
      `{"id":"resp_9","object":"response","created_at":5,"status":"${status}","error":null,"model":"m","metadata":{},"parallel_tool_calls":true,"tool_choice":"auto",${more}}`;
    const message =
      '{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Hi"}]}';
    const events = [
      `{"type":"response.created","response":${response('in_progress', '"output":[]')}}`,
      `{"type":"response.in_progress","response":${response('in_progress', '"output":[]')}}`,
      '{"type":"response.output_item.added","output_index":0,"item":{"id":"msg_1","type":"message","status":"in_progress","role":"assistant","content":[]}}',
      `{"type":"response.content_part.added",${item},"part":{"type":"output_text","text":""}}`,
      `{"type":"response.output_text.delta",${item},"delta":"Hi"}`,
      `{"type":"response.output_text.done",${item},"text":"Hi"}`,
      `{"type":"response.content_part.done",${item},"part":{"type":"output_text","text":"Hi"}}`,
      `{"type":"response.output_item.done","output_index":0,"item":${message}}`,
      `{"type":"response.completed","response":${response('completed', `"output":[${message}]`)}}`,
    ];
    const source = events.map(data => `data: ${data}\n\n`).join('');
    const { text } = convertText(source, { to: 'json', layout: 'compact' });
    assert.equal(
      text,
      '{"kind":"chunk","event":"created","rest":{"responses":{"members":{"response":{"id":"resp_9","created_at":5,"model":"m"}}}}}\n' +
        '{"kind":"chunk","data":"Hi"}\n{"kind":"end"}\n',
    );
    assert.deepEqual(messagesOf(convertText(text, { to: 'responses' }).text), messagesOf(source));
  });

  it('frames one request of a file as it stands, whatever else the file holds', () => {
    const text = 'CALL|t|x\nSTREAM|a\nEND\n';
    const one = convertText(text, { to: 'a2a', layout: 'compact', within: { start: 0, end: 5 } }).text;
    assert.ok(one.startsWith('{"jsonrpc"'), one);
    assert.ok(convertText('STREAM|a\nEND\n', { to: 'a2a' }).text.startsWith('data: '));
    const { text: mixed } = convertText(text, { to: 'a2a', layout: 'compact' });
    assert.equal(mixed.split('\n').filter(line => line.startsWith('{"jsonrpc"')).length, 3);
    assert.deepEqual(messagesOf(mixed), messagesOf(text));
  });

  it('reads replies by the protocol of their request', () => {
    const protocolsOf = (text: string): readonly string[] =>
      readMessages(text, { report: new Report() }).messages.map(({ protocol }) => protocol);
    const rpc = (json: object): string => `${JSON.stringify({ jsonrpc: '2.0', id: 1, ...json })}\n`;
    const tools = rpc({ result: { tools: [] } });
    assert.deepEqual(protocolsOf(rpc({ method: 'aip.capabilities.list' }) + tools), ['json-rpc', 'json-rpc']);
    assert.deepEqual(protocolsOf(rpc({ result: {} }) + tools), ['json-rpc', 'mcp']);
    const fault = rpc({ error: { code: -32001, message: 'Task not found' } });
    assert.deepEqual(protocolsOf(rpc({ method: 'tasks/get', params: { id: 't' } }) + fault), ['a2a', 'a2a']);
    assert.deepEqual(protocolsOf(rpc({ method: 'tasks/get', params: { taskId: 't' } }) + fault), [
      'mcp',
      'mcp',
    ]);
  });
});
