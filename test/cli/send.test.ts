import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, describe, it } from 'mocha';
import { sized } from '../support/size.ts';
import { CliFolder } from './support/run-cli.ts';
import { serve } from './support/serve.ts';

const AGENTS = JSON.stringify({
  agents: {
    toolbox: { protocol: 'aicf', type: 'http', url: '${demo:toolbox}' },
    analyst: { protocol: 'aicl', type: 'http', url: '${demo:analyst}' },
  },
});

const REQUESTS = `# @agent toolbox
CALL|math.add|19|23
OK|{"sum":42}

# @agent toolbox
# @name backwards
CALL|text.reverse|abc
`;

const WRONG = `CALL|math.add|1|2
call|math.add|3|4
`;

const QUERY = `[d:
  [s:protocol]:[s:LightAICL],
  [s:session_id]:[s:s1],
  [s:msg_type]:[s:tool_call],
  [s:tool]:[s:fail.always],
  [s:params]:[d:]
]
[d:
  [s:protocol]:[s:LightAICL],
  [s:session_id]:[s:s1],
  [s:msg_type]:[s:error],
  [s:code]:[i:5000],
  [s:reason]:[s:an answer that stands in the file]
]
`;

describe('parley send', () => {
  let folder: CliFolder;

  before(async () => {
    folder = await CliFolder.create({
      '.vscode/agents.json': AGENTS,
      'requests.aicf': REQUESTS,
      'wrong.aicf': WRONG,
      'query.aicl': QUERY,
      'replies.aicf': 'OK|1\n',
      'below/here.aicf': 'CALL|math.add|1|1\n',
      'timeout.aicf': 'CALL|math.add|1|2\n# @timeout soon\nLIST\n',
      'slow.aicf': 'CALL|slow.count|60\nCALL|math.add|1|2\n',
      'bytes.aicf': Uint8Array.from([0x4c, 0xff]),
    });
  });
  after(() => folder.remove());

  it('sends every request of a file in order and prints the replies', async () => {
    assert.deepEqual(await folder.run(['send', 'requests.aicf']), {
      exitCode: 0,
      out: 'OK|{"sum":42}\nOK|cba\n',
      err: '',
    });
  });

  it('sends one message, and prints JSON', async () => {
    const run = await folder.run(['send', 'requests.aicf:3', '--format', 'json']);
    assert.deepEqual(
      { ...run, out: JSON.parse(run.out) as unknown },
      {
        exitCode: 0,
        out: [{ agent: 'toolbox', title: 'backwards', status: 'ok', text: 'OK|cba' }],
        err: '',
      },
    );
  });

  it('sends what comes on standard input', async () => {
    const run = await folder.run(['send', '-', '--agent', 'toolbox'], { input: 'CALL|math.add|2|2\n' });
    assert.deepEqual(run, { exitCode: 0, out: 'OK|{"sum":4}\n', err: '' });
  });

  it('prints a reply of the agent that is an error, and exits 1', async () => {
    const run = await folder.run(['send', 'query.aicl']);
    assert.equal(run.exitCode, 1);
    assert.match(run.out, /^\[d:\n {2}\[s:protocol\]:\[s:LightAICL\],\n[^]*\[s:code\]:\[i:5000\][^]*\n\]\n$/);
    assert.match(run.err, /^analyst fail\.always: error 5000: .+\n$/);
  });

  it('starts an agent that is a process once for all requests, and ends it', async () => {
    const agents = {
      coder: { protocol: 'aicl', type: 'stdio', command: 'node', args: ['coder.mjs', '${env:GREETING}'] },
    };
    await folder.write('processes.json', JSON.stringify({ agents }));
    await folder.write(
      'coder.mjs',
      `import { createInterface } from 'node:readline';
      let count = 0;
      process.stdin.on('end', () => process.stderr.write('bye\\n'));
      createInterface({ input: process.stdin }).on('line', () =>
        console.log('[d:[s:session_id]:[s:s1],[s:msg_type]:[s:result],[s:data]:[s:' + process.argv[2] + ' ' + ++count + ']]'));`,
    );
    const request =
      '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],[s:msg_type]:[s:data_query],[s:query]:[s:x]]\n';
    const options = { input: request.repeat(2), env: { GREETING: 'hello there' } };
    const run = await folder.run(
      ['send', '-', '--agents', 'processes.json', '--trace', 'process.agenttrace.jsonl'],
      options,
    );
    const result = (count: number): string =>
      `[d:[s:session_id]:[s:s1],[s:msg_type]:[s:result],[s:data]:[s:hello there ${count}]]\n`;
    assert.deepEqual(run, {
      exitCode: 0,
      out: `${result(1)}${result(2)}`.replaceAll('hello there', '[redacted]'),
      err: '',
    });
    const trace = await readFile(join(folder.path, 'process.agenttrace.jsonl'), 'utf8');
    const heads = trace.split('\n').filter(line => line.includes('"type":"head"'));
    assert.equal(heads.length, 2);
    assert.match(heads[0] ?? '', /"line":"stdio node coder\.mjs \\"\[redacted\]\\""/);
    assert.ok(trace.includes('bye'));
  });

  it('prints a reply while it comes, each part once', async () => {
    const parts: string[] = [];
    const run = await folder.run(['send', '-', '--agent', 'toolbox'], {
      input: 'CALL|slow.count|2\n',
      onOut: text => void parts.push(text),
    });
    assert.deepEqual(run, { exitCode: 0, out: 'STREAM|1\nSTREAM| 2\nEND\n', err: '' });
    assert.ok(parts.length > 1, 'the first chunk was shown before the last one came');
  });

  it('holds a request with errors back, sends the others, and exits 1', async () => {
    assert.deepEqual(await folder.run(['send', 'wrong.aicf']), {
      exitCode: 1,
      out: 'OK|{"sum":3}\n',
      err:
        "wrong.aicf:2:1: error: 'call' is not a command; write 'CALL' (error 400) [aicf/wrong-case]\n" +
        'Not sent because of errors in it; --force sends it anyway\n',
    });
  });

  it('sends a request with errors when forced', async () => {
    const run = await folder.run(['send', 'wrong.aicf:2', '--force']);
    assert.equal(run.exitCode, 1);
    assert.match(run.out, /^ERR\|400\|.+\n$/);
    assert.match(run.err, /^toolbox math\.add: error 400: .+\n$/);
  });

  it('sends a command that it does not know, without being forced', async () => {
    const bodies: string[] = [];
    const { url, close } = await serve((body, response) => {
      bodies.push(body);
      response.end('OK|pong');
    });
    const agents = { open: { protocol: 'aicf', type: 'http', url } };
    await folder.write('ping.json', JSON.stringify({ agents }));
    const run = await folder.run(['send', '-', '--agents', 'ping.json', '--format', 'json'], {
      input: '# @agent open\nPING|x\nOK|pong\nRequest: X\n',
    });
    const reply = { agent: 'open', status: 'ok', text: 'OK|pong' };
    assert.deepEqual(
      [{ ...run, out: JSON.parse(run.out) as unknown }, bodies],
      [
        {
          exitCode: 0,
          out: [
            { title: 'PING', ...reply },
            { title: 'X', ...reply },
          ],
          err: '',
        },
        ['PING|x', 'X'],
      ],
    );
    await close();
  });

  it('sends by the profile', async () => {
    const bodies: string[] = [];
    const { url, close } = await serve((body, response) => {
      bodies.push(body);
      response.end('[d:[s:content]:[s:hello]]');
    });
    const agents = { chatty: { protocol: 'aicl', type: 'http', url } };
    await folder.write('chatty.json', JSON.stringify({ agents }));
    const message = '[d:[s:msg_type]:[s:data_query],[s:query]:[s:say hello]]';
    await folder.write('headless.aicl', `${message}\n`);
    const words = ['send', 'headless.aicl', '--agents', 'chatty.json'];
    assert.equal((await folder.run(words)).exitCode, 1);
    assert.deepEqual(bodies, []);
    const run = await folder.run([...words, '--profile', 'chat']);
    assert.deepEqual([run.out, bodies], ['[d:[s:content]:[s:hello]]\n', [message]]);
    await close();
  });

  it('continues a conversation from request to request', async () => {
    const bodies: string[] = [];
    const { url, close } = await serve((body, response) => {
      bodies.push(body);
      response.end(
        '{"id":"resp_' + bodies.length + '","object":"response","status":"completed","output":[]}',
      );
    });
    await folder.write(
      'oracle.json',
      JSON.stringify({ agents: { oracle: { protocol: 'responses', type: 'http', url } } }),
    );
    const call = (session: string, x: number): string => `${session}CALL|ask|{"x":${x}}\n`;
    const input =
      call('# @session trip\n', 1) +
      call('# @session trip\n', 2) +
      call('', 3) +
      call('# @session other\n', 4);
    const { exitCode } = await folder.run(['send', '-', '--agents', 'oracle.json', '--force'], { input });
    const followed = bodies.map(
      body => (JSON.parse(body) as { readonly previous_response_id?: string }).previous_response_id,
    );
    assert.deepEqual([exitCode, followed], [0, [undefined, 'resp_1', undefined, undefined]]);
    await close();
  });

  it('finds the agents file above, and the only agent that speaks the language', async () => {
    const below = await CliFolder.create({});
    await below.write('.vscode/agents.json', AGENTS);
    await below.write('a/b/here.aicf', 'CALL|math.add|1|1\n');
    const inside = new CliFolder(join(below.path, 'a', 'b'));
    assert.deepEqual(await inside.run(['send', 'here.aicf']), {
      exitCode: 0,
      out: 'OK|{"sum":2}\n',
      err: '',
    });
    await below.remove();
  });

  it('finds the agents file beside a file that lies elsewhere', async () => {
    const above = await CliFolder.create({});
    await above.write('samples/.vscode/agents.json', AGENTS);
    await above.write('samples/here.aicf', 'CALL|math.add|1|1\n');
    const run = await above.run(['send', 'samples/here.aicf']);
    assert.deepEqual([run.exitCode, run.out], [0, 'OK|{"sum":2}\n']);
    await above.remove();
  });

  it('writes a trace file that names the call, its place and its end', async () => {
    assert.equal(
      (await folder.run(['send', 'requests.aicf:1', '--trace', 'run.agenttrace.jsonl'])).exitCode,
      0,
    );
    const path = join(folder.path, 'run.agenttrace.jsonl');
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    const events = lines.map(line => JSON.parse(line) as Record<string, unknown>);
    const EXCHANGE = ['head', 'wire', 'head', 'wire'];
    assert.deepEqual(
      events.map(event => event['type'] ?? event['format']),
      // Numbers as arguments: the server is asked first whether it reads arguments in its own way.
      ['agenttrace', 'call', ...EXCHANGE, ...EXCHANGE, 'end'],
    );
    const call = events[1] ?? {};
    assert.deepEqual(
      [call['agent'], call['protocol'], call['title'], call['source'], events.at(-1)?.['status']],
      [
        'toolbox',
        'aicf',
        'math.add',
        { uri: pathToFileURL(join(folder.path, 'requests.aicf')).href, line: 1 },
        'ok',
      ],
    );
  });

  it('says of a request to an agent of another protocol what it cannot say there', async () => {
    assert.deepEqual(await folder.run(['send', 'requests.aicf:1', '--agent', 'analyst']), {
      exitCode: 1,
      out: '',
      err: "analyst math.add: error NOT_SENT: Not sent: the agent lists no tool 'math.add'; LIST shows the available ones\n",
    });
  });

  it('cancels the call that runs when interrupted, and sends no more', async () => {
    const interrupt = new AbortController();
    const run = await folder.run(['send', 'slow.aicf'], {
      interrupt: interrupt.signal,
      onOut: () => interrupt.abort(),
    });
    assert.equal(run.exitCode, 1);
    assert.equal(run.out, 'STREAM|1\n');
    assert.match(run.err, /\ntoolbox slow\.count: cancelled: [^\n]+\n$/);
  });

  it('fails with one sentence when the agent is not there, and tries the others', async () => {
    const closed = createServer();
    await new Promise<void>(resolve => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise(resolve => closed.close(resolve));
    const agents = { gone: { protocol: 'aicf', type: 'http', url: `http://127.0.0.1:${port}/` } };
    await folder.write('gone.json', JSON.stringify({ agents }));
    const run = await folder.run(['send', 'requests.aicf', '--agent', 'gone', '--agents', 'gone.json']);
    assert.deepEqual([run.exitCode, run.out], [1, '']);
    assert.match(
      run.err,
      /^gone math\.add: error ECONNREFUSED: [^\n]+\ngone backwards: error ECONNREFUSED: [^\n]+\n$/,
    );
  });

  it('takes secrets from the environment, sends them, and shows them nowhere', async () => {
    let authorization: string | undefined;
    const server = createServer((request, response) => {
      authorization = request.headers.authorization;
      response.setHeader('content-type', 'text/plain');
      response.end('OK|your token is s3cr3t-value');
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const headers = { Authorization: 'Bearer ${secret:my-token}' };
    const agents = { safe: { protocol: 'aicf', type: 'http', url: `http://127.0.0.1:${port}/`, headers } };
    await folder.write('safe.json', JSON.stringify({ agents }));
    const words = [
      'send',
      'requests.aicf:1',
      '--agent',
      'safe',
      '--agents',
      'safe.json',
      '--trace',
      'safe.jsonl',
    ];
    const without = await folder.run(words);
    assert.deepEqual([without.exitCode, without.out, authorization], [2, '', undefined]);
    assert.match(without.err, /on the command line set PARLEY_SECRET_MY_TOKEN\n$/);
    const run = await folder.run(words, { env: { PARLEY_SECRET_MY_TOKEN: 's3cr3t-value' } });
    assert.deepEqual([run.exitCode, authorization], [0, 'Bearer s3cr3t-value']);
    const trace = await readFile(join(folder.path, 'safe.jsonl'), 'utf8');
    assert.deepEqual(
      [run.out.includes('s3cr3t'), run.err.includes('s3cr3t'), trace.includes('s3cr3t')],
      [false, false, false],
    );
    await new Promise(resolve => server.close(resolve));
  });

  it('sends no header of the agents file that frames the request, and says so', async () => {
    const seen: unknown[] = [];
    const server = createServer((request, response) => {
      const { host, 'content-length': length, 'transfer-encoding': coding, 'x-own': own } = request.headers;
      request.resume().on('end', () => {
        seen.push({ host, length, coding, own });
        response.setHeader('content-type', 'text/plain').end('OK|1');
      });
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const headers = {
      hOST: 'example.org',
      'Content-Length': '1',
      'Transfer-Encoding': 'chunked',
      'X-Own': 'x',
    };
    const agents = {
      framed: { protocol: 'aicf', type: 'http', url: `http://${host}/`, headers, quirks: 'off' },
    };
    await folder.write('framed.json', JSON.stringify({ agents }));
    const run = await folder.run(['send', '-', '--agents', 'framed.json'], { input: 'CALL|f|1\n' });
    assert.deepEqual(
      [run.exitCode, run.out, seen],
      [0, 'OK|1\n', [{ host, length: '8', coding: undefined, own: 'x' }]],
    );
    assert.deepEqual(
      run.err
        .match(/framed\.json:1:\d+: error: The agent 'framed': the header '[^']+' cannot be set/g)
        ?.map(line => line.split("'")[3]),
      ['hOST', 'Content-Length', 'Transfer-Encoding'],
    );
    await new Promise(resolve => server.close(resolve));
  });

  it('sends nothing when a later request has an agent whose variables have no value', async () => {
    const bodies: string[] = [];
    const { url, close } = await serve((body, response) => {
      bodies.push(body);
      response.end('OK|1');
    });
    const agents = {
      open: { protocol: 'aicf', type: 'http', url },
      locked: { protocol: 'aicf', type: 'http', url, headers: { Authorization: '${secret:key}' } },
    };
    await folder.write('two.json', JSON.stringify({ agents }));
    await folder.write('two.aicf', '# @agent open\nLIST\n# @agent locked\nLIST\n');
    const run = await folder.run(['send', 'two.aicf', '--agents', 'two.json', '--format', 'json']);
    assert.deepEqual([run.exitCode, run.out, bodies], [2, '', []]);
    assert.match(run.err, /"exitCode":2,.+PARLEY_SECRET_KEY/);
    await close();
  });

  it('sends requests that name no agent to the default of their file', async () => {
    const [one, other] = await Promise.all([
      serve((body, response) => response.end(`OK|one ${body}`)),
      serve((body, response) => response.end(`OK|other ${body}`)),
    ]);
    const toAgent = (url: string): object => ({ protocol: 'aicf', type: 'http', url, quirks: 'off' });
    const agents = { one: toAgent(one.url), other: toAgent(other.url) };
    await folder.write('both.json', JSON.stringify({ agents }));
    await folder.write('both.aicf', '# @default other\n\nLIST\n# @agent one\nLIST\nINFO|a\n');
    const run = await folder.run(['send', 'both.aicf', '--agents', 'both.json']);
    assert.deepEqual([run.exitCode, run.out], [0, 'OK|other LIST\nOK|one LIST\nOK|other INFO|a\n']);
    await one.close();
    await other.close();
  });

  it("shows an agent's control characters on standard error, and leaves its reply as it is", async () => {
    const { url, close } = await serve((_body, response) => response.end('ERR|400|\u001b[2Jno\u009b\u202e'));
    await folder.write(
      'esc.json',
      JSON.stringify({ agents: { esc: { protocol: 'aicf', type: 'http', url } } }),
    );
    const run = await folder.run(['send', '-', '--agents', 'esc.json'], { input: 'LIST\n' });
    assert.deepEqual(run, {
      exitCode: 1,
      out: 'ERR|400|\u001b[2Jno\u009b\u202e\n',
      err: 'esc LIST: error 400: U+001B[2JnoU+009BU+202E\n',
    });
    await close();
  });

  it('shows an AICL reply of a type that AICL does not have, and fails', async () => {
    const text =
      '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:a],[s:msg_type]:[s:banana\u001b],[s:data]:[i:1]]';
    const { url, close } = await serve((_body, response) => response.end(text));
    await folder.write(
      'type.json',
      JSON.stringify({ agents: { fruit: { protocol: 'aicl', type: 'http', url } } }),
    );
    const request =
      '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:a],[s:msg_type]:[s:task_request],[s:task]:[s:x],[s:constraints]:[s:none]]\n';
    const run = await folder.run(['send', '-', '--agents', 'type.json', '--language', 'aicl'], {
      input: request,
    });
    assert.deepEqual(run, {
      exitCode: 1,
      out: `${text}\n`,
      err:
        "fruit x: note: The reply holds a message of the type 'bananaU+001B', which AICL does not have\n" +
        "fruit x: error UNKNOWN_TYPE: The agent answered with a message of the type 'bananaU+001B', which AICL does not have; have it answer with a 'result' or an 'error'\n",
    });
    const converted = await folder.run(['send', '-', '--agents', 'type.json'], { input: 'LIST\n' });
    assert.deepEqual([converted.exitCode, converted.out], [1, `${text}\n`]);
    await close();
  });

  it('prints a long reply that comes in many pieces whole', async () => {
    const lines = Array.from({ length: sized(20_000) }, (_, index) => `STREAM|${index}\n`);
    const { url, close } = await serve((_body, response) => {
      for (const line of lines) response.write(line);
      response.end('END');
    });
    await folder.write(
      'long.json',
      JSON.stringify({ agents: { long: { protocol: 'aicf', type: 'http', url } } }),
    );
    const run = await folder.run(['send', '-', '--agents', 'long.json'], { input: 'LIST\n' });
    assert.deepEqual(run, { exitCode: 0, out: `${lines.join('')}END\n`, err: '' });
    await close();
  });

  it('sends nothing when the trace file cannot be written', async () => {
    const run = await folder.run(['send', 'requests.aicf', '--trace', 'no/such/folder.jsonl']);
    assert.deepEqual([run.exitCode, run.out], [2, '']);
    assert.match(run.err, /^parley: .+ cannot be written \(ENOENT\); choose another file\n$/);
  });

  it('does not send a file that is not UTF-8', async () => {
    assert.deepEqual(await folder.run(['send', 'bytes.aicf']), {
      exitCode: 1,
      out: '',
      err: 'bytes.aicf:1:2: error: The file is not UTF-8 from byte 1 on: save it as UTF-8 [parley/not-utf8]\n',
    });
  });

  for (const [words, message] of [
    [['send'], "'parley send' takes one path; it got 0"],
    [['send', '.'], "'parley send' takes one file, not a folder"],
    [['send', 'replies.aicf'], "There is no request in 'replies.aicf'"],
    [['send', 'requests.aicf:2'], "Message 2 of 'requests.aicf' is not a request"],
    [
      ['send', 'requests.aicf', '--agent', 'toolbax'],
      "There is no agent 'toolbax' in '.vscode/agents.json': did you mean 'toolbox'?",
    ],
    [
      ['send', 'timeout.aicf'],
      "'# @timeout soon' is not a number of seconds above 0 and below 1,000,000: correct or remove it",
    ],
  ] as const) {
    it(`refuses '${words.join(' ')}'`, async () => {
      const run = await folder.run(words);
      const err = run.err.replaceAll(`${folder.path}/`, '');
      assert.deepEqual({ ...run, err }, { exitCode: 2, out: '', err: `parley: ${message}\n` });
    });
  }
});

describe('parley demo', () => {
  it('prints the addresses on one line, serves, and ends when interrupted', async () => {
    const folder = await CliFolder.create({});
    const interrupt = new AbortController();
    let toolboxReply: Promise<string> | undefined;
    const run = await folder.run(['demo'], {
      interrupt: interrupt.signal,
      onOut(line) {
        const addresses = JSON.parse(line) as Record<string, string>;
        assert.deepEqual(Object.keys(addresses), [
          'toolbox',
          'analyst',
          'storyteller',
          'oracle',
          'librarian',
          'courier',
          'curator',
          'herald',
          'chain',
          'loop',
        ]);
        toolboxReply = fetch(addresses['toolbox'] ?? '', { method: 'POST', body: 'CALL|math.add|1|2' })
          .then(response => response.text())
          .finally(() => interrupt.abort());
      },
    });
    assert.equal(await toolboxReply, 'OK|{"sum":3}');
    assert.equal(run.exitCode, 0);
    assert.match(run.out, /^\{"toolbox":"http:\/\/127\.0\.0\.1:\d+\/aip\/v1\/aicf",.*\}\n$/);
    await folder.remove();
  });

  it('runs the sample of the Agent API: a request with parameters, a conversation, and a rejected one', async () => {
    const samples = new CliFolder(join(import.meta.dirname, '../../samples'));
    const [parameters, conversation, rejected] = [
      await samples.run(['send', 'stories.aicl:4']),
      await samples.run(['send', 'stories.aicl:5']),
      await samples.run(['send', 'stories.aicl:3']),
    ];
    assert.deepEqual(
      [parameters, conversation, rejected].map(({ exitCode }) => exitCode),
      [0, 0, 1],
    );
    assert.match(
      parameters.out,
      /Your parameters are \{"model":"storyteller-1","temperature":0.2,"max_tokens":200\}\./,
    );
    assert.match(conversation.out, /Be short\. What is in this file\?/);
    assert.match(rejected.err, /error CONTENT_POLICY: The storyteller does not tell such stories/);
  });
});
