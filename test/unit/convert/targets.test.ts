import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ConversionName } from '../../../core/catalog/conversions.ts';
import { convertText } from '../../../protocols/convert/convert.ts';
import { readMessages } from '../../../protocols/convert/read-text.ts';
import { areSameMessages } from '../../support/conversions.ts';
import type { Message } from '../../../core/message/message.ts';
import { Report } from '../../../core/message/report.ts';

const messagesOf = (text: string, from?: ConversionName): readonly Message[] =>
  readMessages(text, { protocols: ALL_PROTOCOLS, from, report: new Report() }).messages.map(
    ({ message }) => message,
  );

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
    losses: ['[1].session', '[2].session', '[3].session'],
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
            id: 'fc_67ca',
            status: 'completed',
            type: 'function_call',
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
    it: 'a conversation of OpenAI is one of the Agent API',
    from: '{"model":"m","input":[{"role":"user","content":"a"},{"type":"message","id":"m1","content":[{"type":"output_text","text":"b"}],"role":"assistant"}]}\n',
    to: 'agent-api',
    lines: [
      {
        input: [
          { object: 'message', type: 'message', role: 'user', content: [{ type: 'text', text: 'a' }] },
          {
            object: 'message',
            id: 'm1',
            type: 'message',
            role: 'assistant',
            content: [{ type: 'text', text: 'b' }],
          },
        ],
        model: 'm',
      },
    ],
  },
  {
    it: 'a message of several parts is a task of LightAICL with inputs',
    from: '{"model":"m","input":[{"role":"user","content":[{"type":"input_text","text":"what is this?"},{"type":"input_image","image_url":"https://example.org/u"}]}]}\n',
    to: 'aicl',
    lines: [
      '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:session],[s:msg_type]:[s:task_request],[s:task]:[s:what is this?],[s:constraints]:[d:[s:model]:[s:m],[s:inputs]:[l:[d:[s:type]:[s:image],[s:url]:[s:https://example.org/u]]]]]',
    ],
  },
  {
    it: 'a task of LightAICL with inputs and constraints is a message of A2A',
    from: '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:session],[s:msg_type]:[s:task_request],[s:task]:[s:Look],[s:constraints]:[d:[s:max]:[i:3],[s:inputs]:[l:[d:[s:type]:[s:image],[s:value]:[s:https://example.org/u]]]]]\n',
    to: 'a2a',
    losses: ['constraints', 'content[1]'],
    lines: [
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'SendMessage',
        params: {
          message: {
            messageId: 'msg-1',
            role: 'ROLE_USER',
            parts: [{ text: 'Look' }, { url: 'https://example.org/u' }, { data: { max: 3 } }],
          },
        },
      },
    ],
  },
  {
    it: 'an event without words is an empty value among the chunks of LightAICL',
    losses: ['[3].data'],
    from: '{"kind":"chunk","event":"created"}\n{"kind":"chunk","data":"Hi"}\n{"kind":"end"}\n',
    to: 'aicl',
    lines: [
      '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:session],[s:msg_type]:[s:result],[s:data]:[d:],[s:stream_id]:[s:stream_1/2],[s:event]:[s:created]]',
      '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:session],[s:msg_type]:[s:result],[s:data]:[s:Hi],[s:stream_id]:[s:stream_2/2],[s:is_final]:[b:true]]',
    ],
  },
  {
    it: 'a message of several parts has content',
    from: '{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"role":"user","parts":[{"kind":"text","text":"analyse"},{"kind":"file","file":{"uri":"https://example.org/u","mimeType":"audio/wav"}}],"messageId":"msg-1","kind":"message"}}}\n',
    to: 'json',
    lines: [
      {
        kind: 'task',
        content: [
          { type: 'text', text: 'analyse' },
          { type: 'audio', url: 'https://example.org/u', mimeType: 'audio/wav' },
        ],
        rest: { a2a: { $method: 'message/send' } },
      },
    ],
  },
  {
    it: 'what a task asks for is its result where it has no artifact',
    from: '{"jsonrpc":"2.0","id":1,"result":{"task":{"id":"t1","status":{"state":"TASK_STATE_INPUT_REQUIRED","message":{"messageId":"x","role":"ROLE_AGENT","parts":[{"text":"which city?"}]}}}}}\n',
    to: 'aicf',
    lines: ['OK|which city?'],
    losses: ['task.id'],
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
          content: [{ type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' }],
        },
      },
    ],
    losses: ['content[0]'],
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
          structuredContent: { protocol: 'aicf', code: 500, text: 'kaput' },
          isError: true,
        },
      },
      {
        jsonrpc: '2.0',
        id: 2,
        result: {
          content: [{ type: 'text', text: 'no' }],
          structuredContent: { protocol: 'aip', text: 'no', data: { success: false, error: 'no' } },
          isError: true,
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
    from: '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"other"}],"structuredContent":{"protocol":"aicf","code":500,"text":"kaput"},"isError":true}}\n',
    to: 'json',
    lines: [
      {
        kind: 'error',
        protocol: 'mcp',
        text: 'other',
        data: {
          content: [{ type: 'text', text: 'other' }],
          structuredContent: { protocol: 'aicf', code: 500, text: 'kaput' },
          isError: true,
        },
      },
    ],
  },
  {
    it: 'a method that is not a tool is reported, and its losses in AICF by their own paths',
    from: '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///a","_meta":{"progressToken":"p"}}}\n',
    to: 'aicf',
    lines: ['CALL|resources/read|file:///a'],
    losses: ['arguments', 'params._meta.progressToken'],
    notes: [
      "'resources/read' is a method of MCP and no tool; it is written as a call of a tool by that name",
    ],
  },
];

describe('messages as the other protocol has them', () => {
  for (const { it: name, from, to, lines, losses = [], notes = [] } of EXAMPLES)
    it(name, () => {
      const converted = convertText(from, { protocols: ALL_PROTOCOLS, to, layout: 'compact' });
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
      if (losses.length === 0) assert.ok(areSameMessages(messagesOf(converted.text, to), messagesOf(from)));
    });

  it('answers requests in their own sessions', () => {
    const request = (session: string): string => `{"kind":"call","session":"${session}","tool":"t"}\n`;
    const reply = (session: string): string => `{"kind":"result","session":"${session}","data":1}\n`;
    const source = `${request('a')}${request('b')}${reply('b')}{"kind":"call","tool":"t"}\n${reply('c')}${reply('a')}`;
    const converted = convertText(source, {
      protocols: ALL_PROTOCOLS,
      to: 'json-rpc',
      layout: 'compact',
    }).text;
    const ids = converted.split('\n').map(line => /"id":(\d+)/.exec(line)?.[1]);
    assert.deepEqual(ids, ['1', '2', '2', '3', '3', '1', undefined]);
    const isReply = ({ kind }: Message): boolean => kind === 'result';
    assert.deepEqual(messagesOf(converted).map(isReply), messagesOf(source).map(isReply));
  });

  it('begins an artifact of A2A before more is added to it', () => {
    const { text } = convertText('STREAM|a\nSTREAM|b\nEND\nSTREAM|c\nEND\n', {
      protocols: ALL_PROTOCOLS,
      to: 'a2a',
    });
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
    assert.ok(areSameMessages(messagesOf(text), messagesOf('STREAM|a\nSTREAM|b\nEND\nSTREAM|c\nEND\n')));
  });

  it('writes a stream as the reply that it amounts to, where replies come whole', () => {
    const parts = '{"kind":"chunk","content":"Hi"}\n{"kind":"chunk","content":" you"}\n{"kind":"end"}\n';
    for (const to of ['responses', 'agent-api', 'mcp', 'aio', 'json-rpc'] as const) {
      const { text, losses, notes, messages } = convertText(parts, {
        protocols: ALL_PROTOCOLS,
        to,
        layout: 'compact',
      });
      assert.deepEqual(
        messagesOf(text, to).map(({ kind, fields }) => [kind, fields.data]),
        [['result', { kind: 'text', text: 'Hi you' }]],
      );
      assert.deepEqual([losses, notes.length], [[], 1]);
      assert.deepEqual(
        messages.map(({ result }) => result),
        [{ start: 0, end: text.length }, undefined, undefined],
      );
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
    const { text } = convertText(source, { protocols: ALL_PROTOCOLS, to: 'json', layout: 'compact' });
    assert.equal(
      text,
      '{"kind":"result","id":9,"data":"Hi","rest":{"responses":{"created_at":5,"model":"m"}}}\n',
    );
    assert.ok(
      areSameMessages(
        messagesOf(convertText(text, { protocols: ALL_PROTOCOLS, to: 'responses' }).text),
        messagesOf(source),
      ),
    );
  });

  it('frames one request of a file as written, whatever else the file holds', () => {
    const text = 'CALL|t|x\nSTREAM|a\nEND\n';
    const one = convertText(text, {
      protocols: ALL_PROTOCOLS,
      to: 'a2a',
      layout: 'compact',
      within: { start: 0, end: 5 },
    }).text;
    assert.ok(one.startsWith('{"jsonrpc"'), one);
    assert.ok(
      convertText('STREAM|a\nEND\n', { protocols: ALL_PROTOCOLS, to: 'a2a' }).text.startsWith('data: '),
    );
    const { text: mixed } = convertText(text, { protocols: ALL_PROTOCOLS, to: 'a2a', layout: 'compact' });
    assert.equal(mixed.split('\n').filter(line => line.startsWith('{"jsonrpc"')).length, 3);
    assert.ok(areSameMessages(messagesOf(mixed).slice(1), messagesOf(text).slice(1)));
  });

  it('reads replies by the protocol of their request', () => {
    const protocolsOf = (text: string): readonly string[] =>
      readMessages(text, { protocols: ALL_PROTOCOLS, report: new Report() }).messages.map(
        ({ protocol }) => protocol,
      );
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
