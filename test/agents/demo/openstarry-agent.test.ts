import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { checkExposure } from '../../../agents/mcp/exposure.ts';
import { answerAsFiles } from '../../../agents/demo/start.ts';
import { ROOT } from '../../../scripts/root.ts';
import { ask, call, closeAll, connect, mcpProgram, rpc, said } from '../mcp/support.ts';

const SAMPLE = readFileSync(join(ROOT, 'samples/openstarry/agent.json'), 'utf8');

/** The answer of the agent to a line, with an `agent.json`. */
async function answer(line: string, agentFile: string): Promise<unknown> {
  const answered = await answerAsFiles(() => Promise.resolve(agentFile))(line, new AbortController().signal);
  return JSON.parse(answered ?? '');
}

/** The names of the tools that the agent lists with an `agent.json`. */
async function list(agentFile: string): Promise<readonly string[]> {
  const answered = await answer(rpc('tools/list'), agentFile);
  const { result } = answered as { result: { tools: readonly { name: string }[] } };
  return result.tools.map(({ name }) => name);
}

describe('the demo agent that obeys an agent.json', () => {
  afterEach(closeAll);

  it('exposes the tools that the file names, and none that is private or in neither list', async () => {
    assert.deepEqual(await list(SAMPLE), ['fs:read_file', 'git:status']);
    assert.deepEqual(
      await list('{"mcp":{"expose_tools":["admin:reset"],"private_tools":["admin:reset"]}}'),
      [],
    );
    assert.equal((await list('{"plugins":[{"config":{"exposedTools":"*"}}]}')).length, 4);
  });

  it('exposes nothing without an exposure, or with a file that is wrong, large or nested deeply', async () => {
    for (const text of [
      '',
      '{}',
      '{"mcp":7}',
      '{"mcp":{"expose_tools":7}}',
      '{"mcp":{"expose_tools":[7,null]}}',
      '['.repeat(100_000),
      `{"mcp":{"expose_tools":["fs:list"]},"x":"${'x'.repeat(1_000_001)}"}`,
    ])
      assert.deepEqual(await list(text), [], text.slice(0, 40));
  });

  it('has no tool for a call of one that is not exposed', async () => {
    const missing = (name: string): unknown => ({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32602, message: `Tool not found: ${name}` },
    });
    for (const name of ['admin:reset', 'fs:list', 'nothing'])
      assert.deepEqual(await answer(call(name, { path: 'README.md' }), SAMPLE), missing(name));
  });

  it('answers as a process, and obeys the file as it is at each request', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-openstarry-'));
    const file = join(folder, 'agent.json');
    await writeFile(file, SAMPLE);
    const connection = connect(mcpProgram([join(ROOT, 'cli/src/main.ts'), 'demo', '--agent-file', file]));
    const read = call('fs:read_file', { path: 'README.md' });
    assert.match(String(said(await ask(connection, read))), /^# Project Readme/);
    await writeFile(file, '{"mcp":{"expose_tools":["git:status"]}}');
    assert.equal((await ask(connection, read)).reply.message, 'Tool not found: fs:read_file');
    await rm(folder, { recursive: true });
  });

  it('comes with a sample without faults', async () => {
    const listed = await list(SAMPLE);
    assert.deepEqual(checkExposure(SAMPLE, () => ({ agent: 'files', tools: listed }))?.issues, []);
  });
});
