import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { isListOf, isNumber, isShape, isString, type Guard } from '../../core/guard.ts';
import { ROOT } from '../../scripts/root.ts';

/** Planted sources by folder; what lint must say about each, by rule and line. */
const CASES: readonly (readonly [folder: string, source: string, rules: readonly string[]])[] = [
  ['core/text', `export { workspace } from 'vscode';`, ['eslint(no-restricted-imports):1']],
  ['core/text', `export { readFileSync } from 'node:fs';`, ['eslint(no-restricted-imports):1']],
  ['core/text', `export { CstParser } from 'chevrotain';`, ['eslint(no-restricted-imports):1']],
  ['agents', `export { workspace } from 'vscode';`, ['eslint(no-restricted-imports):1']],
  ['server/src', `export { readFileSync } from 'fs';`, ['eslint(no-restricted-imports):1']],
  ['client/src', `export { join } from 'node:path';`, ['eslint(no-restricted-imports):1']],
  ['client/webviews/shared', `export { window } from 'vscode';`, ['eslint(no-restricted-imports):1']],
  ['cli/src', `export { window } from 'vscode';`, ['eslint(no-restricted-imports):1']],
  [
    'client/webviews/shared',
    `export function fill(element: Element, text: string): void {\n  element.innerHTML = text;\n}`,
    ['parley(restricted-syntax):2'],
  ],
  [
    'client/webviews/shared',
    `export function fill(element: Element, text: string): void {\n  element.insertAdjacentHTML('beforeend', text);\n}`,
    ['parley(restricted-syntax):2'],
  ],
  [
    'client/src',
    `export function fill(webview: { html: string }, text: string): void {\n  webview.html = text;\n}`,
    ['parley(restricted-syntax):2'],
  ],
  ['agents', `export { readFile } from 'node:fs/promises';`, ['parley(restricted-syntax):1']],
  [
    'agents',
    `import { createReadStream as read } from 'fs';\nexport const start = read('x');`,
    ['parley(restricted-syntax):1'],
  ],
  [
    'cli/src',
    `import { open } from 'node:fs/promises';\nexport const file = open('x');`,
    ['parley(restricted-syntax):1'],
  ],
  [
    'cli/src',
    `import * as fs from 'node:fs';\nexport const text = fs.readFileSync('x');`,
    ['parley(restricted-syntax):1'],
  ],
  ['agents', `export const files = import('node:fs');`, ['parley(restricted-syntax):1']],
  [
    'client/src',
    `import { workspace, type Uri } from 'vscode';\nexport const read = (uri: Uri) => workspace.fs.readFile(uri);`,
    ['parley(restricted-syntax):2'],
  ],
  // What VS Code parses as a link or an icon: each way to reach it without the escaping of client/src/window/sinks.
  ...[
    `void window.showErrorMessage(text);`,
    `void window.showWarningMessage(text);`,
    `void window.showInformationMessage(text);`,
    `void window['showInformationMessage'](text);`,
    `const { showInformationMessage } = window; void showInformationMessage(text);`,
    `window.setStatusBarMessage(text, 1);`,
    `void window.withProgress({ location: 1, title: text }, () => Promise.resolve());`,
    `void window.showQuickPick([text]);`,
    `window.createQuickPick();`,
    `void window.showInputBox({ prompt: text });`,
    `window.createInputBox();`,
    `window.createStatusBarItem().text = text;`,
    `new MarkdownString(text);`,
  ].map(
    statement =>
      [
        'client/src',
        `import { MarkdownString, window } from 'vscode';\nexport function show(text: string): void {\n  ${statement}\n  void [window, MarkdownString, text];\n}`,
        ['parley(restricted-syntax):3'],
      ] as const,
  ),
  ['agents', `export const broken: any = 1;`, ['typescript(no-explicit-any):1']],
  ['agents', `Promise.resolve(1);\nexport {};`, ['typescript(no-floating-promises):1']],
  [
    'agents',
    `export const first = (list: string[]): string => list[0]!;`,
    ['typescript(no-non-null-assertion):1'],
  ],
  [
    'agents',
    `export const text = (value: unknown): string => value as string;`,
    ['typescript(consistent-type-assertions):1'],
  ],
  [
    'core/text',
    'export const FIELD = /^(\\w+):[ \\t]*([^\\r\\n]*?)[ \\t]*$/;',
    [
      'regexp(no-super-linear-backtracking):1',
      'regexp(no-super-linear-backtracking):1',
      'regexp(no-super-linear-backtracking):1',
    ],
  ],
  ['cli/src', 'export const END = /[ \\t]+$/;', ['regexp(no-super-linear-move):1']],
  ['agents', "export const END = new RegExp('x+$');", ['regexp(no-super-linear-move):1']],
  ['agents', `export default 1;`, ['parley(restricted-syntax):1']],
  ['agents', `export const turn = (isOn: boolean): boolean => !isOn;`, ['parley(restricted-syntax):1']],
  [
    'agents',
    `export function name(one: 'a' | 'b'): string {\n  switch (one) {\n    case 'a':\n      return 'A';\n  }\n  return '';\n}`,
    ['typescript(switch-exhaustiveness-check):2'],
  ],
];

describe('lint reports a planted violation', () => {
  const root = mkdtempSync(join(tmpdir(), 'lint-'));
  const planted = CASES.map(([folder, source], number) => {
    const path = `${folder}/planted-${number}.ts`;
    return { path, source };
  });
  let found: ReadonlyMap<string, readonly string[]>;

  before(() => {
    for (const path of CONFIGURATION) cpSync(join(ROOT, path), join(root, path), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    for (const { path, source } of planted) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), `${source}\n`);
    }
    found = lint(
      root,
      planted.map(({ path }) => path),
    );
  });
  after(() => rmSync(root, { recursive: true }));

  for (const [number, [folder, source, rules]] of CASES.entries()) {
    it(`${folder}: ${source.split('\n').at(rules[0]?.endsWith(':3') ? 2 : 0)}`, () => {
      assert.deepEqual(found.get(planted[number]?.path ?? '') ?? [], rules);
    });
  }
});

/** What lint reads besides the files that it checks, relative to the project. */
const CONFIGURATION = [
  'oxlint.config.mts',
  'docs/dependencies.md',
  'scripts/architecture',
  'scripts/lint',
  'core/catalog',
  'core/text',
  ...globSync('{tsconfig*.json,{*,*/*}/tsconfig.json,{*,*/*}/package.json}', {
    cwd: ROOT,
    exclude: ['node_modules', '.build', 'dist'],
  }),
];

interface Report {
  readonly diagnostics: readonly {
    readonly code: string;
    readonly filename: string;
    readonly labels: readonly { readonly span: { readonly line: number } }[];
  }[];
}

const isReport: Guard<Report> = isShape({
  diagnostics: isListOf(
    isShape({
      code: isString,
      filename: isString,
      labels: isListOf(isShape({ span: isShape({ line: isNumber }) })),
    }),
  ),
});

/** The rules and lines that lint reports, by file. */
function lint(root: string, paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const { stdout } = spawnSync('oxlint', ['-f', 'json', ...paths], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  const output: unknown = JSON.parse(stdout);
  assert.ok(isReport(output), stdout);
  const reported = new Map<string, string[]>();
  for (const { code, filename, labels } of output.diagnostics) {
    const line = `${code}:${labels[0]?.span.line}`;
    reported.set(filename, [...(reported.get(filename) ?? []), line].sort());
  }
  return reported;
}
