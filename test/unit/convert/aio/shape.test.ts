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
    reported: ['AIO requires a `trace_id` in each request; Parley gives one to requests that it sends'],
  },
  {
    it: 'a method of a module with its trace',
    text: { ...RPC, method: 'agent::resources.list', params: {}, trace_id: 'AIO-TR-20250326-0001' },
    kind: 'call',
    fields: {
      tool: 'resources.list',
      arguments: {},
      trace: 'AIO-TR-20250326-0001',
      rest: { aio: { $method: 'agent::resources.list' } },
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
    it: 'a task of several values',
    text: {
      ...RPC,
      method: 'llm::sampling.start',
      params: {
        inputs: [
          { type: 'text', value: 'Compare' },
          { type: 'image', value: 'https://example.org/a.png' },
          { type: 'file', value: 'data:application/pdf;base64,JVBERi0=' },
        ],
      },
      trace_id: 't',
    },
    kind: 'task',
    fields: {
      agent: 'llm',
      trace: 't',
      content: [
        { type: 'text', text: 'Compare' },
        { type: 'image', url: 'https://example.org/a.png' },
        { type: 'file', data: 'JVBERi0=', mimeType: 'application/pdf', rest: { aio: { $form: 'url' } } },
      ],
    },
  },
  {
    it: 'a task that is a bare text',
    text: { ...RPC, method: 'llm::sampling.start', params: { input: 'Hi' }, trace_id: 't' },
    kind: 'task',
    fields: { agent: 'llm', trace: 't', task: 'Hi', rest: { aio: { $form: 'text' } } },
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
      content: [{ type: 'image', data: 'aGk=' }],
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
    fields: { agent: 'reader', trace: 't', rest: { aio: { $method: 'reader::tools_list' } } },
  },
  {
    it: 'a method without an agent',
    text: { ...RPC, method: 'tools_call', params: { tool: 'x' }, trace_id: 't' },
    kind: 'call',
    fields: { tool: 'x', trace: 't', rest: { aio: { $method: 'tools_call' } } },
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
    fields: { data: 'hi', rest: { aio: { $under: 'value' } } },
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
    fields: { protocol: 'aio', text: 'no such file', rest: { aio: { $under: 'output' } } },
  },
  {
    it: 'an error in an output that says more',
    text: { ...RPC, output: { type: 'error', message: 'no such file', path: 'a' } },
    kind: 'error',
    fields: {
      protocol: 'aio',
      text: 'no such file',
      data: { type: 'error', message: 'no such file', path: 'a' },
      rest: { aio: { $under: 'output' } },
    },
  },
  {
    it: 'an error',
    text: { ...RPC, error: { code: -32601, message: 'No method' }, trace_id: 't' },
    kind: 'error',
    fields: { trace: 't', protocol: 'aio', code: -32601, text: 'No method' },
  },
];

const NO_TRACE = 'AIO requires a `trace_id` in each request; Parley gives one to requests that it sends';

const FOREIGN: readonly ForeignExample[] = [
  {
    it: 'content that is a text',
    given: neutral('result', { content: 'fine' }),
    text: { ...RPC, result: 'fine' },
  },
  {
    it: 'content of every kind',
    given: neutral('result', {
      content: [
        { type: 'text', text: 'a' },
        { type: 'image', data: 'aGk=', mimeType: 'image/png' },
        { type: 'audio', url: 'https://example.org/a.mp3' },
        { type: 'file', data: 'aGk=', name: 'a.bin' },
        { type: 'file', id: 'file-1' },
        { type: 'data', data: { x: 1 } },
        { type: 'refusal', text: 'no' },
      ],
    }),
    text: {
      ...RPC,
      outputs: [
        { type: 'text', value: 'a' },
        { type: 'image', value: 'aGk=', mimeType: 'image/png' },
        { type: 'audio', value: 'https://example.org/a.mp3' },
        { type: 'file', value: 'aGk=', name: 'a.bin' },
        { type: 'text', value: '{"type":"file","id":"file-1"}' },
        { type: 'text', value: '{"x":1}' },
        { type: 'text', value: 'no' },
      ],
    },
    reported: [
      'moved content[1]',
      'moved content[3]',
      'moved content[4]',
      'moved content[5]',
      'moved content[6]',
    ],
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
    text: { ...RPC, result: 1 },
    reported: ['dropped trace'],
  },
  {
    it: 'data that looks like a list of tools',
    given: neutral('result', { data: { tools: [] }, trace: 't' }),
    text: { ...RPC, result: { tools: [] }, trace_id: 't' },
    reported: ['moved data'],
  },
  {
    it: 'a result without a word',
    given: neutral('result', { session: 's1' }),
    text: { ...RPC, result: {} },
    reported: ['dropped session', 'guessed data'],
  },
  {
    it: 'an agent whose name would be cut',
    given: neutral('call', { agent: 'a::b', tool: 'x', arguments: {}, trace: 't' }),
    text: { ...RPC, method: 'agent::tools.call', params: { tool: 'x', args: {} }, trace_id: 't' },
    reported: ['dropped agent'],
  },
  {
    it: 'a task with constraints and a time limit',
    given: neutral('task', { task: 'Find it', constraints: { max: 3 }, deadline: 9, trace: 't' }),
    text: {
      ...RPC,
      method: 'agent::sampling.start',
      params: {
        inputs: [
          { type: 'text', value: 'Find it' },
          { type: 'text', value: '{"max":3}' },
        ],
      },
      trace_id: 't',
    },
    reported: ['moved constraints', 'moved content[1]', 'dropped deadline'],
  },
  {
    it: 'the inputs of a task in LightAICL, which are values of AIO',
    given: neutral('task', {
      task: 'Look',
      constraints: { inputs: [{ type: 'image', value: 'https://example.org/a.png' }] },
      trace: 't',
    }),
    text: {
      ...RPC,
      method: 'agent::sampling.start',
      params: {
        inputs: [
          { type: 'text', value: 'Look' },
          { type: 'image', value: 'https://example.org/a.png' },
        ],
      },
      trace_id: 't',
    },
  },
  {
    it: 'a query',
    given: neutral('query', { query: 'q', format: 'csv' }),
    text: { ...RPC, method: 'agent::sampling.start', params: { input: { type: 'text', value: 'q' } } },
    reported: ['moved', 'dropped format', NO_TRACE],
  },
  {
    it: 'a part of a stream',
    given: neutral('chunk', { data: 'He', trace: 't' }),
    text: { ...RPC, result: 'He', trace_id: 't' },
    reported: ['moved'],
  },
];

describe('AIO-MCP and the neutral message', () => {
  for (const example of EXAMPLES) it(example.it, () => checkExample(aioShape, example));
});

describe('messages of other protocols in AIO-MCP', () => {
  for (const example of FOREIGN) it(example.it, () => checkForeign(aioShape, example));
});
