import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { TraceProtocol, WireEvent } from '../../../../core/events/events.ts';
import { MAX_PARTS } from '../../../../protocols/reply-parts/draft.ts';
import { PartsReader, readParts } from '../../../../protocols/reply-parts/parts-reader.ts';
import { linesOf, outline, piecesOf, withoutTimes } from './support.ts';
import { runs, sized } from '../../../support/size.ts';

const sse = (data: object, name = ''): string =>
  `${name && `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;

/** Events of the Agent API, numbered from 0. */
const agentApi = (...events: readonly object[]): readonly string[] =>
  events.map((event, index) => sse({ sequence_number: index, ...event }));
const response = (status: string, more: object = {}): object => ({
  object: 'response',
  id: 'r',
  status,
  ...more,
});
const message = (id: string, type: string, status: string, more: object = {}): object => ({
  object: 'message',
  id,
  type,
  role: 'assistant',
  status,
  ...more,
});
const delta = (id: string | null, text: string, more: object = {}): object => ({
  object: 'content',
  type: 'text',
  index: 0,
  delta: true,
  msg_id: id,
  status: 'in_progress',
  text,
  ...more,
});
const data = (id: string, value: object, more: object = {}): object => ({
  object: 'content',
  type: 'data',
  index: 0,
  delta: true,
  msg_id: id,
  status: 'in_progress',
  data: value,
  ...more,
});

const FORECAST = agentApi(
  response('created'),
  message('m1', 'reasoning', 'in_progress'),
  delta('m1', 'The user wants '),
  delta('m1', 'the weather.'),
  message('m1', 'reasoning', 'completed'),
  message('m2', 'plugin_call', 'in_progress'),
  data('m2', { call_id: 'c1', name: 'weather.forecast', arguments: '{"city":' }),
  data('m2', { call_id: 'c1', name: 'weather.forecast', arguments: '"Oslo"}' }),
  message('m2', 'plugin_call', 'completed'),
  message('m3', 'plugin_call_output', 'completed', {
    content: [{ type: 'data', data: { call_id: 'c1', name: 'weather.forecast', output: '"Rain"' } }],
  }),
  message('m4', 'message', 'in_progress'),
  delta('m4', 'Take a coat.'),
  { ...delta('m4', ''), type: 'image', index: 1, image_url: 'https://a.example/rain.png' },
  message('m4', 'message', 'completed'),
  response('completed'),
);

const RESPONSES = [
  { type: 'response.created', response: { object: 'response', id: 'r', status: 'in_progress', output: [] } },
  { type: 'response.output_item.added', output_index: 0, item: { type: 'reasoning', id: 'rs' } },
  {
    type: 'response.reasoning_summary_text.delta',
    item_id: 'rs',
    output_index: 0,
    summary_index: 0,
    delta: 'Hm.',
  },
  {
    type: 'response.output_item.done',
    output_index: 0,
    item: { type: 'reasoning', id: 'rs', summary: [{ type: 'summary_text', text: 'Hm.' }] },
  },
  {
    type: 'response.output_item.added',
    output_index: 1,
    item: { type: 'function_call', id: 'fc', name: 'add' },
  },
  { type: 'response.function_call_arguments.delta', item_id: 'fc', output_index: 1, delta: '{"x"' },
  { type: 'response.function_call_arguments.delta', item_id: 'fc', output_index: 1, delta: ':1}' },
  {
    type: 'response.output_item.done',
    output_index: 1,
    item: { type: 'function_call', id: 'fc', name: 'add', arguments: '{"x":1}', status: 'completed' },
  },
  { type: 'response.output_text.delta', item_id: 'm', output_index: 2, content_index: 0, delta: 'Two' },
  { type: 'response.output_text.delta', item_id: 'm', output_index: 2, content_index: 1, delta: 'Three' },
  {
    type: 'response.completed',
    response: {
      object: 'response',
      id: 'r',
      status: 'completed',
      output: [{ type: 'web_search_call', id: 'w', status: 'completed', action: { query: 'sum' } }],
    },
  },
].map(event => sse(event, event.type));

const HEAD = '[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]:';
const chunk = (k: number, n: number, text = `part ${k}`): string =>
  `[d:${HEAD}[s:result],[s:data]:[s:${text}],[s:stream_id]:[s:x_${k}/${n}],[s:is_final]:[b:${k === n}]]\n`;

const rpc = (more: object): object => ({ jsonrpc: '2.0', ...more });
const progress = (count: number, more: object = {}): object =>
  rpc({
    method: 'notifications/progress',
    params: { progressToken: 'p', progress: count, total: 3, ...more },
  });
const RESULT = rpc({ id: 1, result: { content: [{ type: 'text', text: 'counted' }] } });

const a2a = (result: object): string => sse(rpc({ id: 1, result }));
const TASK = [
  a2a({ kind: 'task', id: 't', contextId: 'c', status: { state: 'submitted' } }),
  a2a({
    kind: 'status-update',
    taskId: 't',
    status: { state: 'working', message: { parts: [{ kind: 'text', text: 'On it' }] } },
  }),
  a2a({
    kind: 'artifact-update',
    taskId: 't',
    artifact: { artifactId: 'a', name: 'plan', parts: [{ kind: 'text', text: 'One, ' }] },
  }),
  a2a({
    kind: 'artifact-update',
    taskId: 't',
    append: true,
    lastChunk: true,
    artifact: { artifactId: 'a', parts: [{ kind: 'text', text: 'two' }] },
  }),
  a2a({ kind: 'status-update', taskId: 't', status: { state: 'completed' }, final: true }),
];

describe('the parts of a reply', () => {
  const rows: readonly (readonly [
    what: string,
    protocol: TraceProtocol,
    pieces: readonly string[],
    lines: readonly string[],
  ])[] = [
    [
      'of the Agent API: reasoning, a tool call with its output, and a message of two contents',
      'agent-api',
      FORECAST,
      [
        '0 reasoning ok 110-140 x4 "The user wants the weather."',
        '1 tool [weather.forecast] ok 150-180 x4 "{\\"city\\":\\"Oslo\\"}"',
        '2 output [weather.forecast] ok 190-190 x1 "\\"Rain\\""',
        '3 message ok 200-230 x4',
        '  3/0 text ok 210-210 x1 "Take a coat."',
        '  3/1 media [image] ok 220-220 x1 "https://a.example/rain.png"',
      ],
    ],
    [
      "of the Agent API with the agent's own times, a heartbeat, and a file that is named by its id",
      'agent-api',
      agentApi(
        response('created', { created_at: 1_700_000_000 }),
        message('m0', 'heartbeat', 'completed'),
        message('m1', 'message', 'completed', {
          content: [{ type: 'file', file_id: 'file_7', filename: 'a.txt' }],
        }),
        response('completed', {
          created_at: 1_700_000_000,
          completed_at: 1_700_000_002,
          output: [message('m0', 'heartbeat', 'completed')],
        }),
      ),
      [
        '0 media [file · a.txt · file_7] ok 120-120 x1',
        'latency status [completed] ok 130-130 x1 "took 2 s by the agent\'s clock (created_at to completed_at)"',
      ],
    ],
    [
      'of the Agent API with sequence numbers that are texts, and deltas of numbers',
      'agent-api',
      [
        sse({ sequence_number: '0', ...response('created') }),
        sse({ sequence_number: '1', ...data('m1', { count: 1, share: 0.5, done: false }) }),
        sse({ sequence_number: '3', ...delta('m2', 'B') }),
        sse({ sequence_number: '2', ...delta('m2', 'A') }),
        sse({ sequence_number: '4', ...data('m1', { count: 2, share: 1, done: true }) }),
        sse({ sequence_number: '5', ...response('completed') }),
      ],
      [
        '0 data ok 110-140 x2 "{\\"count\\":3,\\"share\\":1.5,\\"done\\":true}" {It has no end of its own}',
        '1 message ok 120-130 x2 "AB" {It has no end of its own}',
      ],
    ],
    [
      'of the Agent API with times that are no times',
      'agent-api',
      [
        sse(response('completed', { created_at: -1e308, completed_at: 1e308 })),
        sse(response('completed', { created_at: 'now', completed_at: null })),
      ],
      ['— An event came after the response had ended'],
    ],
    [
      'of Responses with times that go backwards',
      'responses',
      [
        sse({
          type: 'response.completed',
          response: { object: 'response', status: 'completed', created_at: 9.5, completed_at: 9, output: [] },
        }),
      ],
      [
        'latency status [completed] ok 100-100 x1 "took -0.5 s by the agent\'s clock (created_at to completed_at)" {completed_at is before created_at}',
      ],
    ],
    [
      'of the Agent API, with all that is odd about them',
      'agent-api',
      agentApi(
        response('created'),
        message('m1', 'message', 'in_progress'),
        delta('m1', 'One'),
        delta(null, ' two', { index: null }),
        message('m1', 'message', 'completed', { content: [{ type: 'text', text: 'Other' }] }),
        delta('m1', ' late'),
        message('m2', 'plugin_call_output', 'completed', {
          content: [{ type: 'data', data: { call_id: 'nobody', output: 'x' } }],
        }),
        message('m3', 'message', 'in_progress'),
        delta('m3', 'cut'),
        response('completed', {
          output: [
            message('m1', 'message', 'completed'),
            message('m2', 'plugin_call_output', 'completed', {
              content: [{ type: 'data', data: { call_id: 'nobody', output: 'x' } }],
            }),
            message('m9', 'message', 'completed', { content: [{ type: 'text', text: 'Never streamed' }] }),
          ],
        }),
        message('m4', 'message', 'completed'),
      ),
      [
        '0 message ok 110-150 x5 "Other" {A message differs from its chunks; the complete one counts} {A content does not name its message and was put into the one written last} {A content does not say which of its message it is} {A content came for a message that had ended}',
        '1 output ok 160-160 x1 "x" {The output of a call belongs to no call of this response}',
        '2 message ok 170-180 x2 "cut" {It has no end of its own}',
        '3 message ok 200-200 x1 {An event came after the response had ended}',
        'output 2 message ok 190-190 x1 "Never streamed"',
      ],
    ],
    [
      'of the Agent API that was cut, in events out of order and with a gap',
      'agent-api',
      [0, 2, 1, 4].map(number =>
        sse({ ...(number === 0 ? response('created') : delta('m', `${number}`)), sequence_number: number }),
      ),
      [
        '0 message incomplete 110-130 x3 "124" {It has no end of its own}',
        '— The numbers of its events have gaps: some may be missing',
        '— The stream did not end; its content may be incomplete',
      ],
    ],
    [
      'of the Agent API that failed on its way',
      'agent-api',
      [sse({ error: 'the model is gone' })],
      ['error error error 100-100 x1 "the model is gone"'],
    ],
    [
      "of OpenAI's Responses, an item among them that no event told of",
      'responses',
      RESPONSES,
      [
        '0 reasoning ok 110-130 x3 "Hm."',
        '1 tool [add] ok 140-170 x4 "{\\"x\\":1}"',
        '2 message ok 180-190 x2 {It has no end of its own}',
        '  2/0 text ok 180-180 x1 "Two"',
        '  2/1 text ok 190-190 x1 "Three"',
        'output 0 tool [web search] ok 200-200 x1 "{\\"query\\":\\"sum\\"}"',
      ],
    ],
    [
      "of OpenAI's Responses in one body",
      'responses',
      [
        '{"object":"response","status":"completed",\n',
        '"output":[{"type":"message","content":[{"type":"output_text","text":"Hi"}]}]}',
      ],
      ['output 0 message ok 100-110 x1 "Hi"'],
    ],
    [
      'of A2A: the states of a task, and an artifact that grew',
      'a2a',
      TASK,
      [
        '0 status [submitted] ok 100-100 x1',
        '1 status [working] ok 110-110 x1 "On it"',
        '2 artifact [plan] ok 120-130 x2 "One, two"',
        '3 status [completed] ok 140-140 x1',
      ],
    ],
    [
      'of A2A 1.0, with all that is odd about them',
      'a2a',
      [
        a2a({ artifactUpdate: { append: true, artifact: { artifactId: 'a', parts: [{ text: 'b' }] } } }),
        a2a({ artifactUpdate: { lastChunk: true, artifact: { artifactId: 'a', parts: [{ text: 'c' }] } } }),
        a2a({ artifactUpdate: { append: true, artifact: { artifactId: 'a', parts: [{ data: { d: 1 } }] } } }),
        a2a({ statusUpdate: { status: { state: 'TASK_STATE_FAILED' } } }),
        a2a({ message: { role: 'ROLE_AGENT', parts: [{ text: 'still here' }] } }),
        sse(rpc({ id: 1, error: { code: -32603, message: 'broken' } })),
        sse({ strange: true }),
      ],
      [
        '0 artifact [a] ok 100-120 x3 {Its beginning did not arrive: the first chunk appends to it} {It was sent again; the last version counts} {More of it arrived after its last chunk}',
        '  0/0 text ok 100-120 x3 "c"',
        '  0/1 data ok 100-120 x3 "{\\"d\\":1}"',
        '1 status [failed] error 130-130 x1',
        '2 message ok 140-140 x1 "still here" {It came after the task had ended}',
        '3 error [-32603] error 150-150 x1 "broken" {It came after the task had ended}',
        '— 1 value of the reply is not a reply of A2A',
      ],
    ],
    [
      'of A2A over HTTP+JSON: a task that was asked for, whole with its artifact',
      'a2a',
      [
        JSON.stringify({
          id: 't',
          status: { state: 'TASK_STATE_COMPLETED', update: { content: [{ text: 'Done' }] } },
          artifacts: [{ artifactId: 'a', name: 'plan', parts: [{ text: 'One' }] }],
        }),
      ],
      ['0 status [completed] ok 100-100 x1 "Done"', '1 artifact [plan] ok 100-100 x1 "One"'],
    ],
    [
      'of A2A: a task that goes on, to who does not wait for it',
      'a2a',
      [JSON.stringify(rpc({ id: 1, result: { kind: 'task', id: 't', status: { state: 'working' } } }))],
      ['0 status [working] ok 100-100 x1'],
    ],
    [
      'of A2A over HTTP+JSON: settings, a list of tasks and an error',
      'a2a',
      [
        '{"taskId":"t","url":"http://a.example/"}\n',
        '{"tasks":[]}\n',
        '{"error":{"code":404,"status":"NOT_FOUND","message":"no"}}',
      ],
      [
        '0 data [push notification settings] ok 100-100 x1 "{\\"taskId\\":\\"t\\",\\"url\\":\\"http://a.example/\\"}"',
        '1 data [tasks] ok 110-110 x1 "{\\"tasks\\":[]}"',
        '2 error [NOT_FOUND] error 120-120 x1 "no"',
      ],
    ],
    [
      'of A2A: settings in a list, and files at an address',
      'a2a',
      [
        JSON.stringify(
          rpc({ id: 1, result: [{ taskId: 't', pushNotificationConfig: { url: 'http://a.example/' } }] }),
        ),
        '\n',
        JSON.stringify(
          rpc({
            id: 1,
            result: {
              message: {
                role: 'ROLE_AGENT',
                parts: [
                  { url: 'https://a.example/d.pdf', filename: 'd.pdf', mediaType: 'application/pdf' },
                  { file: { fileWithUri: 'https://a.example/e.pdf', mimeType: 'application/pdf' } },
                ],
              },
            },
          }),
        ),
      ],
      [
        '0 data [push notification settings] ok 100-110 x1 "[{\\"taskId\\":\\"t\\",\\"pushNotificationConfig\\":{\\"url\\":\\"http://a.example/\\"}}]"',
        '1 message ok 120-120 x1',
        '  1/0 media [d.pdf · application/pdf] ok 120-120 x1 "https://a.example/d.pdf"',
        '  1/1 media [application/pdf] ok 120-120 x1 "https://a.example/e.pdf"',
      ],
    ],
    [
      'of A2A that came to its end before the task did',
      'a2a',
      TASK.slice(0, 3),
      [
        '0 status [submitted] ok 100-100 x1',
        '1 status [working] ok 110-110 x1 "On it"',
        '2 artifact [plan] incomplete 120-120 x1 "One, "',
        '— The reply ended before the task did',
      ],
    ],
    [
      'of AICF: a stream',
      'aicf',
      ['STREAM|{"a":', '1\nSTREAM|2', '}\n', 'END\n'],
      ['data stream ok 100-130 x3 "{\\"a\\":12}"'],
    ],
    [
      'of AICF: a stream that has no END, with a line that is none of its own',
      'aicf',
      ['STREAM|a\nmore\n', 'STREAM|b'],
      [
        'data stream incomplete 100-110 x3 "a\\nmoreb" {A line without a command was read as part of the data before it} {The stream has no END; its data may be incomplete}',
      ],
    ],
    [
      'of AICF: a stream that ends in an error',
      'aicf',
      ['STREAM|a\n', 'ERR|500|out of paper'],
      ['data stream incomplete 100-100 x1 "a"', 'error error [500] error 110-110 x1 "out of paper"'],
    ],
    ['of AICF: tools', 'aicf', ['TOOLS|add|sub'], ['data result ok 100-100 x1 "add|sub"']],
    [
      'of AICL: the chunks of a stream',
      'aicl',
      [chunk(1, 2), chunk(2, 2).slice(0, 9), chunk(2, 2).slice(9)],
      [
        '0 stream [x] ok 100-120 x2 "part 1part 2"',
        '  0/0 chunk [1 of 2] ok 100-100 x1 "part 1"',
        '  0/1 chunk [2 of 2] ok 110-120 x1 "part 2"',
      ],
    ],
    [
      'of AICL, whose total grows',
      'aicl',
      [chunk(1, 2), chunk(2, 3), chunk(3, 3)],
      [
        '0 stream [x] ok 100-120 x3 "part 1part 2part 3"',
        '  0/0 chunk [1 of 2] ok 100-100 x1 "part 1"',
        '  0/1 chunk [2 of 3] ok 110-110 x1 "part 2"',
        '  0/2 chunk [3 of 3] ok 120-120 x1 "part 3"',
      ],
    ],
    [
      'of AICL, with all that is odd about them',
      'aicl',
      [
        chunk(3, 9),
        chunk(2, 9),
        chunk(2, 8),
        `hello [d:${HEAD}[s:error],[s:code]:[i:5000],[s:reason]:[s:TOOL_FAILED]]`,
        chunk(9, 9),
        chunk(1, 9),
        `[d:${HEAD}`,
      ],
      [
        '0 stream [x] ok 100-150 x5 "part 3part 2part 2part 9part 1" {There are no chunks 4 to 8}',
        '  0/0 chunk [3 of 9] ok 100-100 x1 "part 3"',
        '  0/1 chunk [2 of 9] ok 110-110 x1 "part 2" {It came after chunk 3}',
        '  0/2 chunk [2 of 8] ok 120-120 x1 "part 2" {Chunk 2 came before: number each chunk once} {It declares 8 chunks, the first one declared 9}',
        '  0/3 chunk [9 of 9] ok 140-140 x1 "part 9"',
        '  0/4 chunk [1 of 9] ok 150-150 x1 "part 1" {It came after chunk 9} {It came after the chunk that was the last one}',
        '1 error [5000] error 130-130 x1 "TOOL_FAILED"',
        '2 message incomplete 160-160 x1 "[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]:" {It was cut off: some of its brackets are not closed}',
        '— The reply holds text outside of its messages, which AICL forbids',
      ],
    ],
    [
      'of AICL: a stream without its last chunk',
      'aicl',
      [chunk(1, 2)],
      [
        '0 stream [x] incomplete 100-100 x1 "part 1" {Its last chunk did not arrive}',
        '  0/0 chunk [1 of 2] ok 100-100 x1 "part 1"',
      ],
    ],
    [
      'of MCP: progress, a log line, a question, and the result',
      'mcp',
      [
        sse(progress(1, { message: 'one' })),
        sse(
          rpc({ method: 'notifications/message', params: { level: 'info', logger: 'shop', data: 'open' } }),
        ),
        sse(progress(2.5, { message: 'two' })),
        sse(rpc({ id: 7, method: 'sampling/createMessage', params: { messages: [] } })),
        sse(rpc({ method: 'notifications/tools/list_changed' })),
        sse(RESULT),
      ],
      [
        '0 progress [2.5 of 3] ok 100-120 x2 "one\\ntwo"',
        '1 log [info · shop] ok 110-110 x1 "open"',
        '2 request [sampling/createMessage] ok 130-130 x1 "{\\"messages\\":[]}"',
        '3 notice [notifications/tools/list_changed] ok 140-140 x1',
        '4 result ok 150-150 x1 "counted"',
      ],
    ],
    [
      'of MCP in lines, with all that is odd about them',
      'mcp',
      [
        `${JSON.stringify(progress(2))}\n`,
        `${JSON.stringify(progress(2))}\n${JSON.stringify(RESULT)}\n`,
        `${JSON.stringify(progress(4))}\nlisten\n`,
        `${JSON.stringify(rpc({ id: 1, error: { code: -32602, message: 'twice' } }))}\n{"a":1}`,
      ],
      [
        '0 progress [4 of 3] ok 100-120 x3 {It did not increase} {It is greater than its total} {Progress came after the reply}',
        '1 result ok 110-110 x1 "counted"',
        '2 error [-32602] error 130-130 x1 "twice" {This request was answered before}',
        '— 1 chunk of the reply is not JSON',
        '— 1 value of the reply is not JSON-RPC',
      ],
    ],
    [
      'of MCP: a tool that failed, with what it gave',
      'mcp',
      [
        JSON.stringify(
          rpc({
            id: 1,
            result: {
              isError: true,
              content: [
                { type: 'text', text: 'no' },
                { type: 'resource', resource: { uri: 'file:///a.txt', mimeType: 'text/plain', text: 'A' } },
              ],
              structuredContent: { ok: false },
            },
          }),
        ),
      ],
      [
        '0 error error 100-100 x1',
        '  0/0 text error 100-100 x1 "no"',
        '  0/1 media [resource · text/plain] error 100-100 x1 "A"',
        '  0/2 data [structured] error 100-100 x1 "{\\"ok\\":false}"',
      ],
    ],
    [
      'of AIO, a line each',
      'aio',
      [
        '{"id":1,"outputs":[{"type":"text","value":"hi"},{"type":"image","value":"https://a.example/b.png"}]}\n',
        '{"output":{"type":"error","value":"no such file"}}\n{"result":{"sum":7}}\n',
        '{"error":{"code":-32602,"message":"what?"}}\n{"id":3}\n',
      ],
      [
        '0 result ok 100-100 x1',
        '  0/0 text ok 100-100 x1 "hi"',
        '  0/1 media [image] ok 100-100 x1 "https://a.example/b.png"',
        '1 error error 110-110 x1 "no such file"',
        '2 result ok 110-110 x1 "{\\"sum\\":7}"',
        '3 error [-32602] error 120-120 x1 "what?"',
        '4 data ok 120-120 x1 "{\\"id\\":3}" {It has no result and no output}',
      ],
    ],
    [
      'of what is not of its protocol: none, and a word on it',
      'mcp',
      ['<html>', 'no</html>'],
      ['— The reply is not of this protocol: see the raw reply'],
    ],
    ['of what no protocol of ours is: none', 'other', ['{"a":1}'], []],
    [
      'of MCP of 2024-11-05: the address that it tells first is none',
      'mcp',
      ['event: endpoint\ndata: /messages?sessionId=1\n\n', sse(rpc({ id: 1, result: {} }))],
      ['0 result ok 110-110 x1 "{}"'],
    ],
    ['of nothing: none', 'agent-api', [], []],
  ];
  for (const [what, protocol, pieces, lines] of rows)
    it(what, () => assert.deepEqual(outline(protocol, pieces), lines));

  it('are open while more may come, and know what came so far', () => {
    assert.deepEqual(outline('agent-api', FORECAST.slice(0, 7), 'open'), [
      '0 reasoning ok 110-140 x4 "The user wants the weather."',
      '1 tool [weather.forecast] open 150-160 x2 "{\\"city\\":"',
    ]);
    assert.deepEqual(outline('mcp', [sse(progress(1))], 'open'), ['0 progress [1 of 3] open 100-100 x1']);
    assert.deepEqual(outline('mcp', [sse(progress(1))]), ['0 progress [1 of 3] incomplete 100-100 x1']);
    assert.deepEqual(outline('aicf', ['STREAM|a\nSTREAM|b'], 'open'), ['data stream open 100-100 x1 "a"']);
    assert.deepEqual(outline('aicf', ['STREAM|a\nERR|500|x\n'], 'open'), [
      'data stream incomplete 100-100 x1 "a"',
      'error error [500] error 100-100 x1 "x"',
    ]);
    assert.deepEqual(
      outline('a2a', [...TASK, ...TASK.slice(1, 2)]).at(-1),
      '4 status [working] ok 150-150 x1 "On it" {It came after the task had ended}',
    );
    assert.deepEqual(outline('aicl', [chunk(1, 2), '[d:'], 'open'), [
      '0 stream [x] open 100-100 x1 "part 1"',
      '  0/0 chunk [1 of 2] ok 100-100 x1 "part 1"',
    ]);
    assert.deepEqual(
      outline('a2a', TASK.slice(0, 3), 'open').at(-1),
      '2 artifact [plan] open 120-120 x1 "One, "',
    );
  });

  it('of earlier requests are below a part of their own, and a compressed body is reported', () => {
    const head = (headers: readonly { readonly name: string; readonly value: string }[]) =>
      ({ type: 'head', call: 'c', at: 90, direction: 'in', line: '200 OK', headers }) as const;
    const [one, two] = piecesOf([`[${JSON.stringify(RESULT)},7]`, JSON.stringify(RESULT)]);
    assert.ok(one && two);
    const packed = head([{ name: 'Content-Encoding', value: 'gzip' }]);
    const out = { ...one, direction: 'out' } as const;
    const unread = { ...one, bytes: { base64: 'H4sIAAAA' } } as const;
    const read = readParts(
      ALL_PROTOCOLS.find('mcp'),
      [out, head([]), one, head([]), two, packed, unread],
      'ended',
    );
    assert.deepEqual(linesOf(read), [
      'earlier 0 exchange [200 OK] ok 100-100 x1 {1 value of the reply is not JSON-RPC}',
      '  earlier 0/0 result ok 100-100 x1 "counted"',
      '0 result ok 110-110 x1 "counted"',
      "— The reply is compressed as 'gzip': its parts are not read",
    ]);
  });

  it('are the answer where a message was taken by 202, and nothing of the words with which it was taken', () => {
    const taken = {
      type: 'head',
      call: 'c',
      at: 90,
      direction: 'in',
      line: '202 Accepted',
      headers: [],
    } as const;
    const read = (...texts: readonly string[]): readonly string[] =>
      linesOf(readParts(ALL_PROTOCOLS.find('mcp'), [taken, ...piecesOf(texts)], 'ended'));
    assert.deepEqual(
      [read('Acc', 'epted'), read('Accepted', JSON.stringify(rpc({ id: 1, result: {} })))],
      [[], ['0 result ok 110-110 x1 "{}"']],
    );
  });

  it('are answers and progress of other calls where a client listens', () => {
    const asked = {
      type: 'head',
      call: 'c',
      at: 80,
      direction: 'out',
      line: 'GET http://a/',
      headers: [],
    } as const;
    const texts = [sse(rpc({ id: 1, result: {} })), sse(progress(1))];
    assert.deepEqual(linesOf(readParts(ALL_PROTOCOLS.find('mcp'), [asked, ...piecesOf(texts)], 'ended')), [
      '0 result ok 100-100 x1 "{}"',
      '1 progress [1 of 3] ok 110-110 x1',
    ]);
  });

  it('are none where a push notification of A2A is answered', () => {
    const head = { type: 'head', call: 'c', at: 90, direction: 'in', line: '200 OK', headers: [] } as const;
    const read = (asked: string): readonly string[] => {
      const out: WireEvent = { type: 'wire', call: 'c', at: 80, direction: 'out', bytes: { text: asked } };
      return linesOf(readParts(ALL_PROTOCOLS.find('a2a'), [out, head, ...piecesOf(['thanks'])], 'ended'));
    };
    assert.deepEqual(
      [read('{"task":{"id":"t","status":{"state":"TASK_STATE_WORKING"}}}'), read('{}')],
      [[], ['— The reply is not of this protocol: see the raw reply']],
    );
  });

  it('are none where A2A has deleted something, and nothing is missing', () => {
    const head = { type: 'head', call: 'c', at: 90, direction: 'in', line: '200 OK', headers: [] } as const;
    const read = (method: string): readonly string[] => {
      const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} });
      const out: WireEvent = { type: 'wire', call: 'c', at: 80, direction: 'out', bytes: { text } };
      const reply = JSON.stringify(rpc({ id: 1, result: null }));
      return linesOf(readParts(ALL_PROTOCOLS.find('a2a'), [out, head, ...piecesOf([reply])], 'ended'));
    };
    assert.deepEqual(
      ['DeleteTaskPushNotificationConfig', 'tasks/pushNotificationConfig/delete', 'SendMessage'].map(read),
      [[], [], ['— 1 value of the reply is not a reply of A2A']],
    );
  });

  it('are those of what compressed bytes say, piece by piece, and of what is plain whatever its head says', () => {
    const headers = [{ name: 'content-encoding', value: 'br' }];
    const packed = { type: 'head', call: 'c', at: 90, direction: 'in', line: '200 OK', headers } as const;
    const texts = ['', sse(progress(1)), sse(RESULT).slice(0, 9), sse(RESULT).slice(9)];
    const pieces = piecesOf(texts).map(piece => ({
      ...piece,
      bytes: { base64: 'iwWA' },
      unpacked: piece.bytes,
    }));
    const lines = ['0 progress [1 of 3] ok 110-110 x1', '1 result ok 120-130 x1 "counted"'];
    assert.deepEqual(linesOf(readParts(ALL_PROTOCOLS.find('mcp'), [packed, ...pieces], 'ended')), lines);
    assert.deepEqual(
      linesOf(readParts(ALL_PROTOCOLS.find('mcp'), [packed, ...piecesOf(texts)], 'ended')),
      lines,
    );
  });

  it('know when each of their pieces came', () => {
    const read = readParts(ALL_PROTOCOLS.find('agent-api'), piecesOf(FORECAST), 'ended');
    assert.deepEqual(
      read.parts.map(({ ticks }) => ticks),
      [[110, 120, 130, 140], [150, 160, 170, 180], [190], [200, 210, 220, 230]],
    );
  });

  it('are at most a thousand; the rest is counted', () => {
    const count = sized(3000, 1010);
    const more = (count - MAX_PARTS).toLocaleString('en');
    const logs = Array.from({ length: count }, (_, index) =>
      sse(rpc({ method: 'notifications/message', params: { level: 'info', data: `${index}` } })),
    );
    const flat = readParts(ALL_PROTOCOLS.find('mcp'), piecesOf(logs), 'ended');
    assert.deepEqual(
      [flat.parts.length, flat.parts.at(-1)?.text, flat.notes],
      [MAX_PARTS, '999', [`${more} more parts are not shown: at most 1000 of a reply are`]],
    );
    const messages = readParts(
      ALL_PROTOCOLS.find('aicl'),
      piecesOf(['[d:[s:data]:[s:x]]'.repeat(count)]),
      'ended',
    );
    assert.deepEqual(
      [messages.parts.length, messages.parts.at(-1)?.text, messages.notes],
      [MAX_PARTS, 'x', [`${more} more parts are not shown: at most 1000 of a reply are`]],
    );
    const chunkCount = sized(1500, 1010);
    const chunks = Array.from({ length: chunkCount }, (_, index) => chunk(index + 1, chunkCount));
    const deep = readParts(ALL_PROTOCOLS.find('aicl'), piecesOf(chunks), 'ended');
    assert.deepEqual(
      [deep.parts.length, deep.parts[0]?.children.length, deep.parts[0]?.notes, deep.notes],
      [1, MAX_PARTS - 1, [`${chunkCount - 999} more parts are not shown: at most 1000 of a reply are`], []],
    );
  });

  it('are the same wherever the wire is cut, but for times', () => {
    const bodies = rows.map(([, protocol, pieces]) => ({ protocol, bytes: Buffer.from(pieces.join('')) }));
    const broken = Buffer.from([
      0x53, 0x54, 0x52, 0x45, 0x41, 0x4d, 0x7c, 0xe2, 0x82, 0x28, 0xf0, 0x9f, 0x98,
    ]);
    const some = [...bodies, { protocol: 'aicf' as const, bytes: broken }];
    fc.assert(
      fc.property(
        fc.constantFrom(...some),
        fc.array(fc.nat(), { maxLength: 30 }),
        ({ protocol, bytes }, cuts) => {
          const ends = [...cuts.map(cut => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
          const pieces = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
          assert.deepEqual(
            withoutTimes(readParts(ALL_PROTOCOLS.find(protocol), piecesOf(pieces), 'ended')),
            withoutTimes(readParts(ALL_PROTOCOLS.find(protocol), piecesOf([bytes]), 'ended')),
          );
        },
      ),
      { numRuns: runs(400) },
    );
  });

  it('are the same read piece by piece as at once, and reading them changes nothing', () => {
    for (const [, protocol, pieces] of rows) {
      const reader = new PartsReader(ALL_PROTOCOLS.find(protocol));
      for (const event of piecesOf(pieces)) {
        reader.push(event);
        reader.list();
      }
      reader.end();
      assert.deepEqual(linesOf(reader.list()), outline(protocol, pieces));
    }
  });

  it('of any text are read without a fault', () => {
    const protocols = ['agent-api', 'responses', 'a2a', 'mcp', 'aio', 'aicf', 'aicl', 'json-rpc'] as const;
    const words = fc.constantFrom(
      'data: ',
      '\n\n',
      '{"jsonrpc":"2.0","id":1,',
      '"result":{',
      '"kind":"artifact-update"',
      '}',
      '[',
      '"__proto__":1',
      'STREAM|',
      'END',
      '[d:',
      ']',
      '[s:stream_id]:[s:x_1/2]',
      '{"object":"message","content":[1,{"type":"data"}]}',
      '{"type":"response.output_item.added","item":{}}',
      'null',
      '"progress":',
      '\u{feff}',
      '😀',
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...protocols),
        fc.array(fc.oneof(words, fc.string()), { maxLength: 12 }),
        (protocol, pieces) => {
          const read = readParts(ALL_PROTOCOLS.find(protocol), piecesOf(pieces), 'ended');
          assert.ok(read.parts.every(part => part.id !== '' && part.at >= 0));
        },
      ),
      { numRuns: runs(500) },
    );
  });
});
