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
      'protocol',
      'scripts',
      'server',
      'syntaxes',
      'test',
      'tokenizers',
    ]);
  });
});

describe('a planted violation is reported', () => {
  const PLANTED: readonly (readonly [path: string, line: string])[] = [
    ['protocol/src/text/x.ts', `import { a } from '../catalog/aicl.ts';`],
    ['protocol/src/catalog/x.ts', `import { a } from '../aicl/parse.ts';`],
    ['protocol/src/language/x.ts', `import { a } from '../aicl/parse.ts';`],
    ['protocol/src/tensor/x.ts', `import { a } from '../language/support.ts';`],
    ['protocol/src/aicf/x.ts', `import { a } from '../aicl/parse.ts';`],
    ['protocol/src/aicf/x.ts', `import { a } from '../tensor/base85.ts';`],
    ['protocol/src/aicl/x.ts', `import { a } from '../validate/cap.ts';`],
    ['protocol/src/validate/x.ts', `import { a } from '../convert/json.ts';`],
    ['protocol/src/fold/x.ts', `import { a } from '../trace/fold.ts';`],
    ['protocol/src/trace/x.ts', `import { a } from '../../../agents/src/connection.ts';`],
    ['protocol/src/wire/x.ts', `import * as vscode from 'vscode';`],
    ['protocol/src/trace/x.ts', `import { readFileSync } from 'node:fs';`],
    ['protocol/src/text/x.ts', `import { CstParser } from 'chevrotain';`],
    ['protocol/src/aicl/x.ts', `import a from 'lodash';`],
    ['protocol/src/languages.ts', `import { a } from '../../server/src/server.ts';`],
    ['agents/src/x.ts', `import * as vscode from 'vscode';`],
    ['agents/src/x.ts', `import { a } from 'vscode-languageserver';`],
    ['agents/src/x.ts', `import { a } from '../../client/src/log.ts';`],
    ['server/src/features/x.ts', `import { readFileSync } from 'fs';`],
    ['server/src/server.ts', `import { a } from '../../agents/src/connection.ts';`],
    ['server/src/server.ts', `import { a } from './main.node.ts';`],
    ['client/src/commands/x.ts', `import { join } from 'node:path';`],
    ['client/src/commands/x.ts', `import { a } from '../../../agents/src/connect.ts';`],
    ['client/src/commands/x.ts', `import { a } from '../../../server/src/server.ts';`],
    ['client/src/commands/x.ts', `import { a } from '../../webviews/shared/element.ts';`],
    ['client/src/extension.ts', `import { a } from './main.node.ts';`],
    ['client/src/main.browser.ts', `import { a } from '../../agents/src/connect.ts';`],
    ['client/webviews/timeline/main.ts', `import * as vscode from 'vscode';`],
    ['client/webviews/timeline/main.ts', `import { a } from '../../src/log.ts';`],
    ['client/webviews/timeline/main.ts', `import { Buffer } from 'node:buffer';`],
    ['cli/src/main.ts', `import * as vscode from 'vscode';`],
    ['cli/src/main.ts', `import { a } from '../../server/src/lsp.ts';`],
    ['server/src/server.ts', `import { a } from './stdio.ts';`],
    ['cli/src/main.ts', `import { a } from '../../client/src/log.ts';`],
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
    const path = 'protocol/src/aicl/planted.ts';
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

  it('where nobody can say what an import loads', () => {
    const path = 'agents/src/planted.ts';
    assert.deepEqual(breachesOf(path, `const any = import(name);`), [`${path}:1 imports 'name'`]);
  });
});
