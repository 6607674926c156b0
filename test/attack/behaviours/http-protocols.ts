import type { Socket } from 'node:net';
import { reply } from '../../agents/support/raw-agent.ts';
import { MIB } from '../support/measure.ts';
import { typeOf, type Call, type HttpAttack } from '../support/http-agent.ts';
import { EVENTS, flood, head, write } from '../support/write.ts';

const ENDS = { end: [0, 1] } as const;
const FAILS = { end: [1] } as const;

const json = (socket: Socket, body: string | Buffer, status = '200 OK'): void =>
  void socket.end(reply(body, status, 'application/json'));
const text = (socket: Socket, body: string | Buffer): void => void socket.end(reply(body));
const rpc = (call: Call, member: string): string => `{"jsonrpc":"2.0","id":${call.id},${member}}`;
const aicl = (entries: string): string =>
  `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]:${entries}]`;
const asks = (call: Call, method: string): boolean => call.request.includes(`"${method}"`);

const INITIALIZED =
  '"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"logging":{}},"serverInfo":{"name":"x","version":"1"}}';

/** Answers what begins a session of MCP; `otherwise` gets the rest. */
function asMcp(
  otherwise: (socket: Socket, call: Call) => void | Promise<void>,
  headers = '',
): (socket: Socket, call: Call) => void | Promise<void> {
  return (socket, call) => {
    if (!call.request.startsWith('POST ')) return void socket.end(reply('', '405 Method Not Allowed'));
    if (asks(call, 'server/discover'))
      return json(socket, rpc(call, '"error":{"code":-32601,"message":"no"}'));
    if (asks(call, 'initialize'))
      return void socket.end(head('application/json', '200 OK', headers) + rpc(call, INITIALIZED));
    if (call.request.includes('"notifications/')) return void socket.end(reply('', '202 Accepted'));
    return otherwise(socket, call);
  };
}

const tools = (list: string, more = ''): string => `"result":{"tools":[${list}]${more}}`;
const TOOLS = ['tools', 'hostile'];

const AICL: readonly HttpAttack[] = [
  {
    name: 'replies with an unknown type',
    does: "Sends a message of the type 'surprise'.",
    protocols: ['aicl'],
    answer: socket => text(socket, aicl('[s:surprise],[s:data]:[s:shown all the same]')),
    expected: { end: [1], out: /shown all the same/ },
    short: 'aicl',
  },
  {
    name: 'sends a tensor of 2^53 elements',
    does: 'Sends a tensor whose shape multiplies to more than there is memory.',
    protocols: ['aicl'],
    answer: socket =>
      text(
        socket,
        aicl('[s:result],[s:data]:[t:float64:9007199254740991,9007199254740991:00000]') +
          aicl('[s:result],[s:data]:[t:uint8:0,99999999999999999999:]') +
          aicl('[s:result],[s:data]:[t:uint8:4294967296:0000000000]'),
      ),
    expected: ENDS,
    short: 'aicl',
  },
  {
    name: 'sends a tensor that is no Base85',
    does: 'Sends a payload of 4 MB that overflows in every group.',
    protocols: ['aicl'],
    answer: (socket, call) =>
      text(socket, aicl(`[s:result],[s:data]:[t:uint8:4:${'~'.repeat(call.size(4_000_000))}]`)),
    expected: ENDS,
  },
  {
    name: 'sends a long shape',
    does: 'Sends a tensor of a million dimensions.',
    protocols: ['aicl'],
    answer: (socket, call) =>
      text(socket, aicl(`[s:result],[s:data]:[t:uint8:${'1,'.repeat(call.size(1_000_000))}1:00]`)),
    expected: ENDS,
    short: 'aicl',
  },
  {
    name: 'sends many messages',
    does: 'Sends 20,000 chunks of a stream, all of them the first.',
    protocols: ['aicl'],
    answer: (socket, call) => {
      const one = `${aicl('[s:result],[s:data]:[s:x],[s:stream_id]:[s:x_1/9007199254740991]')}\n`;
      text(socket, one.repeat(call.size(20_000)));
    },
    expected: ENDS,
  },
  {
    name: 'leaves brackets open in texts',
    does: 'Sends 2 MB of texts that hold brackets, so that recovery looks again and again.',
    protocols: ['aicl'],
    answer: (socket, call) =>
      text(socket, aicl(`[s:result],[s:data]:[l:${'[s:a[0],'.repeat(call.size(250_000))}`)),
    expected: ENDS,
    short: 'aicl',
  },
  {
    name: 'leaves brackets over',
    does: 'Sends a message with 1,000,000 brackets behind it.',
    protocols: ['aicl'],
    answer: (socket, call) =>
      text(socket, `${aicl('[s:result],[s:data]:[i:1]')}${']'.repeat(call.size(1_000_000))}`),
    expected: ENDS,
  },
  {
    name: 'sends a long list',
    does: 'Sends a list of 200,000 numbers in one message.',
    protocols: ['aicl'],
    answer: (socket, call) =>
      text(socket, aicl(`[s:result],[s:data]:[l:${'[i:1],'.repeat(call.size(200_000))}]`)),
    expected: ENDS,
  },
  {
    name: 'fails with escapes',
    does: 'Sends an error whose reason steers the terminal.',
    protocols: ['aicl'],
    answer: socket => text(socket, aicl('[s:error],[s:code]:[i:5000],[s:reason]:[s:\u001b[2J\u0007\u202e]')),
    expected: FAILS,
  },
];

const AICF: readonly HttpAttack[] = [
  {
    name: 'sends many fields',
    does: 'Sends an error of 1,000,000 fields.',
    protocols: ['aicf'],
    answer: (socket, call) => text(socket, `ERR|500${'|x'.repeat(call.size(1_000_000))}`),
    expected: FAILS,
  },
  {
    name: 'streams without an end',
    does: 'Sends 200,000 chunks and no END.',
    protocols: ['aicf'],
    answer: async (socket, call) => {
      socket.write(head('text/plain'));
      await flood(socket, 'STREAM|x\n', call.size(1_800_000));
      socket.end();
    },
    expected: ENDS,
    short: 'aicf',
  },
  {
    name: 'fails with escapes',
    does: 'Sends an error whose message steers the terminal, and whose code is none.',
    protocols: ['aicf'],
    answer: socket =>
      text(socket, 'ERR|\u001b[5m9999999999999999999999|\u001b]0;x\u0007\u001b[2J\u202e\u009b31m'),
    expected: FAILS,
    short: 'aicf',
  },
  {
    name: 'sends data without an end of lines',
    does: 'Sends OK and 400,000 lines behind it that begin with no command.',
    protocols: ['aicf'],
    answer: (socket, call) => text(socket, `OK|a\n${'x\n'.repeat(call.size(400_000))}`),
    expected: ENDS,
  },
  {
    name: 'lists many tools',
    does: 'Answers LIST with 200,000 tools and their descriptions.',
    protocols: ['aicf'],
    at: 'first',
    words: TOOLS,
    answer: (socket, call) =>
      text(
        socket,
        call.request.includes('\r\n\r\nLIST')
          ? `TOOLS${Array.from({ length: call.size(200_000) }, (_, k) => `|t${k}`).join('')}`
          : 'ERR|404|none',
      ),
    expected: ENDS,
    short: 'aicf',
  },
  {
    name: 'lists tools with escapes',
    does: 'Answers LIST and INFO with names that steer the terminal.',
    protocols: ['aicf'],
    at: 'first',
    words: TOOLS,
    answer: (socket, call) =>
      text(
        socket,
        call.request.includes('\r\n\r\nLIST')
          ? 'TOOLS|\u001b[2J\u202eevil|$(alert)|[x](command:y)'
          : 'TOOL|\u001b[2J\u202eevil|[x](command:y)|\u001b[5m:string',
      ),
    expected: ENDS,
  },
];

const RPC: readonly HttpAttack[] = [
  {
    name: 'greets with a handshake of escapes',
    does: 'Answers the handshake with a version and a name that steer the terminal.',
    protocols: ['json-rpc', 'aio'],
    at: 'first',
    answer: (socket, call) =>
      json(
        socket,
        rpc(
          call,
          '"result":{"version":"\\u001b[2J","type":"\\u001b[2J","name":"\\u202eevil","server":{"name":"\\u001b]0;x\\u0007"},"methods":[null,{},7]}',
        ),
      ),
    expected: ENDS,
  },
  {
    name: 'greets with nested lists',
    does: 'Answers every request with lists 100,000 deep.',
    protocols: ['json-rpc', 'aio'],
    at: 'first',
    answer: (socket, call) =>
      json(socket, rpc(call, `"result":${'['.repeat(call.size(100_000))}${']'.repeat(call.size(100_000))}`)),
    expected: ENDS,
    short: 'aio',
  },
  {
    name: 'names a trace of its own',
    does: 'Answers with a trace id of 1 MB that holds markup.',
    protocols: ['aio'],
    answer: (socket, call) =>
      json(
        socket,
        `{"id":${call.id},"trace_id":"<img src=x>${'y'.repeat(call.size(MIB))}","trace":{"trace_id":["x"]},"output":{"type":"text","value":"fine"}}`,
      ),
    expected: ENDS,
  },
];

const MCP: readonly HttpAttack[] = [
  {
    name: 'lists many tools',
    does: 'Lists 50,000 tools.',
    protocols: ['mcp'],
    at: 'first',
    words: TOOLS,
    answer: asMcp((socket, call) => {
      const one = (_: unknown, k: number): string => `{"name":"t${k}","inputSchema":{"type":"object"}}`;
      json(socket, rpc(call, tools(Array.from({ length: call.size(50_000) }, one).join(','))));
    }),
    expected: ENDS,
    short: 'mcp',
  },
  {
    name: 'never ends its list of tools',
    does: 'Answers every page of its tools with a cursor to the next.',
    protocols: ['mcp'],
    at: 'first',
    words: TOOLS,
    timeout: 5,
    answer: (() => {
      let page = 0;
      return asMcp((socket, call) =>
        json(
          socket,
          rpc(
            call,
            tools(`{"name":"t${page}","inputSchema":{"type":"object"}}`, `,"nextCursor":"p${page++}"`),
          ),
        ),
      );
    })(),
    expected: ENDS,
  },
  {
    name: 'repeats a page of its tools',
    does: 'Answers every page of its tools with the same cursor.',
    protocols: ['mcp'],
    at: 'first',
    timeout: 5,
    answer: asMcp((socket, call) =>
      asks(call, 'tools/list')
        ? json(
            socket,
            rpc(call, tools('{"name":"t","inputSchema":{"type":"object"}}', ',"nextCursor":"same"')),
          )
        : json(socket, rpc(call, '"result":{"content":[]}')),
    ),
    expected: ENDS,
    short: 'mcp',
  },
  {
    name: 'lists tools with schemas in circles',
    does: 'Lists a tool whose schema refers to itself, to a file and to another server.',
    protocols: ['mcp'],
    at: 'first',
    answer: asMcp((socket, call) =>
      asks(call, 'tools/list')
        ? json(
            socket,
            rpc(
              call,
              tools(
                `{"name":"echo","inputSchema":{"type":"object","$ref":"#","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}},"properties":{"a":{"$ref":"#/$defs/a"},"b":{"$ref":"${call.other}/schema.json"},"c":{"$ref":"file:///etc/passwd"}}}}`,
              ),
            ),
          )
        : json(socket, rpc(call, '"result":{"content":[{"type":"text","text":"fine"}]}')),
    ),
    expected: ENDS,
    short: 'mcp',
  },
  {
    name: 'lists a tool with a pattern that never ends',
    does: 'Lists a tool whose schema wants an argument that matches (a+)+$, and property names likewise.',
    protocols: ['mcp'],
    at: 'first',
    words: ['send', 'regex.aicf', '--agent', 'hostile'],
    files: { 'regex.aicf': `CALL|echo|{"a":"${'a'.repeat(60)}!"}\n` },
    answer: asMcp((socket, call) =>
      asks(call, 'tools/list')
        ? json(
            socket,
            rpc(
              call,
              tools(
                '{"name":"echo","inputSchema":{"type":"object","properties":{"a":{"type":"string","pattern":"^(a+)+$","format":"regex"}},"patternProperties":{"^(a+)+$":{"type":"string"}},"propertyNames":{"pattern":"^(a|aa)+$"}},"outputSchema":{"type":"object","properties":{"b":{"type":"string","pattern":"^(a+)+$"}},"required":["b"]}}',
              ),
            ),
          )
        : json(socket, rpc(call, `"result":{"content":[],"structuredContent":{"b":"${'a'.repeat(60)}!"}}`)),
    ),
    expected: ENDS,
    short: 'mcp',
  },
  {
    name: 'lists tools with nested schemas',
    does: 'Lists a tool whose schema is 5,000 objects deep and has the name __proto__.',
    protocols: ['mcp'],
    at: 'first',
    words: TOOLS,
    answer: asMcp((socket, call) =>
      json(
        socket,
        rpc(
          call,
          tools(
            `{"name":"__proto__","inputSchema":{"type":"object","properties":${'{"a":{"type":"object","properties":'.repeat(5000)}{}${'}}'.repeat(5000)}}}`,
          ),
        ),
      ),
    ),
    expected: ENDS,
    short: 'mcp',
  },
  {
    name: 'lists tools with evil names',
    does: 'Lists tools whose names and descriptions steer the terminal and are links to commands.',
    protocols: ['mcp'],
    at: 'first',
    words: TOOLS,
    answer: asMcp((socket, call) =>
      json(
        socket,
        rpc(
          call,
          tools(
            '{"name":"\\u001b[2J\\u202eevil","description":"[x](command:y) $(alert)\\u001b]0;x\\u0007","inputSchema":{"type":"object","properties":{"\\u001b[31m":{"description":"\\u009b"}}}}',
          ),
        ),
      ),
    ),
    expected: ENDS,
  },
  {
    name: 'names a session with a line end',
    does: 'Names a session of 8 KB that holds another header after a bare CR.',
    protocols: ['mcp'],
    at: 'first',
    answer: asMcp(
      (socket, call) => json(socket, rpc(call, '"result":{"content":[]}')),
      `Mcp-Session-Id: a\tb${'x'.repeat(8000)}\xa0\r\n`,
    ),
    expected: ENDS,
    short: 'mcp',
  },
  {
    name: 'forgets its session',
    does: 'Answers every call with 404, as if its session had ended.',
    protocols: ['mcp'],
    at: 'first',
    answer: asMcp(socket => json(socket, '{}', '404 Not Found'), 'Mcp-Session-Id: one\r\n'),
    expected: FAILS,
  },
  {
    name: 'speaks a version that is none',
    does: 'Names the version "\\u001b[2J" of the protocol.',
    protocols: ['mcp'],
    at: 'first',
    answer: (socket, call) =>
      json(
        socket,
        rpc(
          call,
          '"result":{"protocolVersion":"\\u001b[2J9999","capabilities":7,"serverInfo":{"name":{},"version":null}}',
        ),
      ),
    expected: FAILS,
    short: 'mcp',
  },
  {
    name: 'asks for the sign-in at another server',
    does: 'Answers 401 and names another server for the metadata of its sign-in.',
    protocols: ['mcp'],
    at: 'first',
    answer: (socket, call) =>
      void socket.end(
        `HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer resource_metadata="${call.other}/.well-known/oauth-protected-resource", scope="\u001b[2J"\r\nContent-Length: 0\r\n\r\n`,
      ),
    expected: FAILS,
    short: 'mcp',
  },
  {
    name: 'asks for the sign-in in a file',
    does: 'Answers 401 and names a file and a huge circle of metadata for its sign-in.',
    protocols: ['mcp'],
    at: 'first',
    answer: (socket, call) =>
      call.request.startsWith('GET ')
        ? json(
            socket,
            `{"resource":"${call.origin}/","authorization_servers":["file:///etc/passwd","${call.origin}/a","${call.other}/"],"issuer":"${call.origin}","authorization_endpoint":"javascript:alert(1)","token_endpoint":"${call.origin}/token","x":"${'y'.repeat(call.size(4 * MIB))}"}`,
          )
        : void socket.end(
            'HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer resource_metadata="file:///etc/passwd"\r\nContent-Length: 0\r\n\r\n',
          ),
    expected: { end: [1], never: /root:/ },
  },
  {
    name: 'asks its caller',
    does: 'Sends 10,000 requests for values, texts of a model, folders, and of unknown methods before it answers.',
    protocols: ['mcp'],
    answer: async (socket, call) => {
      socket.write(EVENTS);
      const methods = ['sampling/createMessage', 'elicitation/create', 'roots/list', 'evil/method', 'ping'];
      for (let k = 0; k < call.size(10_000); k++)
        await write(
          socket,
          `data: {"jsonrpc":"2.0","id":"q${k}","method":"${methods[k % methods.length]}","params":{"message":"\\u001b[2J","requestedSchema":{"type":"object","properties":{}},"messages":[],"maxTokens":1}}\n\n`,
        );
      socket.end(`data: ${call.whole('fine')}\n\n`);
    },
    expected: ENDS,
    short: 'mcp',
  },
  {
    name: 'reports progress that is none',
    does: 'Sends 100,000 notes of progress: negative, too large, of other calls, with escapes.',
    protocols: ['mcp'],
    answer: async (socket, call) => {
      socket.write(EVENTS);
      for (let k = 0; k < call.size(100_000); k += 100)
        await write(
          socket,
          `data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${k % 200 === 0 ? call.id : '"x"'},"progress":${k % 300 === 0 ? '-1e308' : '1e999'},"total":0,"message":"\\u001b[2J"}}\n\n`.repeat(
            100,
          ),
        );
      socket.end(`data: ${call.whole('fine')}\n\n`);
    },
    expected: ENDS,
  },
  {
    name: 'floods with logs',
    does: 'Sends 50,000 log messages and changes of its lists before it answers.',
    protocols: ['mcp'],
    answer: async (socket, call) => {
      socket.write(EVENTS);
      const log =
        'data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"x","data":{"\\u001b":1}}}\n\n' +
        'data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n';
      await flood(socket, log, call.size(50_000 * log.length) / 2);
      socket.end(`data: ${call.whole('fine')}\n\n`);
    },
    expected: ENDS,
  },
  {
    name: 'cancels what it did not ask',
    does: 'Sends cancellations of our request and of others, and no answer.',
    protocols: ['mcp'],
    timeout: 3,
    answer: (socket, call) =>
      void socket.end(
        `${EVENTS}${[call.id, '"x"', '-1', 'null'].map(id => `data: {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id},"reason":"\\u001b[2J"}}\n\n`).join('')}`,
      ),
    expected: FAILS,
    short: 'mcp',
  },
  {
    name: 'sends files of this computer',
    does: 'Sends contents that link to files and to another server, and pictures that are none.',
    protocols: ['mcp'],
    answer: (socket, call) =>
      json(
        socket,
        rpc(
          call,
          `"result":{"content":[{"type":"resource_link","uri":"file:///etc/passwd","name":"x"},{"type":"resource_link","uri":"${call.other}/","name":"x"},{"type":"image","data":"!!!","mimeType":"text/html"},{"type":"evil"},null]}`,
        ),
      ),
    expected: { end: [0, 1], never: /root:/ },
  },
];

const A2A: readonly HttpAttack[] = [
  {
    name: 'has a card that leads elsewhere',
    does: 'Names another server as its endpoint in its card.',
    protocols: ['a2a'],
    at: 'first',
    answer: (socket, call) =>
      json(
        socket,
        `{"protocolVersion":"0.3.0","name":"x","description":"","url":"${call.other}/","version":"1","capabilities":{},"skills":[],"defaultInputModes":[],"defaultOutputModes":[],"additionalInterfaces":[{"url":"file:///etc/passwd","transport":"JSONRPC"}]}`,
      ),
    expected: FAILS,
    short: 'a2a',
  },
  {
    name: 'has a card without an end',
    does: 'Sends a card of 300 MiB.',
    protocols: ['a2a'],
    at: 'first',
    answer: async (socket, call) => {
      socket.write(`${head('application/json')}{"name":"`);
      await flood(socket, 'x', call.size(300 * MIB));
      socket.end();
    },
    expected: FAILS,
  },
  {
    name: 'has a card of nested lists',
    does: "Sends a card of 20 MB of '['.",
    protocols: ['a2a'],
    at: 'first',
    answer: (socket, call) => json(socket, '['.repeat(call.size(20_000_000))),
    expected: FAILS,
    short: 'a2a',
  },
  {
    name: 'has a card of wrong types',
    does: 'Sends a card whose members are null, numbers and texts that steer the terminal.',
    protocols: ['a2a'],
    at: 'first',
    answer: socket =>
      json(
        socket,
        '{"protocolVersion":7,"name":{"\\u001b[2J":1},"url":null,"version":[],"capabilities":"x","skills":{"a":1},"supportedInterfaces":[null,7]}',
      ),
    expected: FAILS,
  },
  {
    name: 'has a card with many skills',
    does: 'Sends a card with 20,000 skills whose names are links to commands.',
    protocols: ['a2a'],
    at: 'first',
    words: TOOLS,
    answer: (socket, call) =>
      json(
        socket,
        `{"protocolVersion":"0.3.0","name":"x","description":"","url":"${call.origin}/","version":"1","capabilities":{},"defaultInputModes":[],"defaultOutputModes":[],"skills":[${Array.from({ length: call.size(20_000) }, (_, k) => `{"id":"[x](command:y)${k}","name":"\\u001b[2J","description":"","tags":[]}`).join(',')}]}`,
      ),
    expected: ENDS,
  },
  {
    name: 'never ends its task',
    does: 'Answers that its task works, and so for ever.',
    protocols: ['a2a'],
    timeout: 3,
    answer: (socket, call) =>
      json(
        socket,
        rpc(call, '"result":{"kind":"task","id":"t","contextId":"c","status":{"state":"working"}}'),
      ),
    expected: FAILS,
  },
  {
    name: 'sends tasks in a state that is none',
    does: 'Streams tasks with states, times and parts that nobody knows.',
    protocols: ['a2a'],
    timeout: 5,
    answer: (socket, call) =>
      void socket.end(
        `${EVENTS}data: ${rpc(call, '"result":{"kind":"task","id":"t","contextId":"c","status":{"state":"\\u001b[2J","timestamp":"x"},"history":[{"kind":7}],"artifacts":[{"artifactId":"a","parts":[{"kind":"file","file":{"uri":"file:///etc/passwd"}},{"kind":"x"}]}]}')}\n\ndata: ${rpc(call, '"result":{"kind":"surprise"}')}\n\n`,
      ),
    expected: { end: [0, 1], never: /root:/ },
    short: 'a2a',
  },
  {
    name: 'streams many parts',
    does: 'Sends 20,000 parts of an artifact, of tasks that are not ours.',
    protocols: ['a2a'],
    timeout: 20,
    answer: async (socket, call) => {
      socket.write(EVENTS);
      for (let k = 0; k < call.size(20_000); k++)
        await write(
          socket,
          `data: ${rpc(call, `"result":{"kind":"artifact-update","taskId":"t${k % 7}","contextId":"c","append":true,"artifact":{"artifactId":"a${k % 3}","parts":[{"kind":"text","text":"x"}]}}`)}\n\n`,
        );
      socket.end(call.whole('fine'));
    },
    expected: ENDS,
  },
];

const event = (body: string): string => `event: x\ndata: ${body}\n\n`;

const MODELS: readonly HttpAttack[] = [
  {
    name: 'streams pieces that belong to nothing',
    does: 'Sends 50,000 pieces of texts with indexes that are negative, too large and no numbers.',
    protocols: ['responses', 'agent-api'],
    answer: async (socket, call) => {
      socket.write(EVENTS);
      const indexes = ['-1', '1e999', '"x"', '9007199254740993', 'null', '4294967295'];
      for (let k = 0; k < call.size(50_000); k += 50) {
        const at = indexes[(k / 50) % indexes.length];
        await write(
          socket,
          event(
            `{"type":"response.output_text.delta","object":"content","msg_id":"m${k}","item_id":"m","output_index":${at},"content_index":${at},"index":${at},"delta":${call.protocol === 'responses' ? '"x"' : 'true'},"text":"x","status":"in_progress"}`,
          ).repeat(50),
        );
      }
      socket.end();
    },
    expected: FAILS,
    short: 'responses',
  },
  {
    name: 'streams unknown events',
    does: 'Sends 20,000 events of unknown types, then a response that failed with escapes.',
    protocols: ['responses', 'agent-api'],
    answer: (socket, call) =>
      void socket.end(
        `${EVENTS}${event('{"type":"response.surprise","object":"surprise"}').repeat(call.size(20_000))}${event('{"type":"response.failed","object":"response","status":"failed","error":{"code":"\\u001b[2J","message":"\\u202e$(alert)"},"response":{"object":"response","status":"failed","error":{"code":"\\u001b[2J","message":"\\u202e$(alert)"}}}')}`,
      ),
    expected: FAILS,
    short: 'agent-api',
  },
  {
    name: 'asks for leave again and again',
    does: 'Answers with a request for leave to run a tool, and so to each answer.',
    protocols: ['responses', 'agent-api'],
    timeout: 20,
    answer: (socket, call) =>
      void socket.end(
        reply(
          call.protocol === 'responses'
            ? '{"id":"r","object":"response","status":"completed","output":[{"type":"mcp_approval_request","id":"a","name":"\\u001b[2Jrm","server_label":"x","arguments":"{}"}]}'
            : event(
                '{"object":"response","status":"completed","id":"r","output":[{"object":"message","type":"mcp_approval_request","role":"assistant","id":"a","status":"completed","content":[{"type":"data","data":{"id":"a","name":"\\u001b[2Jrm","server_label":"x","arguments":"{}"}}]}]}',
              ),
          '200 OK',
          typeOf(call.protocol),
        ),
      ),
    expected: ENDS,
    short: 'responses',
  },
  {
    name: 'sends arguments that are no JSON',
    does: 'Sends calls of functions whose arguments are 1 MB of open brackets.',
    protocols: ['responses'],
    answer: (socket, call) =>
      json(
        socket,
        `{"id":"r","object":"response","status":"completed","output":[{"type":"function_call","id":"f","call_id":"c","name":"__proto__","arguments":"${'['.repeat(call.size(1_000_000))}"}]}`,
      ),
    expected: ENDS,
    short: 'responses',
  },
];

/** What agents of one protocol do. */
export const PROTOCOL_ROWS: readonly HttpAttack[] = [...AICL, ...AICF, ...RPC, ...MCP, ...A2A, ...MODELS];
