import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ProtocolName } from '../../core/catalog/protocols.ts';
import type { WireEvent } from '../../core/events/events.ts';
import { message } from '../../core/message/message.ts';
import { Report } from '../../core/message/report.ts';
import { textValue } from '../../core/values/value.ts';
import { ALL_PROTOCOLS } from '../../protocols/all.ts';
import { ReplyReader } from '../../protocols/convert/calls/reply-reader.ts';
import { ReplyWriter } from '../../protocols/convert/calls/reply-writer.ts';
import { convertText } from '../../protocols/convert/convert.ts';
import { NO_TOOLS } from '../../language/tools.ts';
import { recogniseReply, ReplyReading } from '../../protocols/recognise/reply.ts';
import type { TracePart } from '../../protocols/reply-parts/part.ts';
import { readParts } from '../../protocols/reply-parts/parts-reader.ts';
import { protocolOf } from '../support/protocol.ts';

interface Case {
  readonly protocol: ProtocolName;
  readonly reply: string;
  /** What a request that was asked in AICF shows. */
  readonly shown: string;
  readonly status?: 'ok' | 'error' | 'incomplete';
  /** What the parts of its trace say, without states and progress. */
  readonly said: readonly string[];
}

const stream = (...events: readonly object[]): string =>
  events.map(event => `data: ${JSON.stringify(event)}\n\n`).join('');
const result = (value: object): object => ({ jsonrpc: '2.0', id: 1, result: value });
const failed = (code: number, text: string): object => ({
  jsonrpc: '2.0',
  id: 1,
  error: { code, message: text },
});

const TASK = { taskId: 'task-1', contextId: 'context' };
const status = (state: string, text?: string): object => {
  const said =
    text === undefined ? {} : { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text }] } };
  return result({ statusUpdate: { ...TASK, status: { state: `TASK_STATE_${state}`, ...said } } });
};
const artifact = (id: string, part: object, more: object = {}): object =>
  result({ artifactUpdate: { ...TASK, artifact: { artifactId: id, parts: [part] }, ...more } });
const plain = (text: string): object => ({ text, mediaType: 'text/plain' });

const ITEM = { type: 'message', id: 'i', role: 'assistant', status: 'completed' };
const said = (text: string): object => ({ type: 'output_text', text, annotations: [] });
const response = (more: object): string =>
  JSON.stringify({ id: 'r', object: 'response', status: 'completed', model: 'm', output: [], ...more });
const aicl = (type: string, fields: string): string =>
  `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]:[s:${type}],${fields}]\n`;

const CASES: Readonly<Record<string, Case>> = {
  'texts of an artifact with a media type': {
    protocol: 'a2a',
    reply: stream(
      status('WORKING'),
      artifact('a', plain('Hello ')),
      artifact('a', plain('world'), { append: true, lastChunk: true }),
      status('COMPLETED'),
    ),
    shown: 'OK|Hello world\n',
    said: ['Hello world'],
  },
  'data of an artifact': {
    protocol: 'a2a',
    reply: stream(status('WORKING'), artifact('a', { data: { x: 1 } }), status('COMPLETED')),
    shown: 'OK|{"x":1}\n',
    said: ['{"x":1}'],
  },
  'a file of an artifact': {
    protocol: 'a2a',
    reply: stream(
      artifact('a', { url: 'https://a.example/p.png', mediaType: 'image/png' }),
      status('COMPLETED'),
    ),
    shown: 'OK|[{"type":"image","url":"https://a.example/p.png","mimeType":"image/png"}]\n',
    said: ['https://a.example/p.png'],
  },
  'a task that asks its user': {
    protocol: 'a2a',
    reply: stream(status('WORKING'), status('INPUT_REQUIRED', 'Which day?')),
    shown: 'OK|Which day?\n',
    said: ['Which day?'],
  },
  'a task that asks after an artifact': {
    protocol: 'a2a',
    reply: stream(artifact('a', { text: 'Monday or Friday' }), status('INPUT_REQUIRED', 'Which day?')),
    shown: 'OK|Monday or Friday\nOK|Which day?\n',
    said: ['Monday or Friday', 'Which day?'],
  },
  'a task that asks beside its artifacts': {
    protocol: 'a2a',
    reply: JSON.stringify(
      result({
        task: {
          id: 'task-1',
          contextId: 'context',
          status: {
            state: 'TASK_STATE_INPUT_REQUIRED',
            message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'Which day?' }] },
          },
          artifacts: [{ artifactId: 'a', parts: [plain('Monday or Friday')] }],
        },
      }),
    ),
    shown: 'OK|[{"type":"text","text":"Monday or Friday"},{"type":"text","text":"Which day?"}]\n',
    said: ['Which day?', 'Monday or Friday'],
  },
  'a task that says its reply with its end': {
    protocol: 'a2a',
    reply: stream(status('WORKING'), status('COMPLETED', 'Done')),
    shown: 'OK|Done\n',
    said: ['Done'],
  },
  'a task that failed': {
    protocol: 'a2a',
    reply: stream(status('WORKING'), status('FAILED', 'no seats')),
    shown: 'ERR|500|no seats [a2a]\n',
    status: 'error',
    said: ['no seats'],
  },
  'a task that was rejected': {
    protocol: 'a2a',
    reply: stream(status('REJECTED', 'not mine')),
    shown: 'ERR|500|not mine [a2a]\n',
    status: 'error',
    said: ['not mine'],
  },
  'a stream that ends before its task': {
    protocol: 'a2a',
    reply: stream(status('WORKING'), artifact('a', { text: 'Hel' })),
    shown: 'OK|Hel\n',
    status: 'incomplete',
    said: ['Hel'],
  },
  'a stream of artifacts alone': {
    protocol: 'a2a',
    reply: stream(artifact('a', { text: 'Hel' })),
    shown: 'OK|Hel\n',
    status: 'incomplete',
    said: ['Hel'],
  },
  'an error of A2A': {
    protocol: 'a2a',
    reply: JSON.stringify(failed(-32001, 'no task')),
    shown: 'ERR|-32001|no task [a2a -32001]\n',
    status: 'error',
    said: ['no task'],
  },
  'a text of MCP': {
    protocol: 'mcp',
    reply: JSON.stringify(result({ content: [{ type: 'text', text: 'Hi' }] })),
    shown: 'OK|Hi\n',
    said: ['Hi'],
  },
  'a tool of MCP that failed': {
    protocol: 'mcp',
    reply: JSON.stringify(result({ content: [{ type: 'text', text: 'bad' }], isError: true })),
    shown: 'ERR|500|bad [mcp]\n',
    status: 'error',
    said: ['bad'],
  },
  'an error of MCP': {
    protocol: 'mcp',
    reply: JSON.stringify(failed(-32602, 'bad arguments')),
    shown: 'ERR|422|bad arguments [mcp -32602]\n',
    status: 'error',
    said: ['bad arguments'],
  },
  'a streamed response': {
    protocol: 'responses',
    reply: stream(
      {
        type: 'response.created',
        sequence_number: 0,
        response: { id: 'r', object: 'response', status: 'in_progress', model: 'm', output: [] },
      },
      {
        type: 'response.output_item.added',
        sequence_number: 1,
        output_index: 0,
        item: { ...ITEM, status: 'in_progress', content: [] },
      },
      {
        type: 'response.content_part.added',
        sequence_number: 2,
        item_id: 'i',
        output_index: 0,
        content_index: 0,
        part: said(''),
      },
      {
        type: 'response.output_text.delta',
        sequence_number: 3,
        item_id: 'i',
        output_index: 0,
        content_index: 0,
        delta: 'Hi',
      },
      {
        type: 'response.output_item.done',
        sequence_number: 4,
        output_index: 0,
        item: { ...ITEM, content: [said('Hi')] },
      },
      {
        type: 'response.completed',
        sequence_number: 5,
        response: {
          id: 'r',
          object: 'response',
          status: 'completed',
          model: 'm',
          output: [{ ...ITEM, content: [said('Hi')] }],
        },
      },
    ),
    shown: 'OK|Hi\n',
    said: ['Hi'],
  },
  'a response that failed': {
    protocol: 'responses',
    reply: response({ status: 'failed', error: { code: 'server_error', message: 'broke' } }),
    shown: 'ERR|500|broke [responses server_error]\n',
    status: 'error',
    said: ['broke'],
  },
  'a response that is incomplete': {
    protocol: 'responses',
    reply: response({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ ...ITEM, status: 'incomplete', content: [said('Hi')] }],
    }),
    shown: 'OK|Hi\n',
    status: 'incomplete',
    said: ['Hi'],
  },
  'an error in place of a response': {
    protocol: 'responses',
    reply: stream({ type: 'error', sequence_number: 0, code: 'rate_limit', message: 'slow down' }),
    shown: 'ERR|500|slow down [responses rate_limit]\n',
    status: 'error',
    said: ['slow down'],
  },
  'a response of the Agent API': {
    protocol: 'agent-api',
    reply: stream(
      { sequence_number: 0, object: 'response', id: 'r', status: 'created', session_id: 's' },
      {
        sequence_number: 1,
        object: 'content',
        type: 'text',
        delta: true,
        text: 'Hi',
        msg_id: 'm',
        index: 0,
        status: 'in_progress',
      },
      {
        sequence_number: 2,
        object: 'message',
        id: 'm',
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'text', text: 'Hi' }],
      },
      {
        sequence_number: 3,
        object: 'response',
        id: 'r',
        status: 'completed',
        session_id: 's',
        output: [
          {
            object: 'message',
            id: 'm',
            type: 'message',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'text', text: 'Hi' }],
          },
        ],
      },
    ),
    shown: 'OK|Hi\n',
    said: ['Hi'],
  },
  'a run of the Agent API that failed': {
    protocol: 'agent-api',
    reply: stream({
      sequence_number: 0,
      object: 'response',
      id: 'r',
      status: 'failed',
      error: { code: '500', message: 'broke' },
    }),
    shown: 'ERR|500|broke [agent-api "500"]\n',
    status: 'error',
    said: ['broke'],
  },
  'outputs of AIO-MCP': {
    protocol: 'aio',
    reply: '{"id":"1","output":{"type":"text","value":"Hi"}}',
    shown: 'OK|Hi\n',
    said: ['Hi'],
  },
  'an error of AIO-MCP': {
    protocol: 'aio',
    reply: '{"id":"1","error":{"code":"E1","message":"bad"}}',
    shown: 'ERR|500|bad [aio E1]\n',
    status: 'error',
    said: ['bad'],
  },
  'a failed result of JSON-RPC': {
    protocol: 'json-rpc',
    reply: JSON.stringify(result({ success: false, error: 'none' })),
    shown: 'OK|{"success":false,"error":"none"}\n',
    status: 'error',
    said: ['{"success":false,"error":"none"}'],
  },
  'failed data of AICF': {
    protocol: 'aicf',
    reply: 'OK|{"success":false,"error":"none"}\n',
    shown: 'OK|{"success":false,"error":"none"}\n',
    status: 'error',
    said: ['{"success":false,"error":"none"}'],
  },
  'a stream of AICF': {
    protocol: 'aicf',
    reply: 'STREAM|Hi\nSTREAM| you\nEND\n',
    shown: 'OK|Hi you\n',
    said: ['Hi you'],
  },
  'an error of AICF': {
    protocol: 'aicf',
    reply: 'ERR|404|none\n',
    shown: 'ERR|404|none\n',
    status: 'error',
    said: ['none'],
  },
  'chunks of AICL': {
    protocol: 'aicl',
    reply: [1, 2]
      .map(k =>
        aicl('result', `[s:stream_id]:[s:s_${k}/2],[s:is_final]:[b:${k === 2}],[s:data]:[l:[i:${k}]]`),
      )
      .join(''),
    shown: 'OK|[1,2]\n',
    said: ['[1,2]'],
  },
  'an error of AICL': {
    protocol: 'aicl',
    reply: aicl('error', '[s:code]:[i:3001],[s:reason]:[s:NO_TOOL]'),
    shown: 'ERR|404|NO_TOOL [aicl 3001]\n',
    status: 'error',
    said: ['NO_TOOL'],
  },
};

/** The reply as a request shows it that was asked in AICF, read in pieces of a length. */
function show({ protocol, reply }: Case, length: number): string {
  const context = { protocols: ALL_PROTOCOLS, tools: NO_TOOLS, report: new Report() };
  const reader = new ReplyReader(protocolOf(protocol), context);
  const writer = new ReplyWriter('aicf', message('call', { tool: textValue('ask') }), context);
  const shown: string[] = [];
  for (let at = 0; at < reply.length; at += length)
    shown.push(...writer.write(reader.push(reply.slice(at, at + length))));
  return [...shown, ...writer.write(reader.end()), writer.end()].join('');
}

function headersOf({ protocol, reply }: Case): readonly { readonly name: string; readonly value: string }[] {
  const type = reply.startsWith('data:') ? 'text/event-stream' : 'application/json';
  return [
    { name: 'content-type', value: protocolOf(protocol).facts.language === 'json' ? type : 'text/plain' },
  ];
}

/** The status of the reply as a recording and as an imported trace have it. */
function judge(given: Case): readonly string[] {
  const reading = new ReplyReading(protocolOf(given.protocol), {
    status: 200,
    line: '200 OK',
    headers: headersOf(given),
  });
  reading.push(given.reply);
  return [reading.end().status, recogniseReply(protocolOf(given.protocol), given.reply).status];
}

const SILENT: ReadonlySet<string> = new Set(['progress', 'log']);

function partsOf(given: Case): readonly TracePart[] {
  const common = { call: 'c', at: 1, direction: 'in' } as const;
  const wire: WireEvent = { type: 'wire', ...common, bytes: { text: given.reply } };
  const head = { type: 'head', ...common, line: '200 OK', headers: headersOf(given) } as const;
  const listed = readParts(protocolOf(given.protocol), [head, wire], 'ended').parts;
  const leaves = (part: TracePart): readonly TracePart[] =>
    part.text === undefined ? part.children.flatMap(leaves) : [part];
  return listed.flatMap(leaves).filter(part => !SILENT.has(part.kind));
}

describe('the readers of a reply agree', () => {
  for (const [name, given] of Object.entries(CASES))
    it(`on ${name}`, () => {
      const { status: wanted = 'ok', shown } = given;
      assert.deepEqual([show(given, Infinity), show(given, 1), show(given, 7)], [shown, shown, shown]);
      assert.deepEqual(judge(given), [wanted, wanted]);
      const parts = partsOf(given);
      assert.deepEqual(
        [
          parts.map(({ text }) => text),
          parts.some(part => part.status === 'error'),
          parts.some(part => part.status === 'incomplete'),
        ],
        [given.said, wanted === 'error', wanted === 'incomplete'],
      );
      const to = given.protocol === 'aicl' ? 'json-rpc' : 'aicl';
      const { text } = convertText(given.reply, {
        protocols: ALL_PROTOCOLS,
        from: given.protocol,
        to,
        layout: 'compact',
      });
      assert.equal(/msg_type\]:\[s:error\]|"error":/.test(text), wanted === 'error', text);
      for (const each of given.said.filter(one => !one.startsWith('{') && !one.startsWith('[')))
        for (const word of each.split(' ')) assert.ok(text.includes(word), `${word} in ${text}`);
    });
});
