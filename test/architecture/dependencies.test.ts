import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { parseDependencies, readDependencies } from '../../scripts/architecture/dependencies.ts';
import { ROOT } from '../../scripts/root.ts';
import { VSCODE_BUILDS } from '../../scripts/vscode/places.ts';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly engines: { readonly vscode: string };
}

describe('docs/dependencies.md', () => {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;

  it('has a row for each dependency and no other', () => {
    const rows = readDependencies(ROOT).map(({ library }) => library);
    assert.deepEqual([...rows].sort(), Object.keys(manifest.devDependencies).sort());
  });

  it('gives a reason for each', () => {
    const silent = readDependencies(ROOT).filter(({ why }) => why.length < 10);
    assert.deepEqual(silent, []);
  });

  it('leaves nothing to be installed with the package: all of it is bundled', () => {
    assert.deepEqual(manifest.dependencies ?? {}, {});
  });

  it('promises the oldest VS Code that tests run in, and takes its types', () => {
    const { version } = VSCODE_BUILDS.oldest;
    assert.deepEqual(
      [manifest.engines.vscode, manifest.devDependencies['@types/vscode']],
      [`^${version}`, `~${version.replace(/\d+$/, '0')}`],
    );
  });

  it('is read row by row', () => {
    const table = [
      '| library | where | why | passed over |',
      '|---|---|---|---|',
      '| `a` | `x/y`, `z` | because | b |',
    ];
    assert.deepEqual(parseDependencies(table.join('\n')), [
      { library: 'a', where: ['x/y', 'z'], why: 'because', passedOver: 'b' },
    ]);
  });
});
