import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { findExcess } from '../support/peak-memory.ts';

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

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-memory-'));
  });

  after(() => rm(folder, { recursive: true, force: true }));

  for (const [input, ...words] of RUNS)
    it(`${words.join(' ')} ${input}`, async () => {
      assert.equal(await findExcess(folder, [input, ...words], LENGTH), undefined);
    });
});
