import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { HOSTILE_INPUTS } from '../../support/hostile-inputs.ts';
import { findExcess } from '../../support/peak-memory.ts';

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

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-memory-'));
  });

  after(() => rm(folder, { recursive: true, force: true }));

  async function hold(input: string, length: number, words: readonly string[]): Promise<void> {
    assert.equal(await findExcess(folder, [input, ...words], length), undefined);
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
