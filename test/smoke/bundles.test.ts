import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { before, describe, it } from 'mocha';
import { checkBundle, type BundleContents } from '../../scripts/architecture/check.ts';
import { readDependencies } from '../../scripts/architecture/dependencies.ts';
import { libraryName } from '../../scripts/architecture/graph.ts';
import { metafilePath } from '../../scripts/build.ts';
import { listBundles, type Bundle } from '../../scripts/build/bundles.ts';
import { ROOT } from '../../scripts/root.ts';

/** What esbuild said of a bundle when it was built. */
async function readBundle({ output }: Bundle): Promise<BundleContents> {
  const metafile = JSON.parse(await readFile(metafilePath(output), 'utf8')) as Metafile;
  const outputs = Object.values(metafile.outputs);
  return {
    output,
    inputs: Object.keys(metafile.inputs),
    externals: outputs.flatMap(written =>
      written.imports.filter(one => one.external === true).map(one => one.path),
    ),
  };
}

describe('the bundles', () => {
  let bundles: readonly BundleContents[] = [];
  before(async () => {
    bundles = await Promise.all(listBundles(ROOT).map(readBundle));
  });

  it('hold only what their hosts may have', () => {
    assert.deepEqual(bundles.flatMap(checkBundle), []);
  });

  it('hold only libraries of docs/dependencies.md and what those bring', () => {
    const named = new Set(readDependencies(ROOT).map(({ library }) => library));
    // Parts of a named library that are packages of their own, and what they need.
    const brought = new Set([
      ...[
        '@chevrotain/cst-dts-gen',
        '@chevrotain/gast',
        '@chevrotain/regexp-to-ast',
        '@chevrotain/utils',
        'lodash-es',
      ],
      ...['vscode-jsonrpc', 'vscode-languageserver-protocol', 'vscode-languageserver-types'],
      ...['balanced-match', 'brace-expansion', 'minimatch', 'semver'],
      ...['@modelcontextprotocol/core', 'eventsource', 'eventsource-parser', 'jose', 'pkce-challenge', 'zod'],
    ]);
    const libraries = bundles
      .flatMap(({ inputs }) => inputs)
      .filter(input => input.startsWith('node_modules/'))
      .map(input => libraryName(input.slice(input.lastIndexOf('node_modules/') + 'node_modules/'.length)));
    assert.deepEqual(
      [...new Set(libraries)].filter(name => !named.has(name) && !brought.has(name)),
      [],
    );
  });

  it('hold an encoding of tokens only where they are one, so that it is loaded when it is asked for', () => {
    const holders = bundles.filter(({ inputs }) => inputs.some(input => input.includes('gpt-tokenizer')));
    assert.deepEqual(
      holders.map(({ output }) => output),
      ['dist/tokens-o200k_base.js', 'dist/tokens-cl100k_base.js'],
    );
    const loading = bundles.filter(({ externals }) => externals.some(name => name.startsWith('./tokens-')));
    assert.deepEqual(
      loading.map(({ output }) => output),
      ['dist/server.js', 'dist/cli.js'],
    );
  });

  it('hold the library of a protocol only where they are it, so that it is loaded at the first call', () => {
    for (const [library, output] of [
      ['@a2a-js', 'a2a.js'],
      ['@modelcontextprotocol', 'mcp.js'],
    ] as const) {
      const holders = bundles.filter(({ inputs }) => inputs.some(input => input.includes(library)));
      assert.deepEqual(
        holders.map(bundle => bundle.output),
        [`dist/${output}`],
      );
      const loading = bundles.filter(({ externals }) => externals.includes(`./${output}`));
      assert.deepEqual(
        loading.map(bundle => bundle.output),
        ['dist/extension.js', 'dist/cli.js'],
      );
    }
  });

  it('check a JSON file by a schema of the package, on the command line', () => {
    const checked = spawnSync(process.execPath, [join(ROOT, 'dist/cli.js'), 'check', 'agent.json'], {
      cwd: join(ROOT, 'samples/openstarry'),
      encoding: 'utf8',
    });
    assert.deepEqual(
      [checked.status, checked.stdout, checked.stderr],
      [0, '', 'Nothing to report in 1 file\n'],
    );
  });

  const PLANTED: readonly (readonly [output: string, input: string])[] = [
    ['dist/extension.js', 'server/src/server.ts'],
    ['dist/extension.browser.js', 'agents/all.ts'],
    ['dist/extension.browser.js', 'client/src/agents/desktop-agents.ts'],
    ['dist/extension.browser.js', 'client/src/main.node.ts'],
    ['dist/server.js', 'agents/all.ts'],
    ['dist/server.browser.js', 'client/src/base/log.ts'],
    ['dist/cli.js', 'client/src/base/log.ts'],
    ['dist/webviews/timeline.js', 'client/src/base/log.ts'],
    ['dist/server.js', 'tokenizers/o200k_base.ts'],
    ['dist/server.browser.js', 'tokenizers/load.ts'],
    ['dist/cli.js', 'tokenizers/cl100k_base.ts'],
    ['dist/tokens-o200k_base.js', 'tokenizers/load.ts'],
  ];
  for (const [output, input] of PLANTED) {
    it(`${output} with ${input} is reported`, () => {
      assert.deepEqual(checkBundle({ output, inputs: [input], externals: [] }), [`${output} holds ${input}`]);
    });
  }

  it('one that needs what its host lacks is reported', () => {
    const bundle = { output: 'dist/server.js', inputs: [], externals: ['node:fs', 'vscode', 'left-pad'] };
    assert.deepEqual(checkBundle(bundle), [
      `dist/server.js needs 'vscode', which its host may not have`,
      `dist/server.js needs 'left-pad', which its host may not have`,
    ]);
  });

  it('one for a browser that needs Node is reported', () => {
    for (const output of ['dist/extension.browser.js', 'dist/server.browser.js'])
      assert.deepEqual(checkBundle({ output, inputs: [], externals: ['node:fs', 'path'] }), [
        `${output} needs 'node:fs', which its host may not have`,
        `${output} needs 'path', which its host may not have`,
      ]);
  });

  it('one without a fence is reported', () => {
    assert.deepEqual(checkBundle({ output: 'dist/new.js', inputs: [], externals: [] }), [
      'dist/new.js has no fence in scripts/architecture/check.ts',
    ]);
  });
});
