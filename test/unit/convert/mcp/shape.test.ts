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
    it: 'a number as data',
    given: neutral('result', { data: 42, session: 's1' }),
    text: {
      ...RPC,
      result: {
        content: [{ type: 'text', text: '42' }],
        _meta: { parley: { session: 's1', block: 'data-json' } },
      },
    },
  },
  {
    it: 'a tensor as data',
    given: message('result', { data: { kind: 'tensor', source: 'uint8:1:0R' } }),
    text: {
      ...RPC,
      result: {
        content: [{ type: 'text', text: '{"$tensor":{"dtype":"uint8","shape":[1],"base64":"AQ=="}}' }],
        _meta: { parley: { block: 'data-json' } },
      },
    },
  },
  {
    it: 'null as data',
    given: message('result', { data: NULL }),
    text: {
      ...RPC,
      result: { content: [{ type: 'text', text: 'null' }], _meta: { parley: { block: 'data-json' } } },
    },
  },
  {
    it: 'content that is a text',
    given: message('result', { content: textValue('hi') }),
    text: {
      ...RPC,
      result: { content: [{ type: 'text', text: 'hi' }], _meta: { parley: { block: 'content-text' } } },
    },
  },
  {
    it: 'content that is one text block',
    given: neutral('result', { content: [{ type: 'text', text: 'hi' }] }),
    text: {
      ...RPC,
      result: { content: [{ type: 'text', text: 'hi' }], _meta: { parley: { block: 'content' } } },
    },
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
        _meta: { parley: { listed: 'declaration' } },
      },
    },
  },
  {
    it: 'a description of one tool',
    given: neutral('describe', { tool: 'add' }),
    text: { ...RPC, method: 'tools/list', params: { _meta: { parley: { kind: 'describe', tool: 'add' } } } },
    told: ['MCP describes no tool alone, so the list of all tools is asked for'],
  },
  {
    it: 'a task',
    given: neutral('task', { task: 'Find the bug', constraints: { language: 'de' }, agent: 'coder' }),
    text: {
      ...RPC,
      method: 'parley/task',
      params: {
        task: 'Find the bug',
        constraints: { language: 'de' },
        _meta: { parley: { agent: 'coder' } },
      },
    },
    told: ['MCP has no message for a task: a server refuses `parley/task`'],
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
        clientInfo: { name: 'parley', version: '1' },
        _meta: { parley: { supported: ['LightAICL', 'AICF'], version: 'usual' } },
      },
    },
    told: [
      'MCP negotiates one version of MCP; `initialize` names 2025-11-25, which the message does not say',
    ],
  },
  {
    it: 'tools without a schema',
    given: neutral('result', { tools: [{ name: 'a' }] }),
    text: { ...RPC, result: { tools: [{ name: 'a' }] } },
    told: ['MCP wants an `inputSchema` of each tool: a client refuses a list of tools without'],
  },
  {
    it: 'arguments by place',
    given: neutral('call', { tool: 'ping', arguments: [] }),
    text: {
      ...RPC,
      method: 'tools/call',
      params: { name: 'ping', _meta: { parley: { arguments: [] } } },
    },
  },
  {
    it: 'an error of LightAICL',
    given: neutral('error', { protocol: 'aicl', code: 3001, text: 'TOOL_UNAVAILABLE', session: 's1' }),
    text: {
      ...RPC,
      error: {
        code: -32602,
        message: 'Tool not found: TOOL_UNAVAILABLE',
        data: {
          protocol: 'aicl',
          code: 3001,
          text: 'TOOL_UNAVAILABLE',
          parley: { session: 's1' },
        },
      },
    },
  },
  {
    it: 'an error whose data has no room for more',
    given: neutral('error', { protocol: 'mcp', code: -32603, text: 'x', data: [1], session: 's1' }),
    text: {
      ...RPC,
      error: { code: -32603, message: 'x', data: { parley: { session: 's1', data: [1] } } },
    },
  },
  {
    it: 'what only MCP knows, if it would change the message',
    given: neutral('list', { rest: { mcp: { method: 'ping' } } }),
    text: {
      ...RPC,
      method: 'tools/list',
      params: { _meta: { parley: { rest: { mcp: { method: 'ping' } } } } },
    },
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
    ['our error in MCP', 'mcp', { ...RPC, error: { code: 1, message: 'x', data: { parley: {} } } }],
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
