import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { CliFolder } from './support/run-cli.ts';

const CALL =
  '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],[s:msg_type]:[s:tool_call],[s:tool]:[s:weather],[s:params]:[d:[s:city]:[s:Paris],[s:days]:[i:3]]]\n';
const RESULT =
  '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s1],[s:msg_type]:[s:result],[s:data]:[s:Sunny]]\n';
const AICF = 'CALL|weather|Paris|3\nOK|Sunny\n';
const TOOL = 'TOOL|weather|Tells the weather|city:string|days:integer\n';
const TOOLS_LIST = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  result: {
    tools: [
      {
        name: 'weather',
        inputSchema: {
          type: 'object',
          properties: { city: { type: 'string' }, days: { type: 'integer' } },
          required: ['city', 'days'],
        },
      },
    ],
  },
});
const TOOL_OBJECT = JSON.stringify({
  weather: {
    inputSchema: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
      required: ['city', 'days'],
    },
  },
});

const GUESSED = 'The names of the arguments are a guess, because nothing declares the tool weather';

describe('parley convert', () => {
  let folder: CliFolder;

  beforeEach(async () => {
    folder = await CliFolder.create({
      'call.aicl': CALL,
      'both.aicl': `# @agent coder\n${CALL}${RESULT}`,
      'in.aicf': AICF,
      'tools.aicf': TOOL,
      'list.json': TOOLS_LIST,
      'tools.json': TOOL_OBJECT,
      'none.json': '{}',
      'bad.aicl': Uint8Array.of(0x5b, 0x73, 0x3a, 0xff, 0x5d),
      'empty.aicf': '# nothing\n',
    });
  });

  afterEach(() => folder.remove());

  it('writes one message for people', async () => {
    assert.deepEqual(await folder.run(['convert', 'call.aicl', '--to', 'json']), {
      exitCode: 0,
      out: `${JSON.stringify(
        { kind: 'call', session: 's1', tool: 'weather', arguments: { city: 'Paris', days: 3 } },
        undefined,
        2,
      )}\n`,
      err: '',
    });
  });

  it('writes several messages a line each, or as the layout says', async () => {
    const [call, result] = [
      { kind: 'call', session: 's1', tool: 'weather', arguments: { city: 'Paris', days: 3 } },
      { kind: 'result', session: 's1', data: 'Sunny' },
    ];
    assert.deepEqual(await folder.run(['convert', 'both.aicl', '--to', 'json']), {
      exitCode: 0,
      out: `${JSON.stringify(call)}\n${JSON.stringify(result)}\n`,
      err: '',
    });
    const pretty = await folder.run(['convert', 'both.aicl', '--to', 'json', '--layout', 'pretty']);
    assert.equal(
      pretty.out,
      `${JSON.stringify(call, undefined, 2)}\n\n${JSON.stringify(result, undefined, 2)}\n`,
    );
  });

  it('picks a message of a file, counted as other commands count', async () => {
    const picked = await folder.run(['convert', 'both.aicl:2', '--to', 'json', '--layout', 'compact']);
    assert.deepEqual(picked, {
      exitCode: 0,
      out: '{"kind":"result","session":"s1","data":"Sunny"}\n',
      err: '',
    });
    const line = await folder.run(['convert', '-:2', '--to', 'aicl', '--layout', 'compact'], {
      input: '{"kind":"call","tool":"a","session":"x"}\n{"kind":"result","data":"Sunny","session":"s1"}\n',
    });
    assert.deepEqual(line, { exitCode: 0, out: RESULT, err: '' });
    const missing = await folder.run(['convert', '-:3', '--to', 'aicl'], { input: '{"a":1}\n{"b":2}\n' });
    assert.deepEqual(missing, {
      exitCode: 2,
      out: '',
      err: "parley: There is no message 3 in '-': it has 2\n",
    });
  });

  it('tells a guess on standard error, and exits 1 only when it is strict', async () => {
    const words = ['convert', 'in.aicf:1', '--to', 'aicl', '--layout', 'compact'];
    const run = await folder.run(words);
    assert.equal(run.exitCode, 0);
    assert.match(run.out, /\[s:arg1\]:\[s:Paris\]/);
    assert.equal(run.err, `[1].arguments: guessed: ${GUESSED}\n`);
    assert.deepEqual(await folder.run([...words, '--strict']), { ...run, exitCode: 1 });
  });

  it('names arguments by the tools of a file, in each of its forms', async () => {
    for (const tools of ['tools.aicf', 'list.json', 'tools.json']) {
      const run = await folder.run(['convert', 'in.aicf:1', '--to', 'json', '--tools', tools, '--strict']);
      assert.deepEqual(
        [run.exitCode, run.err, JSON.parse(run.out)],
        [0, '', { kind: 'call', tool: 'weather', arguments: { city: 'Paris', days: 3 } }],
        tools,
      );
    }
    const none = await folder.run(['convert', 'in.aicf', '--to', 'json', '--tools', 'none.json']);
    assert.equal(none.exitCode, 2);
    assert.match(none.err, /^parley: There is no tool in 'none.json': write TOOL lines/);
  });

  it('prints one JSON document', async () => {
    const run = await folder.run(['convert', 'in.aicf', '--to', 'json', '--format', 'json']);
    assert.equal(run.exitCode, 0);
    assert.deepEqual(JSON.parse(run.out), {
      output:
        '{"kind":"call","tool":"weather","arguments":["Paris","3"]}\n{"kind":"result","data":"Sunny"}\n',
      losses: [],
      notes: [],
      unlisted: 0,
      findings: [],
    });
    const guessed = await folder.run(['convert', 'in.aicf', '--to', 'mcp', '--format', 'json']);
    const { losses } = JSON.parse(guessed.out) as { losses: unknown };
    assert.deepEqual(losses, [{ file: 'in.aicf', path: '[1].arguments', kind: 'guessed', message: GUESSED }]);
  });

  it('reads events of a stream', async () => {
    const run = await folder.run(['convert', '-', '--to', 'json'], {
      input:
        'data: {"kind":"chunk","data":"Sun"}\n\ndata: {"kind":"chunk","data":"ny"}\n\ndata: {"kind":"end"}\n\ndata: [DONE]\n\n',
    });
    assert.deepEqual(run, {
      exitCode: 0,
      out: '{"kind":"chunk","data":"Sun"}\n{"kind":"chunk","data":"ny"}\n{"kind":"end"}\n',
      err: '',
    });
  });

  it('reads JSON lines of several protocols, and leaves out the line that is none', async () => {
    await folder.write(
      'mixed.jsonl',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"weather","arguments":{"city":"Paris","days":3}}}\r\n' +
        '{"kind":"list"}\n\n' +
        '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Sunny"}]}}\n' +
        '{"broken":\n' +
        '{"kind":"result","data":"Rain"}',
    );
    const words = ['convert', 'mixed.jsonl', '--to', 'aicf', '--tools', 'tools.aicf'];
    const run = await folder.run(words);
    assert.deepEqual(run, {
      exitCode: 0,
      out: 'CALL|weather|Paris|3\nLIST\nOK|Sunny\nOK|Rain\n',
      err: `line 5: dropped: '{"broken":' is not complete JSON; the line is left out\n`,
    });
    assert.deepEqual(await folder.run([...words, '--strict']), { ...run, exitCode: 1 });
    const third = await folder.run(['convert', 'mixed.jsonl:3', '--to', 'json', '--layout', 'compact']);
    assert.deepEqual(third, { exitCode: 0, out: '{"kind":"result","data":"Sunny"}\n', err: '' });
  });

  it('takes a stream through the replies of other protocols: its pieces where they stream, else the whole', async () => {
    const strict = (to: string, input: string): Promise<unknown> =>
      folder.run(['convert', '-', '--to', to, '--layout', 'compact', '--strict'], { input });
    const note = `note: A stream was written as one complete reply; its division into chunks and their times are not carried\n`;
    const lines = 'STREAM|Sun\nSTREAM|ny\nEND\n';
    for (const to of ['aicl', 'a2a']) {
      const { out } = await folder.run(['convert', '-', '--to', to, '--layout', 'compact'], { input: lines });
      assert.deepEqual(await strict('aicf', out), { exitCode: 0, out: lines, err: '' }, to);
    }
    for (const to of ['responses', 'agent-api', 'mcp', 'aio', 'json-rpc']) {
      const { out, err } = await folder.run(['convert', '-', '--to', to, '--layout', 'compact', '--strict'], {
        input: lines,
      });
      assert.deepEqual(
        [err, await strict('aicf', out)],
        [note, { exitCode: 0, out: 'OK|Sunny\n', err: '' }],
        to,
      );
    }
  });

  it('is as strict about what is dropped, rounded or moved, and not about notes', async () => {
    const strict = (input: string, to: string): Promise<unknown> =>
      folder.run(['convert', '-', '--to', to, '--layout', 'compact', '--strict'], { input });
    assert.deepEqual(await strict(CALL.replace('[s:city]:[s:Paris],[s:days]:[i:3]', ''), 'aicf'), {
      exitCode: 1,
      out: 'CALL|weather\n',
      err: 'session: dropped: AICF has no place for a session\n',
    });
    assert.deepEqual(await strict('{"kind":"result","data":0.10000000000000000000001}', 'json'), {
      exitCode: 1,
      out: '{"kind":"result","data":0.1}\n',
      err: "line 1: rounded: The number '0.10000000000000000000001' does not fit a double; it is read as 0.1\n",
    });
    assert.deepEqual(await strict('{"kind":"query","query":"all"}', 'aicf'), {
      exitCode: 1,
      out: 'CALL|query|all\n',
      err: "moved: AICF has no query; it is written as a call of a tool 'query', which the agent may not have\n",
    });
    assert.deepEqual(await strict('{"kind":"task","task":"rest"}', 'mcp'), {
      exitCode: 1,
      out: '{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"rest"}}],"maxTokens":4096}}\n',
      err: 'moved: MCP gives no task to a server; it is written as a request from a server to its client\n',
    });
    const picture = '{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png","name":"a.png"}';
    assert.deepEqual(
      await strict(`{"kind":"result","content":[{"type":"text","text":"a"},${picture}]}`, 'mcp'),
      {
        exitCode: 1,
        out: '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"a"},{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}]}}\n',
        err: 'content[1].name: dropped: MCP has no place for the name of such a part\n',
      },
    );
  });

  it('finds that a file is not UTF-8', async () => {
    const run = await folder.run(['convert', 'bad.aicl', '--to', 'json']);
    assert.equal(run.exitCode, 1);
    assert.equal(run.out, '');
    assert.match(run.err, /^bad\.aicl:1:4: error: The file is not UTF-8 from byte 3 on/);
    const json = await folder.run(['convert', 'bad.aicl', '--to', 'json', '--format', 'json']);
    assert.equal(json.exitCode, 1);
    const { findings } = JSON.parse(json.out) as { findings: readonly { code: string }[] };
    assert.deepEqual(
      findings.map(({ code }) => code),
      ['parley/not-utf8'],
    );
  });

  it('says that there is nothing to convert', async () => {
    assert.deepEqual(await folder.run(['convert', 'empty.aicf', '--to', 'json']), {
      exitCode: 0,
      out: '',
      err: "There is no message in 'empty.aicf'\n",
    });
  });

  it('refuses wrong words', async () => {
    const none = await folder.run(['convert', 'call.aicl']);
    assert.equal(none.exitCode, 2);
    assert.match(none.err, /^parley: 'parley convert' needs --to: aicl, aicf/);
    const wrong = await folder.run(['convert', 'call.aicl', '--to', 'xml']);
    assert.equal(wrong.exitCode, 2);
    assert.match(wrong.err, /^parley: --to cannot be 'xml': use aicl, aicf/);
    const twice = await folder.run(['convert', '-', '--to', 'json', '--tools', '-']);
    assert.equal(twice.exitCode, 2);
    assert.match(twice.err, /Standard input can be read once/);
    const missing = await folder.run(['convert', 'nowhere.aicl', '--to', 'json']);
    assert.equal(missing.exitCode, 2);
  });

  it('converts all files of a folder', async () => {
    await folder.write('sub/one.aicf', 'LIST\n');
    await folder.write('sub/two.aicl', CALL);
    const run = await folder.run(['convert', 'sub', '--to', 'json', '--layout', 'compact']);
    assert.equal(
      run.out,
      '{"kind":"list"}\n{"kind":"call","session":"s1","tool":"weather","arguments":{"city":"Paris","days":3}}\n',
    );
  });
});
