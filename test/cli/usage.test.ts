import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'mocha';
import { explain } from '../../core/catalog/describe.ts';
import { PRODUCT } from '../../core/catalog/product.ts';
import { CliFolder } from './support/run-cli.ts';

const HELP = `Parley ${PRODUCT.version}: check, format and send messages between AI agents.

Usage: parley COMMAND [OPTION…]

Commands:
  check PATH…   Checks files and folders and reports issues.
  format PATH…  Prints a file formatted; --check names the files that differ, --write changes them.
  convert PATH  Converts messages to another protocol, and reports losses.
  tensor PATH   Shows, exports, imports and compares tensors of messages and array files.
  tokens PATH   Counts tokens and bytes of the same messages in every protocol, and how long reading them takes.
  send PATH     Sends the requests of a file, with FILE:N the Nth message, or a tool call of --tool, and prints the replies.
  agents        Lists the configured agents.
  tools AGENT   Lists the tools, resources and prompts of an agent with their arguments; --format json has the schemas.
  doctor AGENT  Tries to reach an agent step by step, and says what is wrong and what to do.
  trace WORD…   Shows, exports, compares and replays the traces of a file.
  record        Records the traffic between callers and agents (--listen PORT --to URL), or of a process (-- COMMAND…), in a trace file.
  bridge        Serves an agent (--to AGENT) to callers of another protocol (--as PROTOCOL) until Ctrl-C.
  demo          Starts the demo agents and prints their addresses as JSON; Ctrl-C ends them.
  explain CODE  Explains a rule, such as aicf/unknown-command, or a wire code, such as 2001.
  lsp --stdio   Runs the language server on standard input and output.

Options:
  --help     Shows this text, or that of a command.
  --version  Shows the version.

A folder means every .aicl and .aicf below it; - is standard input; FILE:N is the Nth message of a file.
Exit codes: 0 fine, 1 findings or a failed send, 2 wrong usage or a file that cannot be opened, 3 a bug in Parley.
`;

const CHECK_HELP = `Checks files and folders and reports issues.

Usage: parley check PATH…

Options:
  --format text|json|sarif|github  How findings are printed; sarif and github are for code scanning and workflows.
  --profile strict|chat            The required header of AICL messages: strict requires all of it.
  --rule CODE=SEVERITY             The severity of a rule: error, warning, information, hint, off; may be given several times.
  --language aicl|aicf|agent-json  The language of the files; by their extension if left out.
  --help                           Shows this text.
`;

const AGENTS = `{
  // Two that are fine and one that is not.
  "agents": {
    "figma": { "protocol": "aicf", "type": "http", "url": "\${env:FIGMA}/aip/v1/aicf" },
    "coder": { "protocol": "aicl", "type": "http", "url": "http://localhost:1/" },
    "other": { "protocol": "telepathy", "type": "http", "url": "http://localhost:2/" }
  }
}
`;

describe('parley', () => {
  let folder: CliFolder;

  before(async () => {
    folder = await CliFolder.create({ 'work/.vscode/agents.json': AGENTS, 'sound.json': '{"agents":{}}' });
  });
  after(() => folder.remove());

  it('shows its help', async () => {
    const shown = { exitCode: 0, out: HELP, err: '' };
    assert.deepEqual(await folder.run(['--help']), shown);
    assert.deepEqual(await folder.run(['help']), shown);
  });

  it('shows the help of a command', async () => {
    assert.deepEqual(await folder.run(['check', '--help']), { exitCode: 0, out: CHECK_HELP, err: '' });
  });

  it('shows the help of a group of commands, and of one of them', async () => {
    const group = await folder.run(['trace', '--help']);
    assert.deepEqual([group.exitCode, group.err], [0, '']);
    assert.match(
      group.out,
      /^ {2}trace show FILE \| --jaeger URL ID {2,}Shows the traces of a file as trees\.$/m,
    );
    const one = await folder.run(['trace', 'diff', '--help']);
    assert.equal(
      one.out,
      `Compares two traces by their calls: requests, replies and outcomes, and not times and ids.

Usage: parley trace diff FILE FILE

Options:
  --format text|json  How results are printed; json is one JSON document.
  --help              Shows this text.
`,
    );
  });

  it('shows its help as an error when nothing is asked', async () => {
    assert.deepEqual(await folder.run([]), { exitCode: 2, out: '', err: HELP });
  });

  it('shows the version of the package', async () => {
    const manifest: unknown = JSON.parse(
      await readFile(new URL('../../package.json', import.meta.url), 'utf8'),
    );
    assert.deepEqual(await folder.run(['--version']), { exitCode: 0, out: `${PRODUCT.version}\n`, err: '' });
    assert.equal((manifest as { version: string }).version, PRODUCT.version);
  });

  for (const [words, message] of [
    [['chekc', 'a'], "There is no command 'chekc': did you mean 'check'?"],
    [['fly'], "There is no command 'fly'; see 'parley --help'"],
    [['check', '--foo', 'a'], "Unknown option '--foo'; see 'parley check --help'"],
    [['check', 'a', '--format'], "Option '--format <value>' argument missing; see 'parley check --help'"],
    [['check', 'a', '--format', 'xml'], "--format cannot be 'xml': use text, json, sarif, github"],
    [['lsp'], "The language server speaks over stdio only: use 'parley lsp --stdio'"],
    [['explain'], "'parley explain' takes one code, such as 'parley explain 2001'"],
    [['explain', 'aicf/wrong-cas'], "There is no code 'aicf/wrong-cas': did you mean 'aicf/wrong-case'?"],
    [['agents', 'figma'], "'parley agents' does not take 'figma'; see 'parley agents --help'"],
    [['bridge', 'figma', '--as', 'mcp'], "'parley bridge' does not take 'figma'; see 'parley bridge --help'"],
    [
      ['bridge', '--to', 'figma', '--as', 'a2a', '--stdio'],
      "'--stdio' serves callers of aio and mcp; leave it out, and callers of a2a use the address",
    ],
    [['check', '-x'], "Unknown option '-x'; see 'parley check --help'"],
    [['check', ''], "Cannot open '': the path is empty; name a file, a folder or -"],
    [['check', '-3'], "Cannot open '-3': there is no such file or folder"],
    [['check', 'a', '--format', '-3'], "--format cannot be '-3': use text, json, sarif, github"],
    [['explain', '-32099'], "There is no code '-32099'"],
    [['explain', '1234567'], "There is no code '1234567'"],
    [['trace'], "'parley trace' needs a subcommand: show, export, diff, replay"],
    [['trace', 'shwo', 'a'], "There is no 'parley trace shwo': did you mean 'show'?"],
    [['trace', 'show', 'a', '--to', 'csv'], "Unknown option '--to'; see 'parley trace show --help'"],
    [
      ['trace', 'export', 'a'],
      "'parley trace export' needs --to with one of agenttrace, aio, otlp, har, mermaid, markdown, csv, totals",
    ],
  ] as const) {
    it(`refuses '${words.join(' ')}' with one sentence`, async () => {
      assert.deepEqual(await folder.run(words), { exitCode: 2, out: '', err: `parley: ${message}\n` });
    });
  }

  it('tells errors as one JSON line where JSON is asked for', async () => {
    assert.deepEqual(await folder.run(['fly', '--format', 'json']), {
      exitCode: 2,
      out: '',
      err: `{"error":{"exitCode":2,"message":"There is no command 'fly'; see 'parley --help'"}}\n`,
    });
  });

  it('explains rules and wire codes', async () => {
    assert.deepEqual(await folder.run(['explain', 'aicf/wrong-case']), {
      exitCode: 0,
      out: `${explain('aicf/wrong-case') ?? ''}\n`,
      err: '',
    });
    const guard = await folder.run(['explain', '-33007']);
    assert.deepEqual(
      [guard.exitCode, guard.out.split('\n')[0], guard.err],
      [0, '**-33007 recursion limit reached**', ''],
    );
    const run = await folder.run(['explain', '2001', '--format', 'json']);
    assert.deepEqual(
      { ...run, out: JSON.parse(run.out) as unknown },
      {
        exitCode: 0,
        out: { code: '2001', markdown: explain('2001') },
        err: '',
      },
    );
  });

  it('lists agents as they are written, and what is wrong with the file', async () => {
    const run = await folder.run(['agents', '--agents', 'work/.vscode/agents.json']);
    assert.deepEqual(run, {
      exitCode: 1,
      out: 'figma\taicf\thttp\t${env:FIGMA}/aip/v1/aicf\ncoder\taicl\thttp\thttp://localhost:1/\n',
      err: "work/.vscode/agents.json:6:28: error: The agent 'other': the protocol 'telepathy' is not a known protocol; use one of 'aicl', 'aicf', 'json-rpc', 'aio', 'mcp', 'agent-api', 'responses', 'a2a'\n",
    });
  });

  it('shows no credential of an address', async () => {
    const agents = {
      a: { protocol: 'aicf', type: 'http', url: 'https://me:hunter2@host.test/?token=t0ps3cret&x=1' },
    };
    await folder.write('credentials.json', JSON.stringify({ agents }));
    assert.deepEqual(await folder.run(['agents', '--agents', 'credentials.json']), {
      exitCode: 0,
      out: 'a\taicf\thttp\thttps://[redacted]@host.test/?token=[redacted]&x=1\n',
      err: '',
    });
  });

  it('lists a process with its command line', async () => {
    const agents = {
      coder: {
        protocol: 'aicl',
        type: 'stdio',
        command: 'node',
        args: ['coder.js', 'two words', '${secret:KEY}', 'http://x/?token=t0ps3cret'],
      },
    };
    await folder.write('processes.json', JSON.stringify({ agents }));
    assert.deepEqual(await folder.run(['agents', '--agents', 'processes.json']), {
      exitCode: 0,
      out: 'coder\taicl\tstdio\tnode coder.js "two words" ${secret:KEY} "http://x/?token=[redacted]"\n',
      err: '',
    });
    const json = await folder.run(['agents', '--agents', 'processes.json', '--format', 'json']);
    assert.deepEqual(JSON.parse(json.out), [
      {
        name: 'coder',
        protocol: 'aicl',
        type: 'stdio',
        command: 'node coder.js "two words" ${secret:KEY} "http://x/?token=[redacted]"',
      },
    ]);
  });

  it('lists no agents as an empty JSON list', async () => {
    assert.deepEqual(await folder.run(['agents', '--agents', 'sound.json', '--format', 'json']), {
      exitCode: 0,
      out: '[]\n',
      err: '',
    });
  });

  it('says where it looked for agents', async () => {
    assert.deepEqual(await folder.run(['agents']), {
      exitCode: 2,
      out: '',
      err: 'parley: There is no .vscode/agents.json in this folder or above it: make one, or name a file with --agents\n',
    });
    assert.deepEqual(await folder.run(['agents', '--agents', 'gone.json']), {
      exitCode: 2,
      out: '',
      err: "parley: Cannot open 'gone.json': there is no such file\n",
    });
  });
});
