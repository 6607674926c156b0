import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, it } from 'mocha';
import { startDemoHost } from '../../../agents/demo/demo-host.ts';
import { demoAddressesFrom, startDemoAgents, type DemoAgents } from '../../../agents/demo/start.ts';
import { TOOLBOX } from '../../../agents/demo/tools.ts';
import { itAtFullSize } from '../../support/size.ts';
import { until } from '../support/raw-agent.ts';

/** A reply as fetch sees it. */
interface Answer {
  readonly status: number;
  readonly type: string | null;
  readonly body: string;
}

async function post(url: string, body: string, type = 'text/plain'): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': type, connection: 'close' },
  });
  return { status: response.status, type: response.headers.get('content-type'), body: await response.text() };
}

/** Sends bytes as they are and answers all that comes back. */
function sendRaw(url: string, bytes: string): Promise<string> {
  const { port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.setTimeout(2000, () => socket.destroy());
    socket.on('data', data => (text += data.toString()));
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

const PLAIN = 'text/plain; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

function request(type: string, fields: string): string {
  return `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],[s:msg_type]:[s:${type}]${fields}]`;
}

function message(type: string, ...fields: readonly string[]): string {
  const header = ['[s:protocol]:[s:LightAICL]', '[s:session_id]:[s:s1]', `[s:msg_type]:[s:${type}]`];
  return `[d:\n${[...header, ...fields].map(field => `  ${field}`).join(',\n')}\n]`;
}

describe('the demo agents', () => {
  let agents: DemoAgents;
  let toolbox: string;
  let analyst: string;
  before(async () => {
    agents = await startDemoAgents();
    toolbox = agents.addresses.get('toolbox') ?? '';
    analyst = agents.addresses.get('analyst') ?? '';
  });
  after(() => agents.close());

  describe('toolbox, over AICF', () => {
    const ok = (body: string): Answer => ({ status: 200, type: PLAIN, body });
    const malformed = {
      status: 400,
      type: 'text/html; charset=utf-8',
      body: 'ERR|400|Invalid AICF request format: send CALL\\|tool\\|argument, INFO\\|tool or LIST, one request a body',
    };
    const cases: readonly (readonly [string, Answer])[] = [
      ['LIST', ok('TOOLS|text.reverse|math.add|weather.forecast|image.gradient|slow.count|fail.always')],
      ['LIST\r\n', ok('TOOLS|text.reverse|math.add|weather.forecast|image.gradient|slow.count|fail.always')],
      [
        'INFO|weather.forecast',
        ok(
          'TOOL|weather.forecast|A forecast for the next days, made up from the name of the city|city:string|days:integer?',
        ),
      ],
      ['INFO|nope', ok('ERR|404|Tool not found: nope; LIST names the tools of toolbox')],
      ['CALL|text.reverse|a\\|b', ok('OK|b\\|a')],
      ['CALL|text.reverse|', ok('OK|')],
      ['CALL|math.add|1.5|2', ok('OK|{"sum":3.5}')],
      ['CALL|math.add|one|2', ok('ERR|422|Argument a should be of type number')],
      ['CALL|math.add|1', ok('ERR|422|Missing required argument: b')],
      ['CALL|math.add|1|2|3', ok('ERR|422|math.add takes 2 arguments, not 3')],
      ['CALL|math.add|1|2|AUTH:token123', ok('OK|{"sum":3}')],
      ['CALL|math.add|1|2|AUTH: ', ok('ERR|422|math.add takes 2 arguments, not 3')],
      ['CALL|text.reverse|AUTH:abc|x', ok('ERR|422|text.reverse takes 1 arguments, not 2')],
      [
        'CALL|math.add|1|2|AUTH:expired',
        { status: 401, type: PLAIN, body: 'ERR|401|The credential is no longer valid' },
      ],
      [
        'CALL|weather.forecast|Lisbon|1',
        ok('OK|{"city":"Lisbon","unit":"celsius","days":[{"day":1,"sky":"clear","high":16,"low":6}]}'),
      ],
      ['CALL|image.gradient|2|2', ok('OK|{"width":2,"height":2,"rows":[[0,128],[128,255]]}')],
      ['CALL|slow.count|0', ok('OK|')],
      ['CALL|slow.count|1', ok('STREAM|1\nEND\n')],
      ['CALL|fail.always', ok('ERR|500|This tool always fails')],
      ['CALL|fail.always|a\\|b\\nc', ok('ERR|500|a\\|b\\nc')],
      ['CALL|', ok('ERR|400|Missing tool name')],
      ['CALL|nope', ok('ERR|404|Tool not found: nope')],
      ['', malformed],
      ['list', malformed],
      ['LIST\nLIST', malformed],
      ['FOO|x', malformed],
      [
        'x'.repeat(100_001),
        {
          status: 413,
          type: 'text/plain',
          body: 'The request is too long: The demo agent takes at most 100000 bytes',
        },
      ],
    ];
    for (const [line, answer] of cases) {
      it(JSON.stringify(line.slice(0, 40)), async () => {
        assert.deepEqual(await post(toolbox, line), answer);
      });
    }
  });

  describe('toolbox, over JSON-RPC', () => {
    const call = async (method: string, params: unknown): Promise<unknown> => {
      const url = toolbox.replace(/aicf$/, 'rpc');
      const answer = await post(
        url,
        JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }),
        'application/json',
      );
      assert.deepEqual([answer.status, answer.type], [200, JSON_TYPE]);
      return JSON.parse(answer.body);
    };
    const result = (value: unknown): unknown => ({ jsonrpc: '2.0', id: 7, result: value });
    const error = (code: number, text: string): unknown => ({
      jsonrpc: '2.0',
      id: 7,
      error: { code, message: text },
    });

    it('shakes hands, tells its context and lists its tools', async () => {
      assert.deepEqual(
        await call('aip.handshake', { version: '1.0.0' }),
        result({
          version: '1.0.0',
          server: { name: 'toolbox', version: '1.0.0', capabilities: ['tool', 'context'] },
        }),
      );
      assert.deepEqual(
        await call('aip.context.get', {}),
        result({ name: 'toolbox', description: 'The demo agent toolbox', tools: 6 }),
      );
      const listed = (await call('aip.capabilities.list', {})) as { result: { tools: { name: string }[] } };
      assert.deepEqual(listed.result.tools[1], {
        name: 'math.add',
        description: 'Adds two numbers',
        inputSchema: {
          type: 'object',
          properties: { a: { type: 'number' }, b: { type: 'number' } },
          required: ['a', 'b'],
        },
      });
    });

    it('invokes tools and answers faults', async () => {
      const invoke = (tool: string, given: unknown): Promise<unknown> =>
        call('aip.tool.invoke', { tool, arguments: given });
      assert.deepEqual(await invoke('math.add', { a: 1, b: 2 }), result({ sum: 3 }));
      const origin = { protocol: 'aicf', code: 500, text: 'This tool always fails' };
      assert.deepEqual(await invoke('fail.always', {}), {
        jsonrpc: '2.0',
        id: 7,
        error: { code: 500, message: 'This tool always fails', data: origin },
      });
      assert.deepEqual(
        await invoke('math.add', { a: 'x', b: 2 }),
        error(-32602, 'Argument a should be of type number'),
      );
      assert.deepEqual(await invoke('math.add', { a: 1, b: 2, c: 3 }), error(-32602, 'Unknown argument: c'));
      assert.deepEqual(await invoke('__proto__', {}), error(404, 'Tool not found: __proto__'));
      const methods =
        'the methods are aip.handshake, aip.capabilities.list, aip.tool.invoke, aip.context.get';
      assert.deepEqual(await call('aip.nope', {}), error(-32601, `Method not found: aip.nope; ${methods}`));
      assert.deepEqual(
        await call('constructor', {}),
        error(-32601, `Method not found: constructor; ${methods}`),
      );
    });

    it('accepts both formats at either endpoint', async () => {
      const endpoints = [toolbox, toolbox.replace(/aicf$/, 'rpc')];
      const invoke =
        '{"jsonrpc":"2.0","id":1,"method":"aip.tool.invoke","params":{"tool":"math.add","arguments":{"a":1,"b":2}}}';
      const sum = '{"jsonrpc":"2.0","id":1,"result":{"sum":3}}';
      for (const url of endpoints)
        assert.deepEqual(
          [await post(url, 'CALL|math.add|1|2'), await post(url, invoke), await post(url, ' {1')],
          [
            { status: 200, type: PLAIN, body: 'OK|{"sum":3}' },
            { status: 200, type: JSON_TYPE, body: sum },
            {
              status: 400,
              type: JSON_TYPE,
              body: '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error: send one JSON-RPC request object"}}',
            },
          ],
          url,
        );
    });

    it('refuses a credential that has expired', async () => {
      const url = toolbox.replace(/aicf$/, 'rpc');
      const send = async (body: string, credential: string): Promise<readonly [number, string]> => {
        const headers = { authorization: `Bearer ${credential}` };
        const answer = await fetch(url, { method: 'POST', body, headers });
        return [answer.status, await answer.text()];
      };
      assert.deepEqual(
        [
          await send('LIST', 'expired'),
          await send('{"jsonrpc":"2.0","id":4,"method":"aip.context.get"}', 'expired'),
          await send('INFO|nope', 'token123'),
        ],
        [
          [401, 'ERR|401|The credential is no longer valid'],
          [
            401,
            '{"jsonrpc":"2.0","id":4,"error":{"code":401,"message":"The credential is no longer valid"}}',
          ],
          [200, 'ERR|404|Tool not found: nope; LIST names the tools of toolbox'],
        ],
      );
    });

    it('refuses what is no request', async () => {
      const url = toolbox.replace(/aicf$/, 'rpc');
      assert.deepEqual(await post(url, '{bad', 'application/json'), {
        status: 400,
        type: JSON_TYPE,
        body: '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error: send one JSON-RPC request object"}}',
      });
    });
  });

  describe('analyst, over AICL', () => {
    const error = (code: number, reason: string, detail: string): string =>
      message('error', `[s:code]:[i:${code}]`, `[s:reason]:[s:${reason}]`, `[s:detail]:[s:${detail}]`);
    const cases: readonly (readonly [name: string, request: string, reply: string])[] = [
      [
        'a task',
        request('task_request', ',[s:task]:[s:a\\u005Db],[s:constraints]:[d:]'),
        message(
          'result',
          `[s:data]:[d:
    [s:task]:[s:a\\u005Db],
    [s:plan]:[l:[s:Read the task],[s:Ask for what is missing],[s:Do it],[s:Report]]
  ]`,
          '[s:metadata]:[d:[s:agent]:[s:analyst]]',
        ),
      ],
      [
        'a float32 tensor',
        request('data_query', ',[s:query]:[s:embedding]'),
        // Made with Python: base64.b85encode(struct.pack('<8f', .5, .5, .5, .5, .1, -.3, .9, -.3)).
        message('result', '[s:data]:[t:float32:2,4:0000#0000#0000#0000#&CJX_nwgotW@ctTnwgot]'),
      ],
      [
        'a uint8 image of one row',
        request('tool_call', ',[s:tool]:[s:image.gradient],[s:params]:[d:[s:width]:[i:2],[s:height]:[i:1]]'),
        // Made with Python: base64.b85encode(bytes([0, 0, 255, 255, 0, 128])).
        message(
          'result',
          '[s:data]:[t:uint8:1,2,3:009600Du]',
          '[s:metadata]:[d:[s:tool]:[s:image.gradient]]',
        ),
      ],
      [
        'statistics',
        request('tool_call', ',[s:tool]:[s:stats.describe],[s:params]:[d:[s:values]:[l:[i:1],[f:2.5]]]'),
        message(
          'result',
          `[s:data]:[d:
    [s:count]:[i:2],
    [s:min]:[f:1.0],
    [s:max]:[f:2.5],
    [s:mean]:[f:1.75],
    [s:deviation]:[f:0.75]
  ]`,
          '[s:metadata]:[d:[s:tool]:[s:stats.describe]]',
        ),
      ],
      [
        'what a tool takes',
        request('data_query', ',[s:query]:[s:tool text.reverse]'),
        message(
          'result',
          `[s:data]:[d:
    [s:name]:[s:text.reverse],
    [s:description]:[s:Reverses a text, character by character],
    [s:inputSchema]:[d:
      [s:type]:[s:object],
      [s:properties]:[d:[s:text]:[d:[s:type]:[s:string]]],
      [s:required]:[l:[s:text]]
    ]
  ]`,
        ),
      ],
      [
        'an unknown query',
        request('data_query', ',[s:query]:[s:constructor]'),
        error(
          5000,
          'TOOL_FAILED',
          "There is no data 'constructor'; ask for one of: embedding, image, cities, tools, stream",
        ),
      ],
      [
        'an unknown tool in a query',
        request('data_query', ',[s:query]:[s:tool constructor]'),
        error(5000, 'TOOL_FAILED', "There is no tool 'constructor'; the query 'tools' lists them"),
      ],
      [
        'a slow thought',
        request('tool_call', ',[s:tool]:[s:slow.think],[s:params]:[d:[s:seconds]:[f:0.01]]'),
        message(
          'result',
          '[s:data]:[d:[s:thought]:[s:All things considered: 42],[s:seconds]:[f:0.01]]',
          '[s:metadata]:[d:[s:tool]:[s:slow.think]]',
        ),
      ],
      [
        'a failure',
        request('tool_call', ',[s:tool]:[s:fail.always],[s:params]:[d:[s:reason]:[s:no luck]]'),
        error(5000, 'TOOL_FAILED', 'no luck'),
      ],
      [
        'an unknown tool',
        request('tool_call', ',[s:tool]:[s:constructor],[s:params]:[d:]'),
        error(
          3001,
          'TOOL_UNAVAILABLE',
          "There is no tool 'constructor'; call one of: stats.describe, text.reverse, image.gradient, slow.think, fail.always",
        ),
      ],
      [
        'a negotiation',
        request('protocol_negotiate', ',[s:supported]:[l:[s:LightAICL_v2],[s:LightAICL_v1]]'),
        message('protocol_negotiate', '[s:supported]:[l:[s:LightAICL_v1]]', '[s:selected]:[s:LightAICL_v1]'),
      ],
      [
        'chunks',
        request('data_query', ',[s:query]:[s:stream]'),
        [1, 2, 3, 4]
          .map(chunk =>
            message(
              'result',
              `[s:data]:[l:[i:${chunk * 2 - 1}],[i:${chunk * 2}]]`,
              `[s:stream_id]:[s:reply_${chunk}/${Math.min(chunk + 1, 4)}]`,
              ...(chunk === 4 ? ['[s:is_final]:[b:true]'] : []),
            ),
          )
          .join('\n'),
      ],
      [
        'two messages',
        `${request('tool_call', ',[s:tool]:[s:text.reverse],[s:params]:[d:[s:text]:[s:ab]]')}\n${request('result', ',[s:data]:[i:1]')}`,
        `${message('result', '[s:data]:[s:ba]', '[s:metadata]:[d:[s:tool]:[s:text.reverse]]')}\n${error(1000, 'PROTOCOL_ERROR', 'This agent waits for nothing in this session; send a request')}`,
      ],
      [
        'nothing',
        '',
        error(1000, 'PROTOCOL_ERROR', 'The request is empty; send one message of LightAICL').replace(
          's1',
          'unknown',
        ),
      ],
    ];
    for (const [name, body, answer] of cases) {
      it(name, async () => {
        const { body: text, ...head } = await post(analyst, body);
        // The name of a stream is random.
        assert.deepEqual(
          { ...head, body: text.replace(/reply-[0-9a-f]{8}/g, 'reply') },
          { status: 200, type: PLAIN, body: answer },
        );
      });
    }

    const faults: readonly (readonly [name: string, request: string, code: number])[] = [
      ['a missing field', request('tool_call', ',[s:tool]:[s:x]'), 2001],
      ['an unknown type', request('tool_cal', ''), 1000],
      ['broken syntax', request('task_request', ',[s:task]:[s:x').slice(0, -1), 1000],
      ['talk', 'Please reverse this', 1000],
      ['a fragment', '[l:[i:1]]', 1000],
      ['an invalid tensor', request('result', ',[s:data]:[t:float32:2,3:9Yq<Q*]'), 1001],
      ['a wrong value type', request('data_query', ',[s:query]:[i:1]'), 4001],
      ['a hundred thousand brackets', '['.repeat(100_000), 1000],
    ];
    for (const [name, body, code] of faults) {
      it(`${name} is refused with ${code}`, async () => {
        const answer = await post(analyst, body);
        assert.deepEqual(
          [answer.status, /\[s:code\]:\[i:(\d+)\]/.exec(answer.body)?.[1]],
          [200, String(code)],
        );
      });
    }

    itAtFullSize('refuses more than 16 MiB', async () => {
      assert.deepEqual(await post(analyst, 'x'.repeat(16 * 2 ** 20 + 1)), {
        status: 413,
        type: 'text/plain',
        body: `The request is too long: The demo agent takes at most ${16 * 2 ** 20} bytes`,
      });
    });
  });

  it('refuse other hosts, pages and methods, and go on after anything', async () => {
    const head = (first: string, host = '127.0.0.1'): string =>
      `${first} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n`;
    const firstLine = (text: string): string => text.split('\r\n', 1)[0] ?? '';
    for (const url of [toolbox, analyst]) {
      const { pathname } = new URL(url);
      const seen = [
        await sendRaw(url, `${head(`POST ${pathname}`, 'evil.example')}Content-Length: 4\r\n\r\nLIST`),
        await sendRaw(
          url,
          `${head(`POST ${pathname}`)}Origin: http://evil.example\r\nContent-Length: 4\r\n\r\nLIST`,
        ),
        await sendRaw(url, `${head(`GET ${pathname}`)}\r\n`),
        await sendRaw(url, 'not HTTP at all\r\n\r\n'),
        await sendRaw(url, `${head(`POST ${pathname}`)}Content-Length: x\r\n\r\n`),
      ].map(firstLine);
      assert.deepEqual(seen, [
        'HTTP/1.1 403 Forbidden',
        'HTTP/1.1 403 Forbidden',
        'HTTP/1.1 405 Method Not Allowed',
        'HTTP/1.1 400 Bad Request',
        'HTTP/1.1 400 Bad Request',
      ]);
      assert.equal((await post(url, 'LIST')).status, 200);
    }
    assert.deepEqual(await post(new URL('/elsewhere', toolbox).href, 'LIST'), {
      status: 404,
      type: 'text/plain',
      body: 'There is nothing here; the endpoints are /aip/v1/aicf and /aip/v1/rpc',
    });
  });

  it('end their open calls at once when they are closed', async () => {
    const own = await startDemoAgents();
    const url = own.addresses.get('toolbox') ?? '';
    const open = await fetch(url, { method: 'POST', body: 'CALL|slow.count|60' });
    const rest = open.text().catch(() => 'closed');
    await own.close();
    assert.equal(await rest, 'closed');
  });

  it('stop a slow call when its caller is gone', async () => {
    let hasEnded = false;
    const host = await startDemoHost({
      maxBytes: 100,
      async answer({ gone: signal }, reply) {
        const outcome = TOOLBOX.find(tool => tool.name === 'slow.count')?.run(
          new Map([['seconds', 60]]),
          signal,
        );
        assert.ok(outcome?.kind === 'stream');
        try {
          for await (const piece of outcome.pieces) reply.write('text/plain', piece);
        } finally {
          hasEnded = true;
        }
      },
    });
    const gone = new AbortController();
    const response = await fetch(host.origin, { method: 'POST', body: 'x', signal: gone.signal });
    const first = await response.body?.getReader().read();
    assert.deepEqual([Buffer.from(first?.value ?? []).toString(), hasEnded], ['1', false]);
    gone.abort();
    await until('the call has ended', () => hasEnded);
    await host.close();
  });
});

describe('demoAddressesFrom', () => {
  it('reads addresses by name and passes over what is none', () => {
    const read = (text: string | undefined): unknown => demoAddressesFrom({ PARLEY_DEMO: text });
    assert.deepEqual(
      read('{"toolbox":"http://127.0.0.1:1/","x":5,"y":"ftp://z"}'),
      new Map([['toolbox', 'http://127.0.0.1:1/']]),
    );
    for (const text of [undefined, '', '{}', '[]', 'null', '{bad', '"x"'])
      assert.equal(read(text), undefined);
  });
});
