import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { askNumpy, runNumpy } from '../../support/numpy.ts';

const SUM = 'answer = {"sum": int(np.arange(4).sum()), "given": given}';

describe('NumPy as the tests ask it', () => {
  const isThere = runNumpy('answer = 0') === 0;
  let update: string | undefined;
  beforeEach(() => {
    update = process.env['UPDATE'];
    delete process.env['UPDATE'];
  });
  afterEach(() => {
    if (update !== undefined) process.env['UPDATE'] = update;
  });

  it('answers where it is there, and what was written down says the same', () => {
    assert.deepEqual(askNumpy('sum', SUM), { sum: 6, given: null });
    assert.deepEqual(runNumpy(SUM, [1, 'a']), isThere ? { sum: 6, given: [1, 'a'] } : undefined);
  });

  it('fails where nothing was written down, where the two differ and where a program fails', () => {
    assert.throws(() => askNumpy('never-written', SUM), /never-written\.json is missing/);
    const ask = (): unknown => askNumpy('sum', 'answer = {"sum": 7, "given": None}');
    if (isThere) assert.throws(ask, { code: 'ERR_ASSERTION' });
    else assert.deepEqual(ask(), { sum: 6, given: null });
    if (isThere) assert.throws(() => runNumpy('answer = nothing'), /NameError/);
    else assert.equal(runNumpy('answer = nothing'), undefined);
  });
});
