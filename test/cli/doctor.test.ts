import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { EVERYTHING_SCRIPT } from '../agents/support/everything-server.ts';
import { CliFolder } from './support/run-cli.ts';

const EVERYTHING = { type: 'stdio', command: process.execPath, args: [EVERYTHING_SCRIPT, 'stdio'] };

describe('parley doctor', () => {
  let folder: CliFolder;
  before(async () => {
    folder = await CliFolder.create({
      '.vscode/agents.json': JSON.stringify({
        agents: {
          right: { protocol: 'mcp', ...EVERYTHING },
          wrong: { protocol: 'mcp', url: 'http://127.0.0.1:9/mcp' },
        },
      }),
    });
  });
  after(() => folder.remove());

  it('says that an agent answers, and lists what it tried', async () => {
    const { exitCode, out } = await folder.run(['doctor', 'right']);
    const lines = out.split('\n');
    assert.deepEqual(
      [exitCode, lines[0], lines[3]?.startsWith('The agent answers in Model Context Protocol.')],
      [0, 'Connection to right', true],
    );
    assert.match(out, /OK +First reply +The agent answered in Model Context Protocol/);
  });

  it('says what is wrong and what to do, and ends with 1', async () => {
    const { exitCode, out } = await folder.run(['doctor', 'wrong', '--format', 'json']);
    const { steps } = JSON.parse(out) as { steps: { name: string; status: string; advice?: string }[] };
    assert.deepEqual(
      [exitCode, steps.map(({ name, status }) => [name, status]), steps.at(-1)?.advice],
      [
        1,
        [
          ['Address', 'passed'],
          ['Name', 'skipped'],
          ['Port', 'failed'],
        ],
        'start the agent, or correct the port of its url: nothing listens there',
      ],
    );
  });

  it('wants the name of one agent', async () => {
    assert.deepEqual(await folder.run(['doctor']), {
      exitCode: 2,
      out: '',
      err: "parley: 'parley doctor' takes the name of one agent; it got 0\n",
    });
  });
});
