import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { readGraph, readImports } from '../../scripts/architecture/graph.ts';
import {
  checkPublicCounts,
  checkPublicImports,
  findNeedlessPublic,
  hasOpening,
  readPublicFiles,
} from '../../scripts/architecture/public.ts';
import { ROOT } from '../../scripts/root.ts';

const FILES = readPublicFiles(ROOT);
const GRAPH = readGraph(ROOT);

describe('the public files of a room', () => {
  it('are all that other rooms import', () => {
    assert.deepEqual(checkPublicImports(GRAPH, FILES), []);
  });

  it('are at most 40, and 60 of the core', () => {
    assert.deepEqual(checkPublicCounts(FILES), []);
  });

  it('are all imported by another room', () => {
    assert.deepEqual(findNeedlessPublic(GRAPH, FILES), []);
  });

  it('begin with a comment that says what they are for', () => {
    const bare = [...FILES.values()]
      .flat()
      .filter(path => !hasOpening(path, readFileSync(join(ROOT, path), 'utf8')));
    assert.deepEqual(bare, []);
  });
});

describe('a planted violation is reported', () => {
  const files = new Map([['core', ['core/text/span.ts', 'core/text/unused.ts']]]);
  const planted = [
    ...readImports('language/x.ts', `import { a } from '../core/text/span.ts';`),
    ...readImports('language/y.ts', `import { b } from '../core/text/secret.ts';`),
    ...readImports('core/z.ts', `import { b } from './text/secret.ts';`),
    ...readImports('test/x.test.ts', `import { b } from '../core/text/secret.ts';`),
    ...readImports('client/src/x.ts', `import { c } from '../../cli/src/terminal.ts';`),
  ];

  it('an import of a file that is not public', () => {
    assert.deepEqual(checkPublicImports(planted, files), [
      "language/y.ts:1 imports '../core/text/secret.ts', which is not in the 'exports' of core/package.json",
      "client/src/x.ts:1 imports '../../cli/src/terminal.ts', which is not in the 'exports' of cli/package.json",
    ]);
  });

  it('a room with too many public files', () => {
    const many = (room: string, count: number): [string, string[]] => [
      room,
      Array.from({ length: count }, (_, at) => `${room}/${at}.ts`),
    ];
    const rooms = new Map([many('core', 61), many('trace', 41), many('wire', 40)]);
    assert.deepEqual(checkPublicCounts(rooms), [
      'core/package.json exports 61 files, and at most 60 may be public',
      'trace/package.json exports 41 files, and at most 40 may be public',
    ]);
  });

  it('a public file that no other room imports', () => {
    assert.deepEqual(findNeedlessPublic(planted, files), ['core/text/unused.ts']);
  });

  it('a public file without an opening', () => {
    const rows: readonly (readonly [text: string, isOpened: boolean])[] = [
      [`/** Spans. */\nimport './a.ts';\nexport const A = 1;`, true],
      [`import './a.ts';\n/** A span. */\nexport const A = 1;`, true],
      [`import './a.ts';\nexport const A = 1;`, false],
      [`import './a.ts';\n/** Private. */\nconst B = 1;\nexport const A = B;`, false],
    ];
    for (const [text, isOpened] of rows) assert.equal(hasOpening('core/x.ts', text), isOpened, text);
  });
});
