import assert from 'node:assert/strict';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { CliFolder, type CliRun } from './support/run-cli.ts';
import { serve } from './support/serve.ts';

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

describe('parley send --negotiate', () => {
  const HEAD = '[s:protocol]:[s:LightAICL],[s:session_id]:[s:n],[s:msg_type]';
  const request = `[d:${HEAD}:[s:tool_call],[s:tool]:[s:text.reverse],[s:params]:[d:[s:text]:[s:abc]]]`;

  /** A server that answers an offer with this message, and everything else with 1000. */
  async function sendTo(
    answer: string,
    ...options: readonly string[]
  ): Promise<CliRun & { asked: string[] }> {
    const asked: string[] = [];
    const server = await serve((body, response) => {
      const isOffer = body.includes('protocol_negotiate');
      asked.push(isOffer ? 'offer' : 'request');
      response.end(
        isOffer ? answer : `[d:${HEAD}:[s:error],[s:code]:[i:1000],[s:reason]:[s:PROTOCOL_ERROR]]`,
      );
    });
    const agents = JSON.stringify({ agents: { peer: { protocol: 'aicl', url: server.url } } });
    const folder = await CliFolder.create({ 'x.aicl': `${request}\n${request}`, 'agents.json': agents });
    const run = await folder.run(['send', 'x.aicl', '--agents', 'agents.json', ...options]);
    await Promise.all([folder.remove(), server.close()]);
    return { ...run, asked };
  }

  it('asks each agent once, and sends what both speak', async () => {
    const selected = `[d:${HEAD}:[s:protocol_negotiate],[s:supported]:[l:],[s:selected]:[s:LightAICL_v1]]`;
    const { err, asked } = await sendTo(selected, '--negotiate');
    assert.deepEqual(asked, ['offer', 'request', 'request']);
    assert.match(err, /peer: note: The agent speaks 'LightAICL_v1'/);
  });

  it('sends nothing to an agent that chooses another version, or none', async () => {
    const selected = `[d:${HEAD}:[s:protocol_negotiate],[s:supported]:[l:],[s:selected]:[s:LightAICL_v2]]`;
    const other = await sendTo(selected, '--negotiate');
    assert.deepEqual([other.asked, other.exitCode], [['offer'], 1]);
    assert.match(other.err, /peer: not sent. the agent chose 'LightAICL_v2', which Parley does not write/);
    const none = await sendTo('hello', '--negotiate');
    assert.deepEqual([none.asked, none.exitCode], [['offer'], 1]);
    assert.match(none.err, /peer: not sent. the agent agreed on no version/);
  });

  it('is advised after a message that is refused as no part of the protocol', async () => {
    const { err, asked } = await sendTo('');
    assert.deepEqual(asked, ['request', 'request']);
    assert.match(err, /The agent may speak another version: '--negotiate' agrees on one/);
  });
});
