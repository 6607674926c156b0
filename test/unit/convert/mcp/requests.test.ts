import { mcpShape } from '../../../../protocols/mcp/shape.ts';
import { checkExample, type Example } from '../../../support/shape-examples.ts';

const RPC = { jsonrpc: '2.0', id: 1 };
const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

const EXAMPLES: readonly Example[] = [
  {
    it: 'a tool call, as OpenStarry writes it',
    text: {
      ...RPC,
      method: 'tools/call',
      params: { name: 'fs:read_file', arguments: { path: 'README.md' } },
    },
    kind: 'call',
    fields: { tool: 'fs:read_file', arguments: { path: 'README.md' } },
  },
  {
    it: 'a tool call of 2026-07-28 with a trace',
    text: {
      ...RPC,
      method: 'tools/call',
      params: { name: 'add', arguments: { a: 1 }, _meta: { traceparent: TRACEPARENT, ...MODERN } },
    },
    kind: 'call',
    fields: {
      tool: 'add',
      arguments: { a: 1 },
      trace: TRACEPARENT,
      rest: { mcp: { params: { _meta: MODERN } } },
    },
  },
  {
    it: 'a trace of OpenStarry, which stays what only MCP knows',
    text: {
      ...RPC,
      method: 'tools/call',
      params: { name: 'x', _meta: { 'X-OpenStarry-Trace-ID': 't-1', 'X-OpenStarry-Trace-Depth': 2 } },
    },
    kind: 'call',
    fields: {
      tool: 'x',
      rest: { mcp: { params: { _meta: { 'X-OpenStarry-Trace-ID': 't-1', 'X-OpenStarry-Trace-Depth': 2 } } } },
    },
  },
  { it: 'a list of tools', text: { ...RPC, method: 'tools/list' }, kind: 'list', fields: {} },
  {
    it: 'the next page of it',
    text: { jsonrpc: '2.0', id: 'p-2', method: 'tools/list', params: { cursor: 'abc' } },
    kind: 'list',
    fields: { id: 'p-2', rest: { mcp: { params: { cursor: 'abc' } } } },
  },
  {
    it: 'initialize with what a client can do',
    text: {
      ...RPC,
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: { roots: { listChanged: true } },
        clientInfo: { name: 'probe', version: '1.2.3' },
      },
    },
    kind: 'negotiate',
    fields: {
      supported: ['2025-06-18'],
      rest: {
        mcp: {
          params: {
            capabilities: { roots: { listChanged: true } },
            clientInfo: { name: 'probe', version: '1.2.3' },
          },
        },
      },
    },
  },
  {
    it: 'server/discover of 2026-07-28',
    text: { ...RPC, method: 'server/discover', params: { _meta: MODERN } },
    kind: 'negotiate',
    fields: {
      supported: ['2026-07-28'],
      rest: {
        mcp: {
          $method: 'server/discover',
          params: { _meta: { 'io.modelcontextprotocol/clientCapabilities': {} } },
        },
      },
    },
  },
  {
    it: 'progress',
    text: {
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 1, progress: 5, total: 10, message: 'halfway' },
    },
    kind: 'chunk',
    fields: { event: 'progress', data: { progressToken: 1, progress: 5, total: 10, message: 'halfway' } },
  },
  {
    it: 'another notification',
    text: { jsonrpc: '2.0', method: 'notifications/initialized' },
    kind: 'call',
    fields: {
      id: null,
      tool: 'notifications/initialized',
      rest: { mcp: { $method: 'notifications/initialized' } },
    },
  },
  {
    it: 'a method without a kind of its own',
    text: { ...RPC, method: 'resources/read', params: { uri: 'file:///a', _meta: { progressToken: 7 } } },
    kind: 'call',
    fields: {
      tool: 'resources/read',
      arguments: { uri: 'file:///a' },
      rest: { mcp: { $method: 'resources/read', params: { _meta: { progressToken: 7 } } } },
    },
  },
  {
    it: 'a request of the server',
    text: {
      jsonrpc: '2.0',
      id: 's1',
      method: 'sampling/createMessage',
      params: { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 100 },
    },
    kind: 'task',
    fields: {
      id: 's1',
      task: 'Hi',
      rest: { mcp: { $method: 'sampling/createMessage', params: { maxTokens: 100 } } },
    },
  },
  {
    it: 'a conversation for a model',
    text: {
      ...RPC,
      method: 'sampling/createMessage',
      params: {
        messages: [
          { role: 'user', content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }] },
          { role: 'assistant', content: { type: 'text', text: 'Hi' }, _meta: { x: 1 } },
        ],
        systemPrompt: 'Be brief',
        maxTokens: 4096,
      },
    },
    kind: 'task',
    fields: {
      items: [
        {
          type: 'message',
          role: 'user',
          content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }],
          rest: { mcp: { $single: false } },
        },
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'text', text: 'Hi' }],
          rest: { mcp: { _meta: { x: 1 } } },
        },
      ],
      rest: { mcp: { $method: 'sampling/createMessage', params: { systemPrompt: 'Be brief' } } },
    },
    written: {
      ...RPC,
      method: 'sampling/createMessage',
      params: {
        messages: [
          { role: 'user', content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }] },
          { role: 'assistant', content: { type: 'text', text: 'Hi' }, _meta: { x: 1 } },
        ],
        maxTokens: 4096,
        systemPrompt: 'Be brief',
      },
    },
  },
  {
    it: 'a ping without a version',
    text: { method: 'ping', id: 1 },
    kind: 'call',
    fields: { tool: 'ping', rest: { mcp: { $method: 'ping' } } },
    written: { ...RPC, method: 'ping' },
  },
  {
    it: 'members of the wrong type',
    text: { ...RPC, method: 'tools/call', params: { name: 5, arguments: 'x', _meta: 5 } },
    kind: 'call',
    fields: { tool: 5, arguments: 'x', rest: { mcp: { params: { _meta: 5 } } } },
  },
  {
    it: 'params that are null',
    text: { ...RPC, method: 'tools/list', params: null },
    kind: 'list',
    fields: { rest: { mcp: { params: null } } },
  },
];

describe('requests of MCP and the neutral message', () => {
  for (const example of EXAMPLES) it(example.it, () => checkExample(mcpShape, example));
});
