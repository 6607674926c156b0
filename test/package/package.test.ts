import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, describe, it } from 'mocha';
import { buildPackage, type Package } from '../../scripts/package.ts';
import { ROOT } from '../../scripts/root.ts';
import { NOTHING } from '../../scripts/test/counts.ts';
import { bundleHostTests } from '../../scripts/test/host-bundle.ts';
import { writeProbe } from '../../scripts/vscode/probe.ts';
import { runInServer } from '../../scripts/vscode/host.ts';

const GOLDEN = join(ROOT, 'test/golden/package-files.txt');

/** A package that is larger has taken in something that it should not; the lists of the encodings are half of it. */
const MOST_BYTES = 3.25 * 1024 * 1024;

/** The golden text; UPDATE=1 writes it anew, but never in CI, where it would prove nothing. */
function readGolden(path: string, actual: string): string {
  if (process.env['UPDATE'] === '1' && process.env['CI'] === undefined) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, actual);
  }
  return existsSync(path) ? readFileSync(path, 'utf8') : `${path} is missing; write it with UPDATE=1`;
}

describe('the package', function () {
  this.timeout(300_000);
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
    assert.ok(built.bytes < MOST_BYTES, `${built.bytes} bytes`);
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
