import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { closeRawAgents, startRawAgent } from '../agents/support/raw-agent.ts';
import { CliFolder } from './support/run-cli.ts';

const COUNT = 5_000;
/** The maximum number of bytes of the file beside those of the reply. */
const MOST_BESIDE = 2_000;

describe('a reply of thousands of chunks of one byte in one packet', () => {
  let folder: CliFolder | undefined;

  afterEach(async () => {
    await closeRawAgents();
    await folder?.remove();
  });

  it('takes little more of a trace file than its bytes, and is shown with the number of its chunks', async () => {
    const body = `OK|"${'ab'.repeat(COUNT / 2 - 3)}x"`;
    assert.equal(body.length, COUNT);
    const chunks = [...body].map(letter => `1\r\n${letter}\r\n`).join('');
    const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n';
    const { origin } = await startRawAgent(socket => void socket.end(`${head}${chunks}0\r\n\r\n`));
    folder = await CliFolder.create({
      'request.aicf': 'CALL|go\n',
      'agents.json': JSON.stringify({
        agents: { tiny: { protocol: 'aicf', type: 'http', url: `${origin}/` } },
      }),
    });
    const file = 'tiny.agenttrace.jsonl';
    const sent = await folder.run(['send', 'request.aicf', '--agents', 'agents.json', '--trace', file]);
    assert.deepEqual([sent.exitCode, sent.out.includes(body)], [0, true], sent.err);
    const { size } = await stat(join(folder.path, file));
    assert.ok(size < COUNT + MOST_BESIDE, `${size} bytes`);
    assert.match((await folder.run(['trace', 'show', file])).out, /go {2}tiny {2}ok · [^,]+, 5,000 chunks\n/);
    const json = await folder.run(['trace', 'show', file, '--format', 'json']);
    assert.match(json.out, /"pieces": 5000,/);
    const otlp = await folder.run(['trace', 'export', file, '--to', 'otlp']);
    assert.match(otlp.out, /"parley\.chunks",\s*"value":\s*\{\s*"intValue":\s*"5000"/);
    // A copy has them as well.
    await folder.run(['trace', 'export', file, '--to', 'agenttrace', '--out', 'copy.agenttrace.jsonl']);
    assert.match((await folder.run(['trace', 'show', 'copy.agenttrace.jsonl'])).out, /, 5,000 chunks\n/);
  });
});
