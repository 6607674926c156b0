import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { listSources } from '../../scripts/architecture/graph.ts';
import { findOddWords, PHRASES } from '../../scripts/architecture/wording.ts';
import { ROOT } from '../../scripts/root.ts';

describe('texts of the product', () => {
  it('use the usual terms of the field', () => {
    const found = listSources(ROOT).flatMap(path =>
      findOddWords(path, readFileSync(join(ROOT, path), 'utf8')),
    );
    assert.deepEqual(found, []);
  });

  it('have each other term reported, in quotes and in templates', () => {
    for (const [phrase, usual] of PHRASES) {
      const line = `show('x ${phrase}', \`\${x} ${phrase}\`); // ${phrase}`;
      const problem = `cli/x.ts:1: ${phrase}; write ${usual}`;
      assert.deepEqual(findOddWords('cli/x.ts', line), [problem, problem]);
      assert.deepEqual(findOddWords('test/x.ts', line), []);
    }
  });
});
