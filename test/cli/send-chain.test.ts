import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { CliFolder } from './support/run-cli.ts';

const demo = (name: string): unknown => ({ protocol: 'mcp', type: 'http', url: `\${demo:${name}}` });

describe('parley send --trace with demo agents that call each other', () => {
  let folder: CliFolder;

  before(async () => {
    folder = await CliFolder.create({
      'agents.json': JSON.stringify({ agents: { chain: demo('chain'), loop: demo('loop') } }),
      'chain.aicf': '# @agent chain\nCALL|ask|Why?\n',
      'loop.aicf': '# @agent loop\nCALL|ask|Who was it?\n',
    });
  });
  after(() => folder.remove());

  /** Sends a file, and returns the exit code and the agents of its trace: one line per call, indented by its depth. */
  const trace = async (name: string): Promise<unknown> => {
    const path = `${name}.agenttrace.jsonl`;
    const { exitCode } = await folder.run([
      'send',
      `${name}.aicf`,
      '--agents',
      'agents.json',
      '--trace',
      path,
    ]);
    const { out } = await folder.run(['trace', 'show', path]);
    const calls = [...out.matchAll(/^( *)(ask {2}\S+ {2}(?:ok|error -?\d+))/gm)];
    return [exitCode, calls.map(([, indent, call]) => `${indent}${call}`)];
  };

  it('shows each call below the one that caused it', async () => {
    assert.deepEqual(await trace('chain'), [
      0,
      ['  ask  chain  ok', '    ask  chain-b  ok', '      ask  chain-c  ok'],
    ]);
  });

  it('shows a loop down to the call that is refused', async () => {
    assert.deepEqual(await trace('loop'), [
      1,
      ['loop', 'loop-b', 'loop-c', 'loop', 'loop-b', 'loop-c', 'loop'].map(
        (agent, depth) => `${'  '.repeat(depth + 1)}ask  ${agent}  error -33007`,
      ),
    ]);
  });
});
