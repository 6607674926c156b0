import assert from 'node:assert/strict';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { CliFolder } from './support/run-cli.ts';

const SAMPLES = join(import.meta.dirname, '../../samples');

describe('parley send of a file with answers for its agent', () => {
  let folder: CliFolder;
  before(async () => {
    folder = await CliFolder.create({});
    for (const [name, to] of [
      ['workflow.aicl', 'workflow.aicl'],
      ['.vscode/agents.json', 'agents.json'],
    ] as const)
      await copyFile(join(SAMPLES, name), join(folder.path, to));
  });
  after(() => folder.remove());

  it('answers what the agent asks, in order and in one trace', async () => {
    const { out, err, exitCode } = await folder.run([
      'send',
      'workflow.aicl',
      '--agents',
      'agents.json',
      '--trace',
      'out.jsonl',
    ]);
    assert.deepEqual(
      [exitCode, out.match(/(?<=msg_type\]:\[s:)\w+/g)],
      [0, ['data_query', 'tool_call', 'result']],
    );
    assert.match(out, /3 temperatures with a mean of 21 degrees/);
    assert.match(err, /note: The agent waits for the answer to its query for 'temperatures'/);
    const trace = await readFile(join(folder.path, 'out.jsonl'), 'utf8');
    const traces = trace.match(/"type":"call".*?"trace":"\w+"/g)?.map(line => line.slice(-33));
    assert.deepEqual([traces?.length, new Set(traces).size], [3, 1]);
  });

  it('leaves the agent waiting if the file has no answer, and says so', async () => {
    const text = await readFile(join(SAMPLES, 'workflow.aicl'), 'utf8');
    const first = text.slice(0, text.indexOf('# The answer'));
    const { out, err, exitCode } = await folder.run(
      ['send', '-', '--language', 'aicl', '--agents', 'agents.json'],
      { input: first },
    );
    assert.deepEqual([exitCode, out.match(/(?<=msg_type\]:\[s:)\w+/g)], [0, ['data_query']]);
    assert.match(err, /The agent waits for the answer to its query for 'temperatures'/);
  });
});
