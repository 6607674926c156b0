import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'mocha';
import { ROOT } from '../../scripts/root.ts';

it('links each promise of SECURITY.md to a test that exists', () => {
  const [, promises = ''] = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8').split('## What Parley promises');
  const rows = promises.split('\n').filter(line => /^\d+\. /.test(line));
  assert.deepEqual(
    rows.map(row => Number.parseInt(row, 10)),
    rows.map((_, index) => index + 1),
  );
  assert.equal(rows.length, 10);
  for (const row of rows) {
    const links = [...row.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
    assert.ok(links.length > 0, row);
    for (const link of links) {
      assert.match(link, /^test\/.+\.test\.ts$/);
      assert.ok(existsSync(join(ROOT, link)), link);
    }
  }
});
