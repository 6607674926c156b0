import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, describe, it } from 'mocha';
import { ENCODINGS } from '../../protocol/src/catalog/encodings.ts';
import { readPackage, type Package } from '../../scripts/package.ts';
import { ROOT } from '../../scripts/root.ts';

const GOLDEN = join(ROOT, 'test/golden/package-files.txt');

/** A package that is larger, without the lists of the encodings, has taken in something that it should not. */
const MOST_BYTES = 2.75 * 1024 * 1024;
/** The lists of the encodings: libraries' data, which is loaded when tokens are counted and not before. */
const ENCODING_FILE = /^extension\/dist\/tokens-[a-z0-9_]+\.js$/;

/** The golden text; UPDATE=1 writes it anew, but never in CI, where it would prove nothing. */
function readGolden(path: string, actual: string): string {
  if (process.env['UPDATE'] === '1' && process.env['CI'] === undefined) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, actual);
  }
  return existsSync(path) ? readFileSync(path, 'utf8') : `${path} is missing; write it with UPDATE=1`;
}

describe('the package', () => {
  let built: Package;
  before(async () => {
    built = await readPackage();
  });

  it('holds exactly the files of test/golden/package-files.txt', () => {
    const files = `${built.entries
      .map(({ name }) => name)
      .sort()
      .join('\n')}\n`;
    assert.deepEqual(files.split('\n'), readGolden(GOLDEN, files).split('\n'));
  });

  it('is small', () => {
    console.log(`package: ${(built.bytes / 1024).toFixed(0)} KiB, ${built.entries.length} files`);
    const lists = built.entries.filter(({ name }) => ENCODING_FILE.test(name));
    assert.equal(lists.length, ENCODINGS.length);
    const bytes = lists.reduce((rest, { packed }) => rest - packed, built.bytes);
    assert.ok(bytes < MOST_BYTES, `${bytes} bytes without the lists of the encodings`);
  });
});
