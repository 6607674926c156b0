import assert from 'node:assert/strict';
import { aioShape } from '../../../../protocols/aio/shape.ts';
import { mcpShape } from '../../../../protocols/mcp/shape.ts';
import { message } from '../../../../core/message/message.ts';
import { NULL, textValue } from '../../../../core/values/value.ts';
import {
  checkForeign,
  neutral,
  parse,
  readIn,
  type ForeignExample,
} from '../../../support/shape-examples.ts';

const RPC = { jsonrpc: '2.0', id: 1 };

const FOREIGN: readonly ForeignExample[] = [
  {
    it: 'a number as data, as FastMCP has it',
    given: neutral('result', { data: 42 }),
    text: { ...RPC, result: { content: [{ type: 'text', text: '42' }], structuredContent: { result: 42 } } },
  },
  {
    it: 'a tensor as data',
    given: message('result', { data: { kind: 'tensor', source: 'uint8:1:0R' } }),
    text: {
      ...RPC,
      result: {
        content: [{ type: 'text', text: '{"$tensor":{"dtype":"uint8","shape":[1],"base64":"AQ=="}}' }],
        structuredContent: { result: { $tensor: { dtype: 'uint8', shape: [1], base64: 'AQ==' } } },
      },
    },
  },
  {
    it: 'null as data',
    given: message('result', { data: NULL }),
    text: {
      ...RPC,
      result: { content: [{ type: 'text', text: 'null' }], structuredContent: { result: null } },
    },
  },
  {
    it: 'content that is a text, and a session, which has no place',
    given: message('result', { content: textValue('hi'), session: textValue('s1') }),
    text: { ...RPC, result: { content: [{ type: 'text', text: 'hi' }] } },
    reported: ['dropped session'],
  },
  {
    it: 'content of every kind',
    given: neutral('result', {
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: '# b', mimeType: 'text/markdown', name: 'b.md' },
        { type: 'image', data: 'iVBORw0KGgo=' },
        { type: 'image', url: 'https://example.org/a.png', mimeType: 'image/png' },
        { type: 'audio', data: 'aGk=', mimeType: 'audio/wav', name: 'x.wav' },
        { type: 'video', data: 'aGk=', mimeType: 'video/mp4' },
        { type: 'file', data: 'aGk=', name: 'a b.pdf' },
        { type: 'file', data: 'no base64' },
        { type: 'file', id: 'file-1' },
        { type: 'data', data: { x: 1 } },
        { type: 'refusal', text: 'no' },
      ],
    }),
    text: {
      ...RPC,
      result: {
        content: [
          { type: 'text', text: 'a' },
          {
            type: 'resource',
            resource: { uri: 'file:///b.md', mimeType: 'text/markdown', text: '# b' },
          },
          { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
          {
            type: 'resource_link',
            uri: 'https://example.org/a.png',
            name: 'https://example.org/a.png',
            mimeType: 'image/png',
          },
          { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' },
          { type: 'resource', resource: { uri: 'file:///video', mimeType: 'video/mp4', blob: 'aGk=' } },
          { type: 'resource', resource: { uri: 'file:///a%20b.pdf', blob: 'aGk=' } },
          { type: 'text', text: 'data:application/octet-stream;base64,no base64' },
          { type: 'text', text: '{"type":"file","id":"file-1"}' },
          { type: 'text', text: '{"x":1}' },
          { type: 'text', text: 'no' },
        ],
        structuredContent: { x: 1 },
      },
    },
    reported: [
      'moved content[2]',
      'moved content[3]',
      'moved content[5]',
      'moved content[7]',
      'guessed content[7]',
      'moved content[8]',
      'moved content[10]',
      'dropped content[4].name',
    ],
  },
  {
    it: 'a conversation, whose messages stand in one content',
    given: neutral('result', {
      items: [
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] },
        { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'a' }] },
        { type: 'function_call', call_id: 'c', name: 't', arguments: '{}' },
      ],
    }),
    text: {
      ...RPC,
      result: {
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: '{"type":"function_call","call_id":"c","name":"t","arguments":"{}"}' },
        ],
        structuredContent: { type: 'function_call', call_id: 'c', name: 't', arguments: '{}' },
      },
    },
    reported: ['dropped items[0]', 'moved items[2]', 'moved items'],
  },
  {
    it: 'the declaration of a tool',
    given: neutral('result', {
      declaration: {
        name: 'add',
        description: 'Adds',
        arguments: [
          { name: 'a', type: 'number', optional: false },
          { name: 'b', type: 'number', optional: true },
        ],
      },
    }),
    text: {
      ...RPC,
      result: {
        tools: [
          {
            name: 'add',
            description: 'Adds',
            inputSchema: {
              type: 'object',
              properties: { a: { type: 'number' }, b: { type: 'number' } },
              required: ['a'],
            },
          },
        ],
      },
    },
    reported: ['moved declaration'],
  },
  {
    it: 'a description of one tool',
    given: neutral('describe', { tool: 'add' }),
    text: { ...RPC, method: 'tools/list' },
    reported: ['moved', 'dropped tool'],
  },
  {
    it: 'a task, which is what a model is given',
    given: neutral('task', { task: 'Find the bug', constraints: { language: 'de' }, agent: 'coder' }),
    text: {
      ...RPC,
      method: 'sampling/createMessage',
      params: {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Find the bug' },
              { type: 'text', text: '{"language":"de"}' },
            ],
          },
        ],
        maxTokens: 4096,
      },
    },
    reported: ['moved', 'moved constraints', 'moved content[1]', 'dropped agent'],
  },
  {
    it: 'a conversation as a task',
    given: neutral('task', {
      items: [
        { type: 'message', role: 'system', content: [{ type: 'text', text: 'Be brief' }] },
        { type: 'message', role: 'user', content: [{ type: 'image', url: 'https://example.org/a.png' }] },
        { type: 'function_call', call_id: 'c', name: 't', arguments: '{}' },
      ],
    }),
    text: {
      ...RPC,
      method: 'sampling/createMessage',
      params: {
        messages: [
          { role: 'user', content: { type: 'text', text: 'Be brief' } },
          { role: 'user', content: { type: 'text', text: 'https://example.org/a.png' } },
          {
            role: 'assistant',
            content: {
              type: 'text',
              text: '{"type":"function_call","call_id":"c","name":"t","arguments":"{}"}',
            },
          },
        ],
        maxTokens: 4096,
      },
    },
    reported: ['moved', 'moved items[0]', 'moved items[2]', 'moved items[1]', 'moved items[2]'],
  },
  {
    it: 'a query',
    given: neutral('query', { query: 'q', format: 'csv' }),
    text: {
      ...RPC,
      method: 'tools/call',
      params: { name: 'query', arguments: { query: 'q', format: 'csv' } },
    },
    reported: ['moved'],
  },
  {
    it: 'versions of another protocol',
    given: neutral('negotiate', { supported: ['LightAICL', 'AICF'] }),
    text: {
      ...RPC,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'client', version: '1' },
      },
    },
    reported: ['guessed supported'],
  },
  {
    it: 'tools without a schema',
    given: neutral('result', { tools: [{ name: 'a' }] }),
    text: { ...RPC, result: { tools: [{ name: 'a' }] } },
    reported: ['MCP requires an `inputSchema` for each tool: a client refuses a list of tools without'],
  },
  {
    it: 'arguments by place',
    given: neutral('call', { tool: 'ping', arguments: ['x'] }),
    text: { ...RPC, method: 'tools/call', params: { name: 'ping', arguments: { arg1: 'x' } } },
    reported: ['guessed arguments'],
  },
  {
    it: 'an error of LightAICL',
    given: neutral('error', { protocol: 'aicl', code: 3001, text: 'TOOL_UNAVAILABLE' }),
    text: {
      ...RPC,
      error: {
        code: -32602,
        message: 'Tool not found: TOOL_UNAVAILABLE',
        data: { protocol: 'aicl', code: 3001, text: 'TOOL_UNAVAILABLE' },
      },
    },
  },
  {
    it: 'a tool that failed in LightAICL',
    given: neutral('error', { protocol: 'aicl', code: 5000, text: 'boom' }),
    text: {
      ...RPC,
      result: {
        content: [{ type: 'text', text: 'boom' }],
        structuredContent: { protocol: 'aicl', code: 5000, text: 'boom' },
        isError: true,
      },
    },
  },
  {
    it: 'a part of a stream',
    given: neutral('chunk', { data: 'He' }),
    text: { ...RPC, result: { content: [{ type: 'text', text: 'He' }] } },
    reported: ['moved'],
  },
  {
    it: 'what another protocol alone knows',
    given: neutral('list', { rest: { 'agent-api': { usage: { tokens: 1 } } } }),
    text: { ...RPC, method: 'tools/list' },
    reported: ['dropped usage.tokens'],
  },
];

describe('messages of other protocols in MCP', () => {
  for (const example of FOREIGN) it(example.it, () => checkForeign(mcpShape, example));
});

describe('which of MCP and AIO-MCP a value is', () => {
  const cases: readonly (readonly [string, string, object])[] = [
    ['a trace graph', '', { trace_id: 't', calls: [{ id: 1 }] }],
    ['a plain reply', '', { ...RPC, result: { x: 1 } }],
    ['an AIP request', '', { ...RPC, method: 'aip.tool.invoke', params: {} }],
    ['an A2A request', '', { ...RPC, method: 'message/send', params: {} }],
    ['an unknown method with _meta', 'mcp', { ...RPC, method: 'x', params: { _meta: {} } }],
    ['an error, which could be of any', '', { ...RPC, error: { code: 1, message: 'x' } }],
    ['any reply with a trace', 'aio', { ...RPC, result: 1, trace_id: 't' }],
    ['a response of OpenAI', '', { object: 'response', output: [] }],
    ['a method that is no text', '', { ...RPC, method: 5 }],
  ];
  for (const [title, expected, value] of cases)
    it(title, () => {
      const found = parse(JSON.stringify(value));
      const names = [mcpShape.recognises(found) ? 'mcp' : '', aioShape.recognises(found) ? 'aio' : ''];
      assert.equal(names.join(''), expected);
    });

  it('reads no message from other values', () => {
    for (const text of ['5', '[]', '{}', '{"method":5}', '{"trace_id":"t","calls":[]}']) {
      assert.equal(readIn(mcpShape, text), undefined, text);
      assert.equal(readIn(aioShape, text), undefined, text);
    }
  });
});
