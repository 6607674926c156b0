import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { HOSTILE_INPUTS } from '../support/hostile-inputs.ts';
import { findExcess, memoryLimit, runMeasured } from '../support/peak-memory.ts';
import { CLI } from '../support/built-cli.ts';

const LENGTH = 400_000;

/** Commands on the inputs that took most of them; all others are tried by the stress suite. */
const RUNS: readonly (readonly [input: string, ...words: string[]])[] = [
  ['brackets.json', 'convert', '--to', 'aicf'],
  ['open-dictionaries.aicl', 'check'],
  ['open-dictionaries.aicl', 'convert', '--to', 'json'],
  ['open-brackets.aicf', 'check'],
  ['nested-lists.aicl', 'check'],
  ['nested-lists.aicl', 'tensor'],
  ['nested-lists.aicl', 'convert', '--to', 'json'],
];

describe('the memory of a command stays in proportion to its input', () => {
  let folder = '';
  let help = 0;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-memory-'));
    help = (await runMeasured(CLI, ['--help'])).peakBytes;
    assert.ok(help > 0, 'the memory of --help is not known');
  });

  after(() => rm(folder, { recursive: true, force: true }));

  for (const [input, ...words] of RUNS)
    it(`${words.join(' ')} ${input}`, async () => {
      const text = HOSTILE_INPUTS[input]?.(LENGTH) ?? '';
      const file = join(folder, input);
      await writeFile(file, text);
      const run = await runMeasured(CLI, [...words, file]);
      assert.equal(findExcess(run, memoryLimit(help, text.length)), undefined);
    });
});
