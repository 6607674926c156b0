import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { after, before, describe, it } from 'mocha';
import { connectAgent } from '../../../agents/all.ts';
import { MAX_CALLS } from '../../../agents/bridge/bridged-agent.ts';
import { startDemoAgents, type DemoAgents } from '../../../agents/demo/start.ts';
import type { ProtocolName } from '../../../core/catalog/protocols.ts';
import { until } from '../support/raw-agent.ts';
import { agentAt, sendTo } from '../support/send.ts';
import { agentOf, bridge, notesOf, showTrees, type TestBridge, startListener } from './support.ts';

/** A reply as its caller reads it. */
interface Answer {
  readonly status: number;
  readonly type: string | null;
  readonly body: string;
}

async function post(address: string, body: string, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(address, { method: 'POST', body, headers });
  return { status: response.status, type: response.headers.get('content-type'), body: await response.text() };
}

/** A reply without the ids that its agent makes anew for each. */
const withoutIds = (body: string): string => body.replace(/msg_[0-9a-f-]+/g, 'msg');

const ok = (body: string): Answer => ({ status: 200, type: 'text/plain; charset=utf-8', body });

describe('an agent served as AICF-RPC', () => {
  let demo: DemoAgents;
  const open: (() => Promise<void>)[] = [];
  before(async () => {
    demo = await startDemoAgents();
  });
  after(async () => {
    await Promise.all(open.map(close => close()));
    await demo.close();
  });

  const serve = async (protocol: ProtocolName, name: string, more: object = {}): Promise<TestBridge> => {
    const url = (demo.addresses.get(name) ?? name).replace(/aicf$/, protocol === 'json-rpc' ? 'rpc' : 'aicf');
    const bridged = await bridge(agentOf({ protocol, type: 'http', url, ...more }, name), 'aicf');
    open.push(() => bridged.close());
    return bridged;
  };

  const startAgent = async (listener: RequestListener): Promise<string> => {
    const agent = await startListener(listener);
    open.push(agent.close);
    return agent.address;
  };

  const SUM = 'CALL|math.add|1|2';
  const TASK = 'CALL|ask|Tell me of the sky';

  for (const [protocol, name, line, body] of [
    ['aicf', 'toolbox', SUM, /^OK\|\{"sum":3\}$/],
    ['json-rpc', 'toolbox', SUM, /^OK\|\{"sum":3\}$/],
    ['mcp', 'librarian', SUM, /^OK\|\{"sum":3\}$/],
    ['aicl', 'analyst', 'CALL|text.reverse|abc', /^OK\|cba$/],
    ['agent-api', 'storyteller', TASK, /^(?:STREAM\|.*\n){2,}END\n$/],
    ['responses', 'oracle', TASK, /^(?:STREAM\|.*\n){2,}END\n$/],
    ['aio', 'courier', 'CALL|text.reverse|abc', /^OK\|cba$/],
    ['a2a', 'herald', TASK, /^STREAM\|Hear [\s\S]*\nEND\n$/],
  ] as const)
    it(`answers a call for ${name} of ${protocol}, also to Parley's own client`, async () => {
      const bridged = await serve(protocol, name);
      const answer = await post(bridged.address, line);
      assert.match(answer.body, body);
      assert.equal(answer.status, 200);
      const connection = connectAgent(agentAt('aicf', bridged.address));
      const { reply } = await sendTo(connection, line);
      await connection.close();
      assert.deepEqual([reply.status, withoutIds(reply.text)], ['ok', withoutIds(answer.body)]);
    });

  it('lists and describes tools with the types of their arguments', async () => {
    const bridged = await serve('mcp', 'librarian');
    assert.match((await post(bridged.address, 'LIST')).body, /^TOOLS\|[^\n]*\bmath\.add\|/);
    assert.match(
      (await post(bridged.address, 'INFO|math.add')).body,
      /^TOOL\|math\.add\|[^|]*\|a:number\|b:number$/,
    );
    const none = await post(bridged.address, 'INFO|nope');
    assert.match(none.body, /^ERR\|404\|Tool not found: nope/);
    assert.equal(none.status, 200);
    const tasks = await serve('a2a', 'herald');
    assert.match((await post(tasks.address, 'LIST')).body, /^TOOLS\|(?:.*\|)?ask$/);
    assert.match((await post(tasks.address, 'INFO|ask')).body, /^TOOL\|ask\|[^|]*\|task:string(?:\||$)/);
  });

  it('takes arguments in JSON, by place and by name', async () => {
    const bridged = await serve('aicl', 'analyst');
    const describe = [
      'CALL|stats.describe|[1,2]',
      'CALL|stats.describe|1,2',
      'CALL|stats.describe|{"values":[1,2]}',
    ];
    const [json, , named] = await Promise.all(describe.map(line => post(bridged.address, line)));
    assert.match(json?.body ?? '', /^OK\|\{"count":2,/);
    assert.deepEqual(named, json);
    const summed = await serve('mcp', 'librarian');
    assert.deepEqual(await post(summed.address, 'CALL|math.add|{"a":1,"b":2}'), ok('OK|{"sum":3}'));
    assert.deepEqual(await post(summed.address, 'CALL|text.reverse|{"text":"a"}'), ok('OK|}"a":"txet"{'));
  });

  it('passes on the arguments of the examples of the document with the types of the schema', async () => {
    const schema = (types: Record<string, string>, required: readonly string[]): object => ({
      type: 'object',
      properties: Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }])),
      required,
    });
    const tools = [
      ['figma.getFile', schema({ fileKey: 'string', version: 'string' }, ['fileKey'])],
      ['playwright.screenshot', schema({ file: 'string', width: 'integer', height: 'integer' }, ['file'])],
      ['tool', schema({ given: 'object', more: 'array' }, ['given'])],
    ].map(([name, inputSchema]) => ({ name, description: 'x', inputSchema }));
    const url = await startAgent((request, response) => {
      request.setEncoding('utf8').on('data', (text: string) => {
        const { id, params, method } = JSON.parse(text) as {
          id: number;
          method: string;
          params: { arguments: unknown };
        };
        const answer = method === 'aip.tool.invoke' ? params.arguments : { tools };
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result: answer }));
      });
    });
    const bridged = await serve('json-rpc', url);
    for (const [line, given] of [
      ['CALL|figma.getFile|abc123', '{"fileKey":"abc123"}'],
      ['CALL|figma.getFile|abc123|1.0', '{"fileKey":"abc123","version":"1.0"}'],
      ['CALL|playwright.screenshot|test.png|1920|1080', '{"file":"test.png","width":1920,"height":1080}'],
      [
        'CALL|tool|{"key":"value","nested":{"data":true}}',
        '{"given":{"key":"value","nested":{"data":true}}}',
      ],
      ['CALL|tool|{}|arg1,arg2,arg3', '{"given":{},"more":["arg1","arg2","arg3"]}'],
      ['CALL|tool|{}|["arg1","arg2","arg3"]', '{"given":{},"more":["arg1","arg2","arg3"]}'],
      ['CALL|figma.getFile|a\\|b\\nc', '{"fileKey":"a\\|b\\\\nc"}'],
    ] as const)
      assert.deepEqual(await post(bridged.address, line), ok(`OK|${given}`), line);
    assert.deepEqual(
      await post(bridged.address, 'INFO|figma.getFile'),
      ok('TOOL|figma.getFile|x|fileKey:string|version:string?'),
    );
  });

  it('takes the arguments of a tool that names none as one object', async () => {
    const tools = [
      { name: 'open', inputSchema: { type: 'object' } },
      { name: 'choice', inputSchema: { oneOf: [{ required: ['a'] }, { required: ['b'] }] } },
      { name: 'bare' },
      { name: 'closed', inputSchema: { type: 'object', additionalProperties: false } },
    ];
    const url = await startAgent((request, response) => {
      request.setEncoding('utf8').on('data', (text: string) => {
        const { id, params, method } = JSON.parse(text) as {
          id: number;
          method: string;
          params: { arguments: unknown };
        };
        const answer = method === 'aip.tool.invoke' ? params.arguments : { tools };
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result: answer }));
      });
    });
    const bridged = await serve('json-rpc', url);
    const inOrder = (tool: string, given: readonly unknown[]): Promise<Answer> => {
      const params = { tool, arguments: given };
      return post(
        bridged.address,
        JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'aip.tool.invoke', params }),
      );
    };
    for (const tool of ['open', 'choice', 'bare']) {
      assert.deepEqual(await post(bridged.address, `CALL|${tool}|{"a":1,"b":[2]}`), ok('OK|{"a":1,"b":[2]}'));
      assert.match((await inOrder(tool, [{ a: 1 }])).body, /"result":\{"a":1\}/);
      assert.deepEqual(await post(bridged.address, `CALL|${tool}`), ok('OK|{}'));
    }
    const advice = 'declares no order of its arguments; give them by name in one object';
    assert.match((await post(bridged.address, 'CALL|open|1')).body, new RegExp(`^ERR\\|422\\|.*${advice}`));
    assert.match((await inOrder('open', [1, { a: 1 }])).body, new RegExp(`-32602.*${advice}`));
    assert.match((await post(bridged.address, 'CALL|bare|1')).body, /^ERR\|422\|.*give them by name/);
    assert.match((await post(bridged.address, 'CALL|closed|{"a":1}')).body, /^ERR\|422\|.*takes 0/);
  });

  it('passes on an object by place to an agent that takes arguments so', async () => {
    const url = await startAgent((request, response) => {
      request.setEncoding('utf8').on('data', (line: string) => {
        if (line === 'LIST') response.end('TOOLS|x');
        else response.end(line.startsWith('CALL') ? `OK|${line.replaceAll('|', '/')}` : 'ERR|404|none');
      });
    });
    const bridged = await serve('aicf', url, { quirks: 'off' });
    assert.deepEqual(await post(bridged.address, 'CALL|x|{"a":1}'), ok('OK|CALL/x/{"a":1}'));
  });

  it('reads a request without its byte order mark, its line end and the word before it', async () => {
    const bridged = await serve('mcp', 'librarian');
    for (const body of [`\u{feff}${SUM}`, `${SUM}\r\n`, `${SUM}\n`, `Request: ${SUM}`])
      assert.deepEqual(await post(bridged.address, body), ok('OK|{"sum":3}'), body);
    assert.deepEqual(await post(bridged.address, 'CALL|text.reverse|a\\|b\\\\c\\n'), ok('OK|\\nc\\\\b\\|a'));
  });

  it('says what is wrong with a call', async () => {
    const bridged = await serve('mcp', 'librarian');
    for (const [line, body] of [
      ['CALL|math.add|one|2', 'ERR|422|Argument a should be of type number'],
      ['CALL|math.add|1', 'ERR|422|Missing required argument: b'],
      ['CALL|math.add|1|2|3', 'ERR|422|math.add takes 2 arguments, not 3'],
      ['CALL|', 'ERR|400|Missing tool name'],
    ] as const)
      assert.deepEqual(await post(bridged.address, line), ok(body));
    const unknown = await post(bridged.address, 'CALL|nope|1');
    assert.match(
      unknown.body,
      /^ERR\|404\|The tool 'nope' was not found in the agent '[^']*': call one of its tools/,
    );
    assert.equal(unknown.status, 200);
  });

  it('refuses what is no request as the running server does', async () => {
    const bridged = await serve('mcp', 'librarian');
    for (const body of ['', 'list', 'LIST\nLIST', 'FOO|x', 'CALL', 'OK|1', '<html>']) {
      const answer = await post(bridged.address, body);
      assert.deepEqual([answer.status, answer.type], [400, 'text/html; charset=utf-8'], body);
      assert.match(answer.body, /^ERR\|400\|Invalid AICF request format: send CALL/);
    }
    const away = await fetch(bridged.address);
    assert.deepEqual([away.status, await away.text()], [405, 'Send a POST request']);
    const elsewhere = await post(bridged.address.replace('aicf', 'acif'), 'LIST');
    assert.deepEqual(
      [elsewhere.status, elsewhere.body],
      [404, 'There is nothing here; the endpoints are /aip/v1/aicf and /aip/v1/rpc'],
    );
  });

  it('takes both formats at both endpoints, with errors in the codes of each', async () => {
    const bridged = await serve('mcp', 'librarian');
    const request = (tool: string): string =>
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'aip.tool.invoke',
        params: { tool, arguments: { a: 1, b: 2 } },
      });
    for (const path of ['aicf', 'rpc']) {
      const address = bridged.address.replace(/aicf$/, path);
      assert.deepEqual(await post(address, SUM), ok('OK|{"sum":3}'));
      const answer = await post(address, request('math.add'));
      assert.deepEqual(JSON.parse(answer.body), { jsonrpc: '2.0', id: 1, result: { sum: 3 } });
      assert.equal(answer.type, 'application/json; charset=utf-8');
      assert.match(
        (await post(address, request('nope'))).body,
        /"code":404,"message":"The tool 'nope' was not found[^{]*\}\}$/,
      );
    }
  });

  it('neither passes on nor stores a credential', async () => {
    const bridged = await serve('mcp', 'librarian');
    for (const path of ['aicf', 'rpc'])
      assert.deepEqual(
        await post(bridged.address.replace(/aicf$/, path), `${SUM}|AUTH:token-4711`, {
          authorization: 'Bearer token-4712',
        }),
        ok('OK|{"sum":3}'),
      );
    assert.doesNotMatch(JSON.stringify(bridged.events), /token-471/);
    assert.match(notesOf(bridged).join('\n'), /The credential at the end of the request is not an argument/);
  });

  it('names the code of another protocol after the text of its error', async () => {
    const bridged = await serve('aicl', 'analyst');
    assert.deepEqual(
      await post(bridged.address, 'CALL|fail.always|no luck'),
      ok('ERR|500|TOOL_FAILED: no luck [aicl 5000]'),
    );
  });

  it('streams a reply while it arrives, in one tree with the call', async () => {
    const bridged = await serve('aicf', 'toolbox');
    const response = await fetch(bridged.address, { method: 'POST', body: 'CALL|slow.count|2' });
    const pieces: string[] = [];
    for await (const piece of response.body ?? []) pieces.push(Buffer.from(piece).toString());
    assert.equal(pieces.join(''), 'STREAM|1\nSTREAM| 2\nEND\n');
    assert.ok(pieces.length > 1);
    assert.deepEqual(showTrees(bridged.events), [
      'slow.count (toolbox as AICF, ok) [capabilities (toolbox, ok), slow.count (toolbox, ok)]',
    ]);
  });

  it('streams the chunks of LightAICL', async () => {
    const message = (k: number): string =>
      `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]:[s:result],[s:data]:[s:part ${k}],[s:stream_id]:[s:x_${k}/2],[s:is_final]:[b:${k === 2}]]`;
    let finish = (): void => undefined;
    const url = await startAgent((request, response) => {
      request.setEncoding('utf8').on('data', (text: string) => {
        if (!text.includes('task_request')) return response.end(message(1));
        response.write(message(1));
        finish = () => void response.end(message(2));
      });
    });
    const bridged = await serve('aicl', url);
    const response = await fetch(bridged.address, { method: 'POST', body: 'CALL|ask|x' });
    const pieces: string[] = [];
    for await (const piece of response.body ?? []) {
      pieces.push(Buffer.from(piece).toString());
      finish();
    }
    assert.equal(pieces[0], 'STREAM|part 1\n');
    assert.equal(pieces.join(''), 'STREAM|part 1\nSTREAM|part 2\nEND\n');
  });

  it('answers with one value where an agent of LightAICL sends it in chunks', async () => {
    const chunk = (k: number): string =>
      `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]:[s:result],[s:data]:[l:[i:${k}]],[s:stream_id]:[s:x_${k}/2],[s:is_final]:[b:${k === 2}]]`;
    const url = await startAgent((request, response) => {
      request.resume();
      response.end(chunk(1) + chunk(2));
    });
    const listing = await serve('aicl', url);
    assert.deepEqual(await post(listing.address, 'CALL|ask|x'), ok('OK|[1,2]'));
  });

  it('ends a stream with the error that cuts it off', async () => {
    const url = await startAgent((request, response) => {
      request.resume();
      response.write('STREAM|a\n', () => response.destroy());
    });
    const bridged = await serve('aicf', url, { quirks: 'off' });
    const { body } = await post(bridged.address, 'CALL|x');
    assert.match(body, /^STREAM\|a\nERR\|500\|[^\n]+\n$/);
  });

  it('answers for an agent that is down, and for one that answers nonsense', async () => {
    for (const url of [
      'http://127.0.0.1:1/',
      await startAgent((_request, response) => response.end('<html>')),
    ]) {
      const bridged = await serve('aicf', url, { quirks: 'off' });
      for (const line of ['LIST', 'CALL|x|1']) {
        const { status, body } = await post(bridged.address, line);
        assert.equal(status, 502, `${line}: ${body}`);
        assert.match(body, /^ERR\|500\|\S/);
      }
    }
  });

  it('is busy while too many calls are open, and takes the next when one has ended', async () => {
    const hanging = new Set<() => void>();
    const url = await startAgent((request, response) => {
      request.setEncoding('utf8').on('data', (line: string) => {
        if (line === 'CALL|wait') hanging.add(() => void response.end('OK|done'));
        else response.end(line === 'LIST' ? 'TOOLS|wait' : 'TOOL|wait|Waits');
      });
    });
    const bridged = await serve('aicf', url, { quirks: 'off' });
    assert.deepEqual(await post(bridged.address, 'LIST'), ok('TOOLS|wait'));
    const calls = Array.from({ length: MAX_CALLS }, () => post(bridged.address, 'CALL|wait'));
    await until('all calls to arrive', () => hanging.size === MAX_CALLS);
    const busy = await fetch(bridged.address, { method: 'POST', body: 'CALL|wait' });
    assert.deepEqual([busy.status, busy.headers.get('retry-after')], [503, '1']);
    assert.match(await busy.text(), /^ERR\|500\|The agent .* has 64 open calls, which is the maximum/);
    for (const finish of hanging) finish();
    assert.deepEqual(
      await Promise.all(calls),
      calls.map(() => ok('OK|done')),
    );
  });
});
