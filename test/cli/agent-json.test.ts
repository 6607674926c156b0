import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { CliFolder } from './support/run-cli.ts';

const AGENTS = JSON.stringify({
  agents: {
    librarian: { protocol: 'mcp', type: 'http', url: '${demo:librarian}' },
    herald: { protocol: 'a2a', type: 'http', url: '${demo:herald}' },
    storyteller: { protocol: 'agent-api', type: 'http', url: '${demo:storyteller}' },
    oracle: { protocol: 'responses', type: 'http', url: '${demo:oracle}', model: 'oracle-1' },
    courier: { protocol: 'aio', type: 'http', url: '${demo:courier}' },
    toolbox: { protocol: 'aicf', type: 'http', url: '${demo:toolbox}' },
  },
});

const MCP = `// @agent librarian
// @name first
{ "method": "tools/list" }

// @tool = x
// @agent librarian
{ "jsonrpc": "2.0", "method": "tools/call", "params": { "name": "{{first.result.tools[0].name}}", "arguments": { "text": "abc", }, }, }
`;

describe('requests in JSON on the command line', () => {
  let folder: CliFolder;

  before(async () => {
    folder = await CliFolder.create({
      '.vscode/agents.json': AGENTS,
      'x.mcp.jsonc': MCP,
      'broken.mcp.jsonc': '{\n  "method": "ping",\n  "method": "ping" "id": 1\n}\n',
      'short.mcp.jsonc': '{"method":"resources/read"}\n',
      'wrong.a2a.json':
        '// @agent librarian\n{"method":"SendMessage","params":{"message":{"role":"ROLE_USER","parts":[]}}}\n',
      'x.a2a.json':
        '[{"method":"message/send","params":{"message":{"role":"user","kind":"message","parts":[{"kind":"text","text":"Hello"}]}}}]\n',
      'x.agent-api.json':
        '{"input":[{"role":"user","type":"message","content":[{"type":"text","text":"Hello"}]}],"stream":true}\n',
      'x.responses.json': '{"model":"oracle-1","input":"Hello","stream":false}\n',
      'talk.responses.jsonc':
        '// @session talk\n{"model":"oracle-1","input":"One"}\n// @session talk\n{"model":"oracle-1","input":"Two","previous_response_id":"resp_x"}\n',
    });
  });
  after(() => folder.remove());

  it('go to their agent, show what was added, and the reply in its own JSON', async () => {
    const { exitCode, out, err } = await folder.run(['send', 'x.mcp.jsonc']);
    assert.equal(exitCode, 0, err);
    const [list, call] = out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Record<string, unknown>);
    assert.ok(list && 'result' in list && call && 'result' in call, out);
    assert.match(err, /librarian first: note: Added to the request: "jsonrpc":"2.0"\n/);
    assert.doesNotMatch(err, /tools\/call: note: Added/);
  });

  it('go to the only agent of their protocol', async () => {
    for (const [file, wanted] of [
      ['x.a2a.json', /Hello|herald|task|message/i],
      ['x.agent-api.json', /"object":"response"/],
      ['x.responses.json', /"object": ?"response"/],
    ] as const) {
      const { exitCode, out, err } = await folder.run(['send', file]);
      assert.equal(exitCode, 0, `${file}: ${err}`);
      assert.match(out, wanted);
    }
  });

  it('keep the names of a conversation that they have themselves, with a note', async () => {
    const { err } = await folder.run(['send', 'talk.responses.jsonc']);
    assert.match(
      err,
      /The request itself has 'previous_response_id', which '\/\/ @session' does not replace/,
    );
  });

  it('that are broken are not sent; the errors have a line and a column', async () => {
    const checked = await folder.run(['check', 'broken.mcp.jsonc']);
    assert.equal(checked.exitCode, 1);
    assert.match(checked.out, /broken\.mcp\.jsonc:3:3: error.*two members 'method'/);
    assert.match(checked.out, /broken\.mcp\.jsonc:3:20: error.*',' is missing/);
    const sent = await folder.run(['send', 'broken.mcp.jsonc', '--force']);
    assert.deepEqual([sent.exitCode, sent.out], [1, '']);
    assert.match(sent.err, /Not sent\. It is not valid JSON: ',' is missing/);
  });

  it('are checked by the schemas of their protocol', async () => {
    const { exitCode, out } = await folder.run(['check', 'short.mcp.jsonc']);
    assert.equal(exitCode, 0);
    assert.match(out, /:1:11: warning.*'resources\/read' of MCP requires 'params'/);
  });

  it('for another protocol than that of their agent are not sent', async () => {
    const { exitCode, err } = await folder.run(['send', 'wrong.a2a.json']);
    assert.equal(exitCode, 2);
    assert.match(
      err,
      /'SendMessage' of 'wrong\.a2a\.json' is a request of A2A, and the agent 'librarian' speaks MCP/,
    );
  });

  it('are converted without their comments', async () => {
    const { exitCode, out, err } = await folder.run(['convert', 'x.mcp.jsonc:1', '--to', 'aicf']);
    assert.deepEqual([exitCode, out], [0, 'LIST\n'], err);
    const all = await folder.run(['convert', 'x.mcp.jsonc', '--to', 'aicf', '--format', 'json']);
    assert.doesNotMatch(all.out, /not complete JSON/);
  });

  it('are formatted', async () => {
    const { out } = await folder.run(['format', 'x.a2a.json']);
    assert.match(out, /^\[\n {2}\{\n {4}"method": "message\/send",\n/);
  });

  it('are typed without a file', async () => {
    const list = await folder.run(['send', '--agent', 'librarian', '--method', 'tools/list']);
    assert.equal(list.exitCode, 0, list.err);
    const { result } = JSON.parse(list.out) as { result: { tools: { name: string }[] } };
    const name = result.tools[0]?.name ?? '';
    const call = await folder.run([
      'send',
      '--agent',
      'librarian',
      '--tool',
      name,
      '--args',
      '{"a":"{{b}}"}',
    ]);
    assert.ok('result' in (JSON.parse(call.out) as object) || 'error' in (JSON.parse(call.out) as object));
    const aicf = await folder.run([
      'send',
      '--agent',
      'toolbox',
      '--tool',
      'text.reverse',
      '--args',
      '{"text":"a|b"}',
    ]);
    assert.equal(aicf.exitCode, 0, aicf.err);
    assert.match(aicf.out, /\[s:data\]:\[s:b\|a\]/);
    const courier = await folder.run(['send', '--agent', 'courier', '--method', 'courier::help']);
    assert.equal(courier.exitCode, 0, courier.err);
  });

  it('that are typed wrongly get one sentence', async () => {
    const errors = async (...words: readonly string[]) => {
      const { exitCode, err } = await folder.run(['send', ...words]);
      return [exitCode, err.split('\n')[0]];
    };
    const agent = ['--agent', 'librarian'];
    assert.deepEqual(
      [
        await errors('--tool', 't'),
        await errors(...agent, '--tool', 't', '--args', '{"a":'),
        await errors(...agent, '--tool', 't', '--params', '{}'),
        await errors(...agent, '--args', '{}'),
        await errors(...agent, '--method', 'm', 'x.mcp.jsonc'),
        await errors('--agent', 'oracle', '--method', 'm'),
      ],
      [
        [2, 'parley: --tool and --method are for one agent: name it with --agent'],
        [2, `parley: --args is no JSON object: write it as in --args '{"city":"Rome"}'`],
        [2, 'parley: --args belongs to --tool, and --params to --method'],
        [2, 'parley: Name one of --tool and --method; --args belongs to --tool and --params to --method'],
        [2, 'parley: Name a file, or --tool or --method, not both'],
        [2, 'parley: Requests of Responses have no method: send a file instead of --method'],
      ],
    );
  });
});
