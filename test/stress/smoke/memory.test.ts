import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { HOSTILE_INPUTS } from '../../support/hostile-inputs.ts';
import { findExcess, memoryLimit, runMeasured } from '../../support/peak-memory.ts';
import { CLI } from '../../support/built-cli.ts';

const LENGTH = 2_000_000;
const LONG = 20_000_000;

const COMMANDS: readonly (readonly string[])[] = [
  ['check'],
  ['convert', '--to', 'json'],
  ['convert', '--to', 'aicf'],
  ['convert', '--to', 'aicl'],
];

describe('the memory of a command stays in proportion to a long input', () => {
  let folder = '';
  let help = 0;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-memory-'));
    help = (await runMeasured(CLI, ['--help'])).peakBytes;
    assert.ok(help > 0, 'the memory of --help is not known');
  });

  after(() => rm(folder, { recursive: true, force: true }));

  async function hold(input: string, length: number, words: readonly string[]): Promise<void> {
    const text = HOSTILE_INPUTS[input]?.(length) ?? '';
    const file = join(folder, input);
    await writeFile(file, text);
    const run = await runMeasured(CLI, [...words, file]);
    assert.equal(findExcess(run, memoryLimit(help, text.length)), undefined);
  }

  for (const words of COMMANDS)
    for (const input of Object.keys(HOSTILE_INPUTS))
      it(`${words.join(' ')} ${input}`, () => hold(input, LENGTH, words));

  for (const input of Object.keys(HOSTILE_INPUTS).filter(name => !name.includes('.json'))) {
    it(`format ${input}`, () => hold(input, LENGTH, ['format']));
    it(`tensor ${input}`, () => hold(input, LENGTH, ['tensor']));
  }

  it('convert brackets.json of 20 MB', () => hold('brackets.json', LONG, ['convert', '--to', 'aicf']));
});
