import { aioShape } from '../../../../protocols/aio/shape.ts';
import {
  checkExample,
  checkForeign,
  neutral,
  type Example,
  type ForeignExample,
} from '../../../support/shape-examples.ts';

const RPC = { jsonrpc: '2.0', id: 1 };

const EXAMPLES: readonly Example[] = [
  {
    it: 'a tool call, as the document writes it',
    text: { method: 'math_agent::tools.call', params: { tool: 'calculate_area', args: { x: 3, y: 4 } } },
    kind: 'call',
    fields: { id: null, agent: 'math_agent', tool: 'calculate_area', arguments: { x: 3, y: 4 } },
    written: {
      jsonrpc: '2.0',
      method: 'math_agent::tools.call',
      params: { tool: 'calculate_area', args: { x: 3, y: 4 } },
    },
    told: ['AIO wants a `trace_id` in each request; Parley gives one to requests that it sends'],
  },
  {
    it: 'a method of a module with its trace',
    text: { ...RPC, method: 'agent::resources.list', params: {}, trace_id: 'AIO-TR-20250326-0001' },
    kind: 'call',
    fields: {
      tool: 'resources.list',
      arguments: {},
      trace: 'AIO-TR-20250326-0001',
      rest: { aio: { method: 'agent::resources.list' } },
    },
  },
  {
    it: 'a task, as the document writes it',
    text: {
      ...RPC,
      method: 'llm_agent::sampling.start',
      params: { input: { type: 'text', value: 'Please summarize this document...' } },
      trace_id: 't',
    },
    kind: 'task',
    fields: { agent: 'llm_agent', trace: 't', task: 'Please summarize this document...' },
  },
  {
    it: 'a task that is a picture',
    text: {
      ...RPC,
      method: 'llm::sampling.start',
      params: { input: { type: 'image', value: 'aGk=' }, temperature: 1 },
      trace_id: 't',
    },
    kind: 'task',
    fields: {
      agent: 'llm',
      trace: 't',
      task: { type: 'image', value: 'aGk=' },
      rest: { aio: { params: { temperature: 1 } } },
    },
  },
  {
    it: 'help',
    text: { ...RPC, method: 'reader::help', trace_id: 't' },
    kind: 'describe',
    fields: { agent: 'reader', trace: 't' },
  },
  {
    it: 'a list of tools with underscores',
    text: { ...RPC, method: 'reader::tools_list', trace_id: 't' },
    kind: 'list',
    fields: { agent: 'reader', trace: 't', rest: { aio: { method: 'reader::tools_list' } } },
  },
  {
    it: 'a method without an agent',
    text: { ...RPC, method: 'tools_call', params: { tool: 'x' }, trace_id: 't' },
    kind: 'call',
    fields: { tool: 'x', trace: 't', rest: { aio: { method: 'tools_call' } } },
  },
  {
    it: 'the resources of the document',
    text: { result: { resources: [{ id: 'doc-001', title: 'Spec Sheet', type: 'pdf' }] } },
    kind: 'result',
    fields: { data: { resources: [{ id: 'doc-001', title: 'Spec Sheet', type: 'pdf' }] } },
    written: { ...RPC, result: { resources: [{ id: 'doc-001', title: 'Spec Sheet', type: 'pdf' }] } },
    isPlain: true,
  },
  {
    it: 'tools',
    text: { ...RPC, result: { tools: ['add'] }, trace_id: 't' },
    kind: 'result',
    fields: { tools: ['add'], trace: 't' },
  },
  {
    it: 'an output',
    text: { ...RPC, output: { type: 'text', value: 'hi' } },
    kind: 'result',
    fields: { data: 'hi', rest: { aio: { result: 'output-text' } } },
  },
  {
    it: 'outputs with a note',
    text: { ...RPC, outputs: [{ type: 'image', value: 'aGk=' }], trace_id: 't', partial: true },
    kind: 'result',
    fields: { content: [{ type: 'image', data: 'aGk=' }], trace: 't', rest: { aio: { partial: true } } },
  },
  {
    it: 'an error in an output',
    text: { ...RPC, output: { type: 'error', value: 'no such file' } },
    kind: 'error',
    fields: { protocol: 'aio', text: 'no such file', rest: { aio: { result: 'output' } } },
  },
  {
    it: 'an error in an output that says more',
    text: { ...RPC, output: { type: 'error', message: 'no such file', path: 'a' } },
    kind: 'error',
    fields: {
      protocol: 'aio',
      text: 'no such file',
      data: { type: 'error', message: 'no such file', path: 'a' },
      rest: { aio: { result: 'output' } },
    },
  },
  {
    it: 'an error',
    text: { ...RPC, error: { code: -32601, message: 'No method' }, trace_id: 't' },
    kind: 'error',
    fields: { trace: 't', protocol: 'aio', code: -32601, text: 'No method' },
  },
];

const FOREIGN: readonly ForeignExample[] = [
  {
    it: 'content that is a text',
    given: neutral('result', { content: 'fine' }),
    text: { ...RPC, output: { type: 'text', value: 'fine' }, parley: { means: 'content' } },
  },
  {
    it: 'the declaration of a tool',
    given: neutral('result', {
      declaration: { name: 'add', arguments: [{ name: 'x', type: 'number', optional: false }] },
    }),
    text: {
      ...RPC,
      result: {
        tool: {
          name: 'add',
          inputSchema: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] },
        },
      },
    },
  },
  {
    it: 'a trace in the W3C form, which is no id of AIO',
    given: neutral('result', { data: 1, trace: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }),
    text: { ...RPC, result: 1, parley: { trace: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` } },
  },
  {
    it: 'data that looks like a list of tools',
    given: neutral('result', { data: { tools: [] }, trace: 't' }),
    text: { ...RPC, result: { tools: [] }, trace_id: 't', parley: { means: 'data' } },
  },
  {
    it: 'a result without a word',
    given: neutral('result', { session: 's1' }),
    text: { ...RPC, result: {}, parley: { session: 's1', means: 'nothing' } },
  },
  {
    it: 'an agent whose name would be cut',
    given: neutral('call', { agent: 'a::b', tool: 'x', arguments: {}, trace: 't' }),
    text: {
      ...RPC,
      method: 'agent::tools.call',
      params: { tool: 'x', args: {} },
      trace_id: 't',
      parley: { agent: 'a::b' },
    },
  },
  {
    it: 'a task that looks like a text',
    given: neutral('task', { task: { type: 'text', value: 'x' }, trace: 't' }),
    text: {
      ...RPC,
      method: 'agent::sampling.start',
      trace_id: 't',
      parley: { task: { type: 'text', value: 'x' } },
    },
  },
  {
    it: 'a query',
    given: neutral('query', { query: 'q', format: 'csv', trace: 't' }),
    text: { ...RPC, method: 'agent::parley.query', params: { query: 'q', format: 'csv' }, trace_id: 't' },
    told: ['AIO has no message for a query: an agent refuses `parley.query`'],
  },
  {
    it: 'a part of a stream',
    given: neutral('chunk', { data: 'He', trace: 't' }),
    text: { jsonrpc: '2.0', method: 'agent::parley.chunk', params: { data: 'He' }, trace_id: 't' },
    told: ['AIO has no message for a part of a stream: an agent refuses `parley.chunk`'],
  },
];

describe('AIO-MCP and the neutral message', () => {
  for (const example of EXAMPLES) it(example.it, () => checkExample(aioShape, example));
});

describe('messages of other protocols in AIO-MCP', () => {
  for (const example of FOREIGN) it(example.it, () => checkForeign(aioShape, example));
});
