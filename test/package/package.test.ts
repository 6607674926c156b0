import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, describe, it } from 'mocha';
import { ENCODINGS } from '../../protocol/src/catalog/encodings.ts';
import { buildPackage, type Package } from '../../scripts/package.ts';
import { ROOT } from '../../scripts/root.ts';
import { NOTHING } from '../../scripts/test/counts.ts';
import { bundleHostTests } from '../../scripts/test/host-bundle.ts';
import { writeProbe } from '../../scripts/vscode/probe.ts';
import { runInServer } from '../../scripts/vscode/host.ts';

const GOLDEN = join(ROOT, 'test/golden/package-files.txt');

/** A package that is larger, without the lists of the encodings, has taken in something that it should not. */
const MOST_BYTES = 2.5 * 1024 * 1024;
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

describe('the package', function () {
  this.timeout(480_000);
  let built: Package;
  before(async () => {
    built = await buildPackage();
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

  it('installs into VS Code and passes the host suite there', async () => {
    const lines: string[] = [];
    const probe = await writeProbe();
    try {
      const counts = await runInServer({
        tests: await bundleHostTests(),
        extension: probe.folder,
        vsix: built.path,
        print: line => lines.push(line),
      });
      const { passed, failed } = counts ?? NOTHING;
      assert.deepEqual({ failed, hasPassed: passed > 0, lines }, { failed: 0, hasPassed: true, lines: [] });
    } finally {
      await probe.remove();
    }
  });
});
