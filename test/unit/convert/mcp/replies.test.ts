import { mcpShape } from '../../../../protocols/mcp/shape.ts';
import { checkExample, type Example } from '../../../support/shape-examples.ts';

const RPC = { jsonrpc: '2.0', id: 1 };
const PLANNED = { content: [{ type: 'text', text: 'No such city' }], isError: true };

const EXAMPLES: readonly Example[] = [
  {
    it: 'a text, as OpenStarry writes it',
    text: { ...RPC, result: { content: [{ type: 'text', text: '# Project Readme...' }] } },
    kind: 'result',
    fields: { data: '# Project Readme...' },
  },
  {
    it: 'structured content with the text that belongs to it',
    text: {
      ...RPC,
      result: { content: [{ type: 'text', text: '{"t":22,"u":"C"}' }], structuredContent: { t: 22, u: 'C' } },
    },
    kind: 'result',
    fields: { data: { t: 22, u: 'C' } },
  },
  {
    it: 'structured content with its text as FastMCP prints it',
    text: {
      ...RPC,
      result: { content: [{ type: 'text', text: '{"t": 22.5}' }], structuredContent: { t: 22.5 } },
    },
    kind: 'result',
    fields: {
      data: { t: 22.5 },
      rest: {
        mcp: {
          $blocks: {
            content: [{ type: 'text', text: '{"t": 22.5}' }],
            structuredContent: { t: 22.5 },
          },
        },
      },
    },
    written: {
      ...RPC,
      result: { content: [{ type: 'text', text: '{"t": 22.5}' }], structuredContent: { t: 22.5 } },
    },
  },
  {
    it: 'a value that FastMCP puts into an object, with the text of it alone',
    text: {
      ...RPC,
      result: { content: [{ type: 'text', text: 'sunny' }], structuredContent: { result: 'sunny' } },
    },
    kind: 'result',
    fields: {
      data: 'sunny',
      rest: {
        mcp: {
          $blocks: {
            content: [{ type: 'text', text: 'sunny' }],
            structuredContent: { result: 'sunny' },
          },
        },
      },
    },
  },
  {
    it: 'an object with a text that is called result',
    text: {
      ...RPC,
      result: { content: [{ type: 'text', text: '{"result":"x"}' }], structuredContent: { result: 'x' } },
    },
    kind: 'result',
    fields: { data: { result: 'x' } },
  },
  {
    it: 'structured content with another text',
    text: { ...RPC, result: { content: [{ type: 'text', text: '22 °C' }], structuredContent: { t: 22 } } },
    kind: 'result',
    fields: {
      data: { t: 22 },
      content: [{ type: 'text', text: '22 °C' }],
      rest: {
        mcp: {
          $blocks: { content: [{ type: 'text', text: '22 °C' }], structuredContent: { t: 22 } },
        },
      },
    },
  },
  {
    it: 'structured content alone',
    text: { ...RPC, result: { structuredContent: { t: 22 } } },
    kind: 'result',
    fields: { data: { t: 22 }, rest: { mcp: { $blocks: { structuredContent: { t: 22 } } } } },
  },
  {
    it: 'a list as structured content, of 2026-07-28',
    text: {
      ...RPC,
      result: {
        content: [{ type: 'text', text: '[1,2]' }],
        structuredContent: [1, 2],
        resultType: 'complete',
      },
    },
    kind: 'result',
    fields: {
      data: [1, 2],
      rest: {
        mcp: {
          $blocks: { content: [{ type: 'text', text: '[1,2]' }], structuredContent: [1, 2] },
          result: { resultType: 'complete' },
        },
      },
    },
  },
  {
    it: 'several blocks',
    text: {
      ...RPC,
      result: {
        content: [
          { type: 'text', text: 'See' },
          { type: 'image', data: 'aGk=', mimeType: 'image/png' },
          { type: 'resource_link', uri: 'file:///a', name: 'a', title: 'A' },
          { type: 'resource', resource: { uri: 'file:///a%20b', mimeType: 'video/mp4', blob: 'aGk=' } },
          { type: 'resource', resource: { uri: 'repo://x', text: 'y', _meta: { z: 1 } } },
          { type: 'text', text: 'w', annotations: { priority: 1 } },
          { type: 'tool_use', id: 't', name: 'x', input: {} },
        ],
        isError: false,
      },
    },
    kind: 'result',
    fields: {
      content: [
        { type: 'text', text: 'See' },
        { type: 'image', data: 'aGk=', mimeType: 'image/png' },
        { type: 'file', url: 'file:///a', name: 'a', rest: { mcp: { title: 'A' } } },
        { type: 'video', data: 'aGk=', mimeType: 'video/mp4', name: 'a b' },
        { type: 'text', text: 'y', uri: 'repo://x', rest: { mcp: { resource: { _meta: { z: 1 } } } } },
        { type: 'text', text: 'w', rest: { mcp: { annotations: { priority: 1 } } } },
        {
          type: 'data',
          data: { type: 'tool_use', id: 't', name: 'x', input: {} },
          rest: { mcp: { $form: 'own' } },
        },
      ],
      rest: { mcp: { result: { isError: false } } },
    },
  },
  {
    it: 'a list of tools',
    text: {
      ...RPC,
      result: {
        tools: [{ name: 'add', description: 'Adds', inputSchema: { type: 'object' } }],
        nextCursor: 'abc',
      },
    },
    kind: 'result',
    fields: {
      tools: [{ name: 'add', description: 'Adds', inputSchema: { type: 'object' } }],
      rest: { mcp: { result: { nextCursor: 'abc' } } },
    },
  },
  {
    it: 'that of initialize without a frame, as OpenStarry shows it',
    text: {
      protocolVersion: '2024-11-05',
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'openstarry-coder', version: '1.0.0' },
    },
    kind: 'result',
    fields: {
      data: {
        protocolVersion: '2024-11-05',
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'openstarry-coder', version: '1.0.0' },
      },
    },
    written: {
      ...RPC,
      result: {
        protocolVersion: '2024-11-05',
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'openstarry-coder', version: '1.0.0' },
      },
    },
  },
  {
    it: 'that of server/discover',
    text: {
      ...RPC,
      result: {
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {} },
        ttlMs: 0,
        cacheScope: 'private',
        resultType: 'complete',
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 's', version: '1' } },
      },
    },
    kind: 'result',
    fields: {
      data: {
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {} },
        ttlMs: 0,
        cacheScope: 'private',
      },
      rest: {
        mcp: {
          result: {
            resultType: 'complete',
            _meta: { 'io.modelcontextprotocol/serverInfo': { name: 's', version: '1' } },
          },
        },
      },
    },
    written: {
      ...RPC,
      result: {
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {} },
        ttlMs: 0,
        cacheScope: 'private',
        resultType: 'complete',
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 's', version: '1' } },
      },
    },
  },
  {
    it: 'a resource',
    text: { ...RPC, result: { contents: [{ uri: 'file:///a', text: 'x' }] } },
    kind: 'result',
    fields: {
      data: { contents: [{ uri: 'file:///a', text: 'x' }] },
    },
    isPlain: true,
  },
  {
    it: 'a prompt, which another result could look like',
    text: { ...RPC, result: { messages: [{ role: 'user', content: { type: 'text', text: 'x' } }] } },
    kind: 'result',
    fields: {
      data: { messages: [{ role: 'user', content: { type: 'text', text: 'x' } }] },
      rest: { mcp: { $whole: true } },
    },
    isPlain: true,
  },
  {
    it: 'an empty one',
    text: { ...RPC, result: { content: [] } },
    kind: 'result',
    fields: {},
  },
  {
    it: 'that of a ping',
    text: { ...RPC, result: {} },
    kind: 'result',
    fields: { rest: { mcp: { $whole: true } } },
    isPlain: true,
  },
  {
    it: 'a tool that failed',
    text: { ...RPC, result: PLANNED },
    kind: 'error',
    fields: { protocol: 'mcp', text: 'No such city', data: PLANNED },
  },
  {
    it: 'the recursion guard',
    text: { ...RPC, error: { code: -33007, message: 'Recursion limit' } },
    kind: 'error',
    fields: { protocol: 'mcp', code: -33007, text: 'Recursion limit' },
    isPlain: true,
  },
  {
    it: 'an error with data and unknown members',
    text: {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32602, message: 'Unknown tool', data: { tool: 'x' }, hint: 'h' },
    },
    kind: 'error',
    fields: {
      id: null,
      protocol: 'mcp',
      code: -32602,
      text: 'Unknown tool',
      data: { tool: 'x' },
      rest: { mcp: { error: { hint: 'h' } } },
    },
    isPlain: true,
  },
];

describe('replies of MCP and the neutral message', () => {
  for (const example of EXAMPLES) it(example.it, () => checkExample(mcpShape, example));
});
