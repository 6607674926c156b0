import assert from 'node:assert/strict';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { CliFolder, type CliRun } from './support/run-cli.ts';

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

describe('parley send --chunk-bytes', () => {
  const AGENTS = '{"agents":{"analyst":{"protocol":"aicl","url":"${demo:analyst}"}}}';
  const text = 'abc'.repeat(500);
  const request = `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:1],[s:msg_type]:[s:tool_call],[s:tool]:[s:text.reverse],[s:params]:[d:[s:text]:[s:${text}]]]`;
  let folder: CliFolder;
  before(async () => {
    folder = await CliFolder.create({ 'long.aicl': request, 'agents.json': AGENTS });
  });
  after(() => folder.remove());
  const send = async (bytes: string): Promise<CliRun> =>
    await folder.run(['send', 'long.aicl', '--agents', 'agents.json', '--chunk-bytes', bytes]);

  it('sends a longer message in chunks, which the agent joins', async () => {
    const { out, err, exitCode } = await send('600');
    assert.deepEqual([exitCode, out.includes('cba'.repeat(500))], [0, true]);
    assert.match(err, /The message has \d+ bytes and was sent in \d chunks/);
  });

  it('sends it whole if chunks cannot be that small, and says why', async () => {
    const { out, err, exitCode } = await send('100');
    assert.deepEqual([exitCode, out.includes('cba'.repeat(500))], [0, true]);
    assert.match(
      err,
      /was sent whole: no text, list or tensor of it can be split so that chunks have at most 100 bytes/,
    );
  });

  it('refuses a size that is none', async () => {
    for (const bytes of ['0', '-1', 'many', '1e9', ''])
      assert.deepEqual((await send(bytes)).exitCode, 2, bytes);
  });
});
