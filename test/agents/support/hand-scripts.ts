import type { ProtocolName } from '../../../core/catalog/protocols.ts';
import { withoutOrigin } from './contract.ts';
import type { HandScript } from './hand-agents.ts';

const HEAD = '[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]:';
const ask = (task: string): string => `[d:${HEAD}[s:task_request],[s:task]:[s:${task}],[s:constraints]:[d:]]`;
const said = (data: string, more = ''): string => `[d:${HEAD}[s:result],[s:data]:${data}${more}]`;

const AICL = {
  list: { request: ask('tools'), answer: said('[l:[s:echo]]') },
  call: { request: ask('echo'), answer: said('[s:a\\u005Db]') },
  failure: {
    request: ask('fail'),
    answer: `[d:${HEAD}[s:error],[s:code]:[i:5000],[s:reason]:[s:TOOL_FAILED]]`,
    code: '5000',
    message: 'TOOL_FAILED',
  },
  stream: {
    request: ask('count'),
    pieces: [
      `${said('[s:1]', ',[s:stream_id]:[s:x_1/2],[s:is_final]:[b:false]')}\n`,
      said('[s:2]', ',[s:stream_id]:[s:x_2/2],[s:is_final]:[b:true]'),
    ],
  },
  hang: { request: ask('hang') },
} as const;

const rpc = (method: string): string => `{"jsonrpc":"2.0","id":1,"method":"${method}"}`;
const ERROR = '{"jsonrpc":"2.0","error":{"code":-32602,"message":"no such file"}}';

const AIO = {
  list: { request: rpc('agent::list'), answer: '{"result":{"tools":[]}}' },
  call: { request: rpc('agent::echo'), answer: '{"output":{"type":"text","value":"hi"}}' },
  failure: { request: rpc('agent::fail'), answer: ERROR, code: '-32602', message: 'no such file' },
  slow: { request: rpc('agent::slow'), answer: '{"output":{"type":"text","value":"slow"}}' },
  hang: { request: rpc('agent::hang') },
  greeting: [['::help', '{"result":{"type":"stdio","name":"worker"}}']],
  peer: { name: 'worker', capabilities: ['stdio'] },
} as const;

const of = (frame: string): string => `{"jsonrpc":"2.0","id":ID,${frame}}`;
const tool = (name: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":{}}}`;
const NO_METHOD = of('"error":{"code":-32601,"message":"Method not found"}');

const MCP = {
  list: { request: rpc('tools/list'), answer: of('"result":{"tools":[{"name":"echo"}]}') },
  call: { request: tool('echo'), answer: of('"result":{"content":[{"type":"text","text":"hi"}]}') },
  failure: {
    request: tool('fail'),
    answer: of('"error":{"code":-32602,"message":"no such file"}'),
    code: '-32602',
    message: 'no such file',
  },
  hang: { request: tool('hang') },
  reconnected: 'The connection to the agent had ended, so Parley reconnected',
} as const;

/** How a server of a version greets; `observed` is what it answers to notifications. */
const greet = (version: string, observed: string): Pick<HandScript, 'greeting' | 'peer'> => ({
  greeting: [
    ['server/discover', NO_METHOD],
    [
      '"initialize"',
      of(
        `"result":{"protocolVersion":"${version}","capabilities":{"tools":{}},"serverInfo":{"name":"probe","version":"2"}}`,
      ),
    ],
    ['notifications/', observed],
  ],
  peer: { version, name: 'probe 2', capabilities: [] },
});

const progress = (count: number): string =>
  `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":TOKEN,"progress":${count},"total":2}}`;
const COUNTED = of('"result":{"content":[{"type":"text","text":"counted"}]}');

/** Progress, and then the answer, each in the frame of its transport. */
const mcpStream = (frame: (message: string) => string): Pick<HandScript, 'stream'> => ({
  stream: {
    request: tool('count'),
    pieces: [progress(1), progress(2), COUNTED].map(frame),
    last: COUNTED,
    marks: ['"progress":1', '"progress":2'],
  },
});

/** An AIO agent of the kind mcp. */
export const AIO_MODULES = {
  list: {
    request: rpc('agent::tools.list'),
    answer: '{"id":2,"result":{"tools":[{"name":"add"}]},"trace_id":"AIO-TR-20260304-0001"}',
  },
  call: {
    request: '{"method":"agent::tools.call","params":{"tool":"add","args":{"x":3}}}',
    answer: '{"output":{"type":"text","value":"7"}}',
  },
  failure: {
    request: '{"method":"agent::tools.call","params":{"tool":"fail","args":{}}}',
    answer: '{"output":{"type":"error","value":"no such file"}}',
    message: 'no such file',
  },
  slow: {
    request: '{"method":"agent::tools.call","params":{"tool":"slow","args":{}}}',
    answer: '{"output":{"type":"text","value":"slow"}}',
  },
  hang: { request: '{"method":"agent::tools.call","params":{"tool":"hang","args":{}}}' },
  greeting: [
    [
      '::help',
      '{"jsonrpc":"2.0","id":1,"output":{"name":"curator","transport":["mcp"],"methods":["help","tools.list","tools.call"],"mcp":{"tools":true}}}',
    ],
  ],
  peer: { name: 'curator', capabilities: ['mcp', 'tools'] },
} as const;

const userSays = (text: string): string =>
  `{"input":[{"role":"user","type":"message","content":[{"type":"text","text":"${text}"}]}]}`;
const run = (status: string, more = ''): string =>
  `data: {"object":"response","status":"${status}","id":"r"${more}}\n\n`;
const delta = (text: string): string =>
  `data: {"object":"content","type":"text","index":0,"delta":true,"msg_id":"m","status":"in_progress","text":"${text}"}\n\n`;

const named = (type: string, more: string): string =>
  `event: response.${type}\ndata: {"type":"response.${type}",${more}}\n\n`;
const textDelta = (text: string): string =>
  named('output_text.delta', `"item_id":"m","output_index":0,"content_index":0,"delta":"${text}"`);
const report = (text: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"message/stream","params":{"message":{"kind":"message","messageId":"m","role":"user","parts":[{"kind":"text","text":"${text}"}]}}}`;
const artifact = (text: string): string =>
  `data: ${of(`"result":{"kind":"artifact-update","taskId":"t","contextId":"c","append":true,"artifact":{"artifactId":"a","parts":[{"kind":"text","text":"${text}"}]}}`)}\n\n`;

const AGENT_API = {
  call: { request: userSays('echo'), answer: run('completed', ',"output":[]') },
  failure: {
    request: userSays('fail'),
    answer: run('failed', ',"error":{"code":"500","message":"no such file"}'),
    code: '500',
    message: 'no such file',
  },
  stream: {
    request: userSays('count'),
    pieces: [run('created'), delta('1'), delta('2'), run('completed')],
  },
  hang: { request: userSays('hang') },
} as const;

const RESPONSES = {
  call: {
    request: '{"input":"echo"}',
    answer: '{"id":"r","object":"response","status":"completed","output":[]}',
  },
  failure: {
    request: '{"input":"fail"}',
    answer:
      '{"id":"r","object":"response","status":"failed","error":{"code":"server_error","message":"no such model"},"output":[]}',
    code: 'server_error',
    message: 'no such model',
  },
  stream: {
    request: '{"input":"count"}',
    pieces: [
      named('created', '"response":{"id":"r","object":"response","status":"in_progress","output":[]}'),
      textDelta('1'),
      textDelta('2'),
      named('completed', '"response":{"id":"r","object":"response","status":"completed","output":[]}'),
    ],
  },
  hang: { request: '{"input":"hang"}' },
} as const;

const A2A_CARD =
  '{"protocolVersion":"0.3.0","name":"probe","description":"","url":"ORIGIN/","version":"2","capabilities":{"streaming":true},"skills":[],"defaultInputModes":["text"],"defaultOutputModes":["text"]}';

const A2A = {
  list: { request: 'GET /.well-known/agent-card.json', answer: A2A_CARD, read: withoutOrigin },
  call: {
    request: report('echo'),
    answer: `data: ${of('"result":{"kind":"message","messageId":"n","role":"agent","parts":[{"kind":"text","text":"hi"}]}')}\n\n`,
  },
  failure: {
    request: report('fail'),
    answer: of('"error":{"code":-32602,"message":"no such file"}'),
    code: '-32602',
    message: 'no such file',
  },
  stream: {
    request: report('count'),
    pieces: [
      `data: ${of('"result":{"kind":"task","id":"t","contextId":"c","status":{"state":"working"}}')}\n\n`,
      artifact('1'),
      artifact('2'),
      `data: ${of('"result":{"kind":"status-update","taskId":"t","contextId":"c","status":{"state":"completed"},"final":true}')}\n\n`,
    ],
  },
  hang: { request: report('hang') },
  greeting: [['agent-card.json', A2A_CARD]],
  peer: { version: '0.3', name: 'probe 2', capabilities: [] },
} as const;

const AICF = {
  list: { request: 'LIST', answer: 'TOOLS|echo' },
  call: { request: 'CALL|echo|a', answer: 'OK|{"a":1}' },
  failure: { request: 'CALL|fail', answer: 'ERR|500|broken', code: '500', message: 'broken' },
  stream: { request: 'CALL|count', pieces: ['STREAM|1\n', 'STREAM|2\n', 'END\n'] },
  hang: { request: 'CALL|hang' },
} as const;

const JSON_RPC = {
  list: { request: rpc('aip.capabilities.list'), answer: '{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}' },
  call: { request: rpc('aip.tool.invoke'), answer: '{"jsonrpc":"2.0","id":1,"result":{"success":true}}' },
  failure: { request: rpc('aip.nope'), answer: ERROR, code: '-32602', message: 'no such file' },
  slow: {
    request: rpc('slow'),
    answer: '{"jsonrpc":"2.0","id":1,"result":{"slow":true}}',
  },
  hang: { request: rpc('hang') },
  greeting: [
    [
      'aip.handshake',
      '{"jsonrpc":"2.0","id":"handshake","result":{"version":"1.0.0","server":{"name":"probe"}}}',
    ],
  ],
  peer: { version: '1.0.0', name: 'probe', capabilities: [] },
} as const;

const MCP_EVENTS: HandScript = {
  ...MCP,
  ...greet('2025-06-18', ''),
  ...mcpStream(message => `event: message\ndata: ${message}\n\n`),
};

/** MCP over the input and output of a process: a message a line. */
export const MCP_LINES: HandScript = {
  ...MCP,
  ...greet('2025-06-18', ''),
  ...mcpStream(message => `${message}\n`),
};

/** JSON over POST, no stream, notifications answered with 200 (reading of OpenStarry, section 5). */
export const OPENSTARRY: HandScript = {
  ...MCP,
  ...greet('2024-11-05', '{}'),
  slow: { request: tool('slow'), answer: of('"result":{"content":[{"type":"text","text":"slow"}]}') },
};

/** What an agent of each protocol is asked and answers over HTTP. */
export const HAND_SCRIPTS = {
  aicf: AICF,
  aicl: AICL,
  'json-rpc': JSON_RPC,
  aio: AIO,
  mcp: MCP_EVENTS,
  'agent-api': AGENT_API,
  responses: RESPONSES,
  a2a: A2A,
} as const satisfies Readonly<Record<ProtocolName, HandScript>>;
