import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { CliFolder } from './support/run-cli.ts';
import { parseTraceFile } from '../support/at-once.ts';
import { CLI } from '../support/built-cli.ts';

/** Three calls that end at once, and one that streams a number every few hundred milliseconds for minutes. */
const REQUESTS = ['CALL|math.add|1|2', 'CALL|math.add|3|4', 'CALL|math.add|5|6', 'CALL|slow.count|3600'];

describe('parley send --trace that is killed', () => {
  let folder: CliFolder;
  before(async () => {
    folder = await CliFolder.create({
      'agents.json': '{"agents":{"toolbox":{"protocol":"aicf","url":"${demo:toolbox}"}}}',
      'calls.aicf': REQUESTS.map(line => `# @agent toolbox\n${line}\n`).join('\n'),
    });
  });
  after(() => folder?.remove());

  it('has each call in its file that ended more than a second before', async () => {
    const words = ['send', 'calls.aicf', '--agents', 'agents.json', '--trace', 'killed.agenttrace.jsonl'];
    const sending = spawn(process.execPath, [CLI, ...words], {
      cwd: folder.path,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(sending, 'exit');
    let since: number | undefined;
    let out = '';
    for await (const piece of sending.stdout) {
      out += String(piece);
      // The last call has begun to stream, so the others have ended.
      if (since === undefined && out.includes('STREAM|1')) since = performance.now();
      if (since !== undefined && performance.now() - since > 1000) break;
    }
    assert.notEqual(since, undefined, out);
    sending.kill('SIGKILL');
    await exited;
    const { events } = parseTraceFile(await readFile(join(folder.path, 'killed.agenttrace.jsonl'), 'utf8'));
    const titles = new Map(
      events.flatMap(event => (event.type === 'call' ? [[event.call, event.title]] : [])),
    );
    const ended = events.flatMap(event => (event.type === 'end' ? [titles.get(event.call)] : []));
    assert.deepEqual(ended, ['math.add', 'math.add', 'math.add']);
    assert.deepEqual([...titles.values()].at(-1), 'slow.count');
  });
});
