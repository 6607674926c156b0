import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { listSources } from '../../scripts/architecture/graph.ts';
import { findUnreachable, findUnusedExports } from '../../scripts/architecture/unused.ts';
import { listBundles } from '../../scripts/build/bundles.ts';
import { ROOT } from '../../scripts/root.ts';

const SOURCES = new Map(listSources(ROOT).map(path => [path, readFileSync(join(ROOT, path), 'utf8')]));

/** What is run by its path: bundles, scripts of package.json and of the gate, benchmarks, tests. */
const RUN = [
  /^scripts\/[a-z]+\.ts$/,
  /^scripts\/generate\/main\.ts$/,
  /^scripts\/test\/(gate|run-mocha|run-host|run-web)\.ts$/,
  /^scripts\/vscode\/prepare\.ts$/,
  // The entry of an npm package.
  /^npm\/[a-z-]+\/index\.ts$/,
  // Loaded by oxlint.config.mts.
  /^scripts\/lint\/restricted-syntax\.ts$/,
  /^bench\/.*\.bench\.ts$/,
  // Peers that benchmarks start as processes of their own.
  /^bench\/support\/.*-(server|caller)\.ts$/,
  // What a benchmark starts that takes a browser.
  /^test\/ui\/support\/[a-z]+-figures\.ts$/,
  /^test\/.*\.test\.ts$/,
  /^test\/attack\/main\.ts$/,
  // Agents that tests start as processes of their own.
  /^test\/agents\/mcp\/servers\/[a-z-]+-(stdio|http)\.ts$/,
  // What tests start in processes of their own, so that endless files harm nothing else.
  /^test\/(agents\/support\/read-files|cli\/support\/run-each)\.ts$/,
  // The client that the conformance suite starts.
  /^test\/agents\/mcp-conformance\/client\.ts$/,
  // Bundled for a host, some in the place of a module that it lacks.
  /^test\/host\/runner\/[a-z-]+-in-[a-z]+\.ts$/,
  /\.d\.ts$/,
];

const PRODUCT = /^(core|tensor|language|protocols|trace|wire|npm|agents|server|client|cli)\//;

describe('nothing lies about unused', () => {
  const shipped = listBundles(ROOT).map(({ entry }) => entry);
  const entries = [
    ...shipped,
    ...[...SOURCES.keys()].filter(path => RUN.some(pattern => pattern.test(path))),
  ];

  it('every source is reached from something that is run', () => {
    assert.deepEqual(findUnreachable(SOURCES, entries), []);
  });

  it('every source of the product is reached from something other than a test', () => {
    const product = new Map([...SOURCES].filter(([path]) => PRODUCT.test(path)));
    assert.deepEqual(findUnreachable(product, entries), []);
  });

  it('every exported name is used somewhere', () => {
    assert.deepEqual(findUnusedExports(SOURCES), []);
  });

  it('a planted file and a planted name are reported', () => {
    const planted = new Map([
      ['a/main.ts', `import { used } from './b.ts'; used();`],
      ['a/b.ts', `export function used(): void {} export const lost = 1; export type Gone = string;`],
      ['a/c.ts', `import { used } from './b.ts'; used();`],
    ]);
    assert.deepEqual(
      { unreachable: findUnreachable(planted, ['a/main.ts']), exports: findUnusedExports(planted) },
      { unreachable: ['a/c.ts'], exports: ['a/b.ts: lost', 'a/b.ts: Gone'] },
    );
  });
});
