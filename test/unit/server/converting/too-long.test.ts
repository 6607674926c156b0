import assert from 'node:assert/strict';
import { it } from 'mocha';
import { refuseLong } from '../../../../server/src/features/convert.ts';

it('a text that is too long for the editor is refused by its length alone', () => {
  const refused = [50_000_000, 50_000_001].map(length => refuseLong({ text: { length } })?.message);
  assert.deepEqual(refused, [
    undefined,
    "The text has 50000001 characters, and at most 50000000 are converted in the editor: convert the file with 'parley convert'",
  ]);
});
