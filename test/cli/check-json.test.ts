import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { CliFolder, type CliRun } from './support/run-cli.ts';

const AGENT = `{
  // which tools other agents see
  "identity": { "id": "files" },
  "mcp": { "expose_tools": ["fs:read_file", 7], "private_tools": ["fs:read_file"] }
}
`;
const AIO = '{"jsonrpc":"2.0","method":"a::tools.call","params":{},"id":1,"trace_id":"AIO-TR-20250326-0001"}';

describe('parley check of JSON files with a schema', () => {
  let folder: CliFolder;

  before(async () => {
    folder = await CliFolder.create({
      'agent.json': AGENT,
      'notes.json': '{"mcp":7',
      '.vscode/agents.json': '{"agents":{"x":{"protocol":"acp","url":"http://x/"}}, /* none */ }',
      '.vscode/parley.env.json': '{"$shared":7}',
      'good.aio.json': AIO,
      'bad.aio.json': AIO.replace('"a::tools.call"', '7'),
      'open.aio.json': `${AIO.slice(0, -1)} // a comment`,
      'bad.aio-trace.json': '7',
      'bad.agent-request.json': '{"input":[],"n":6}',
      'run.agenttrace.jsonl':
        '{"format":"agenttrace","version":1}\n\n{"type":"end","call":"a","at":1,"seq":"1","status":"ok"}\n',
      'deep.aio.json': '['.repeat(100_000),
      'long.aio.json': `"${'x'.repeat(1_000_001)}"`,
      'many.aio-trace.json': `{"trace_id":"AIO-TR-20250326-0001","calls":[${'7,'.repeat(1_500)}7]}`,
      'bytes.aio.json': Uint8Array.from([0x7b, 0xff]),
      'tree/agent.json': AGENT,
      'tree/package.json': '{',
      'tree/fine.aicf': 'LIST\n',
    });
  });
  after(() => folder.remove());

  const check = (...paths: readonly string[]): Promise<CliRun> => folder.run(['check', ...paths]);

  it('reports what VS Code does, and what an agent.json exposes', async () => {
    assert.deepEqual(await check('agent.json'), {
      exitCode: 1,
      out: `agent.json:4:45: warning: Incorrect type. Expected "string". [json/schema]
agent.json:4:67: error: The tool 'fs:read_file' is private and exposed; take it out of one of the lists [openstarry/exposure]
`,
      err: '1 error, 1 warning in 1 file\n',
    });
  });

  it('checks files of every schema', async () => {
    const { out, exitCode } = await check(
      '.vscode/agents.json',
      '.vscode/parley.env.json',
      'good.aio.json',
      'bad.aio.json',
      'bad.aio-trace.json',
      'bad.agent-request.json',
      'run.agenttrace.jsonl',
    );
    assert.deepEqual(
      out.split('\n').map(line => line.replace(/\. Valid values: .*(?= \[)/, '')),
      [
        '.vscode/agents.json:1:28: warning: Value is not accepted [json/schema]',
        '.vscode/agents.json:1:53: warning: Trailing comma [json/syntax]',
        '.vscode/parley.env.json:1:12: warning: Incorrect type. Expected "object". [json/schema]',
        'bad.aio.json:1:27: warning: Incorrect type. Expected "string". [json/schema]',
        'bad.aio-trace.json:1:1: warning: Incorrect type. Expected "object". [json/schema]',
        'bad.agent-request.json:1:17: warning: Value is above the maximum of 5. [json/schema]',
        'run.agenttrace.jsonl:3:39: warning: Incorrect type. Expected "integer". [json/schema]',
        '',
      ],
    );
    assert.equal(exitCode, 0);
  });

  it('reports comments and missing brackets of files that are no configuration as errors', async () => {
    const { out, exitCode } = await check('open.aio.json');
    const at = AIO.length;
    assert.deepEqual(
      [exitCode, out],
      [
        1,
        `open.aio.json:1:${at + 1}: error: Comments are not permitted in JSON. [json/syntax]
open.aio.json:1:${at + 12}: error: Expected comma or closing brace [json/syntax]
`,
      ],
    );
  });

  it('finds them in folders, and leaves other JSON files out', async () => {
    const { err } = await check('tree');
    assert.equal(err, '1 error, 1 warning in 2 files\n');
  });

  it('says in one sentence that a value is too large or nested too deeply, and that bytes are not UTF-8', async () => {
    assert.deepEqual((await check('deep.aio.json', 'long.aio.json', 'bytes.aio.json')).out.split('\n'), [
      'deep.aio.json:1:1: warning: JSON values that nest deeper than 100 levels are not checked; remove the inner ones [json/too-large]',
      'long.aio.json:1:1: warning: A JSON value of more than 1000000 characters is not checked; remove some [json/too-large]',
      'bytes.aio.json:1:2: error: The file is not UTF-8 from byte 1 on: save it as UTF-8 [parley/not-utf8]',
      '',
    ]);
  });

  it('prints at most 1,000 findings of a file, and the number of the others', async () => {
    const lines = (await check('many.aio-trace.json')).out.trimEnd().split('\n');
    assert.equal(lines.length, 1_000);
    assert.match(lines.at(-1) ?? '', /: information: 502 more issues from here on are not shown/);
  });
});
