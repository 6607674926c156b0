import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { checkImports } from '../../scripts/architecture/check.ts';
import { readDependencies } from '../../scripts/architecture/dependencies.ts';
import { readGraph, readImports } from '../../scripts/architecture/graph.ts';
import { ROOT } from '../../scripts/root.ts';

const DEPENDENCIES = readDependencies(ROOT);
const GRAPH = readGraph(ROOT);

/** Breaches of one planted file, without the reasons. */
function breachesOf(path: string, ...lines: readonly string[]): readonly string[] {
  const breaches = checkImports(readImports(path, lines.join('\n')), DEPENDENCIES);
  return breaches.map(breach => breach.replace(/': .*/, "'"));
}

describe('the import graph', () => {
  it('keeps to the rooms and to docs/dependencies.md', () => {
    assert.deepEqual(checkImports(GRAPH, DEPENDENCIES), []);
  });

  it('is not empty: the rooms are really read', () => {
    const rooms = new Set(GRAPH.map(({ from }) => from.split('/')[0]));
    assert.deepEqual([...rooms].sort(), [
      'agents',
      'bench',
      'cli',
      'client',
      'core',
      'language',
      'npm',
      'protocols',
      'scripts',
      'server',
      'syntaxes',
      'tensor',
      'test',
      'tokenizers',
      'trace',
      'wire',
    ]);
  });
});

describe('a planted violation is reported', () => {
  const PLANTED: readonly (readonly [path: string, line: string])[] = [
    ['core/text/x.ts', `import { a } from '../catalog/aicl.ts';`],
    ['core/catalog/x.ts', `import { a } from '../values/value.ts';`],
    ['core/events/x.ts', `import { a } from '../../tensor/base85.ts';`],
    ['core/values/x.ts', `import { a } from '../../language/aicl/parse.ts';`],
    ['tensor/x.ts', `import { a } from '../language/support.ts';`],
    ['language/aicf/x.ts', `import { a } from '../aicl/parse.ts';`],
    ['language/aicf/x.ts', `import { a } from '../../tensor/base85.ts';`],
    ['language/aicl/x.ts', `import { a } from '../rules/cap.ts';`],
    ['language/rules/x.ts', `import { a } from '../../protocols/json/shape.ts';`],
    ['protocols/mcp/x.ts', `import { a } from '../a2a/shape.ts';`],
    ['protocols/convert/x.ts', `import { a } from '../../trace/fold/fold.ts';`],
    ['trace/x.ts', `import { a } from '../agents/connection.ts';`],
    ['wire/x.ts', `import * as vscode from 'vscode';`],
    ['trace/x.ts', `import { readFileSync } from 'node:fs';`],
    ['core/text/x.ts', `import { CstParser } from 'chevrotain';`],
    ['language/aicl/x.ts', `import a from 'lodash';`],
    ['language/languages.ts', `import { a } from '../server/src/server.ts';`],
    ['agents/x.ts', `import * as vscode from 'vscode';`],
    ['agents/x.ts', `import { a } from 'vscode-languageserver';`],
    ['agents/x.ts', `import { a } from '../client/src/log.ts';`],
    ['server/src/features/x.ts', `import { readFileSync } from 'fs';`],
    ['server/src/server.ts', `import { a } from '../../agents/connection.ts';`],
    ['server/src/server.ts', `import { a } from './main.node.ts';`],
    ['client/src/features/x.ts', `import { join } from 'node:path';`],
    ['client/src/features/x.ts', `import { a } from '../../../agents/all.ts';`],
    ['client/src/features/x.ts', `import { a } from '../../../server/src/server.ts';`],
    ['client/src/features/x.ts', `import { a } from '../../webviews/shared/element.ts';`],
    ['client/src/extension.ts', `import { a } from './main.node.ts';`],
    ['client/src/main.browser.ts', `import { a } from '../../agents/all.ts';`],
    ['client/webviews/timeline/main.ts', `import * as vscode from 'vscode';`],
    ['client/webviews/timeline/main.ts', `import { a } from '../../src/log.ts';`],
    ['client/webviews/timeline/main.ts', `import { Buffer } from 'node:buffer';`],
    ['cli/src/main.ts', `import * as vscode from 'vscode';`],
    ['cli/src/main.ts', `import { a } from '../../server/src/lsp.ts';`],
    ['server/src/server.ts', `import { a } from './stdio.ts';`],
    ['cli/src/main.ts', `import { a } from '../../client/src/base/log.ts';`],
    ['syntaxes/src/x.ts', `import { a } from '../../server/src/lsp.ts';`],
    ['syntaxes/src/x.ts', `import { a } from 'node:fs';`],
    ['scripts/x.ts', `import { a } from '../client/src/log.ts';`],
    ['bench/x.ts', `import { a } from '../client/src/log.ts';`],
    ['stray/x.ts', `import { a } from './y.ts';`],
  ];

  for (const [path, line] of PLANTED) {
    const specifier = /'([^']+)'/.exec(line)?.[1] ?? '';
    it(`${path}: ${line}`, () => {
      assert.deepEqual(breachesOf(path, line), [`${path}:1 imports '${specifier}'`]);
    });
  }

  it('in every form of an import', () => {
    const path = 'language/aicl/planted.ts';
    const forms = [
      `import 'node:fs';`,
      `import fs from 'node:fs';`,
      `import type { Stats } from 'node:fs';`,
      `export * from 'node:fs';`,
      `export { readFileSync } from 'node:fs';`,
      `const late = await import('node:fs');`,
      `const old = require('node:fs');`,
      `const place = require.resolve('node:fs');`,
      `import equals = require('node:fs');`,
      `type Remote = import('node:fs').Stats;`,
      'const template = import(`node:fs`);',
    ];
    assert.deepEqual(
      breachesOf(path, ...forms),
      forms.map((_, index) => `${path}:${index + 1} imports 'node:fs'`),
    );
  });

  it('where it is unknown what an import loads', () => {
    const path = 'agents/planted.ts';
    assert.deepEqual(breachesOf(path, `const any = import(name);`), [`${path}:1 imports 'name'`]);
  });
});
