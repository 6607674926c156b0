import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ESLint } from 'eslint';
import { after, describe, it } from 'mocha';
import { ROOT } from '../../scripts/root.ts';

/** Planted sources by folder; what lint must say about each, by rule and line. */
const CASES: readonly (readonly [folder: string, source: string, rules: readonly string[]])[] = [
  ['core/text', `export { workspace } from 'vscode';`, ['no-restricted-imports:1']],
  ['core/text', `export { readFileSync } from 'node:fs';`, ['no-restricted-imports:1']],
  ['core/text', `export { CstParser } from 'chevrotain';`, ['no-restricted-imports:1']],
  ['agents', `export { workspace } from 'vscode';`, ['no-restricted-imports:1']],
  ['server/src', `export { readFileSync } from 'fs';`, ['no-restricted-imports:1']],
  ['client/src', `export { join } from 'node:path';`, ['no-restricted-imports:1']],
  ['client/webviews/shared', `export { window } from 'vscode';`, ['no-restricted-imports:1']],
  ['cli/src', `export { window } from 'vscode';`, ['no-restricted-imports:1']],
  [
    'client/webviews/shared',
    `export function fill(element: Element, text: string): void {\n  element.innerHTML = text;\n}`,
    ['no-restricted-syntax:2'],
  ],
  [
    'client/webviews/shared',
    `export function fill(element: Element, text: string): void {\n  element.insertAdjacentHTML('beforeend', text);\n}`,
    ['no-restricted-syntax:2'],
  ],
  [
    'client/src',
    `export function fill(webview: { html: string }, text: string): void {\n  webview.html = text;\n}`,
    ['no-restricted-syntax:2'],
  ],
  ['agents', `export { readFile } from 'node:fs/promises';`, ['no-restricted-syntax:1']],
  [
    'agents',
    `import { createReadStream as read } from 'fs';\nexport const start = read('x');`,
    ['no-restricted-syntax:1'],
  ],
  [
    'cli/src',
    `import { open } from 'node:fs/promises';\nexport const file = open('x');`,
    ['no-restricted-syntax:1'],
  ],
  [
    'cli/src',
    `import * as fs from 'node:fs';\nexport const text = fs.readFileSync('x');`,
    ['no-restricted-syntax:1'],
  ],
  ['agents', `export const files = import('node:fs');`, ['no-restricted-syntax:1']],
  [
    'client/src',
    `import { workspace, type Uri } from 'vscode';\nexport const read = (uri: Uri) => workspace.fs.readFile(uri);`,
    ['no-restricted-syntax:2'],
  ],
  // What VS Code parses as a link or an icon: each way to reach it without the escaping of client/src/sinks.
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
        ['no-restricted-syntax:3'],
      ] as const,
  ),
  ['agents', `export const broken: any = 1;`, ['@typescript-eslint/no-explicit-any:1']],
  ['agents', `Promise.resolve(1);\nexport {};`, ['@typescript-eslint/no-floating-promises:1']],
  [
    'agents',
    `export const first = (list: string[]): string => list[0]!;`,
    ['@typescript-eslint/no-non-null-assertion:1'],
  ],
  [
    'agents',
    `export const text = (value: unknown): string => value as string;`,
    ['@typescript-eslint/consistent-type-assertions:1'],
  ],
  [
    'core/text',
    'export const FIELD = /^(\\w+):[ \\t]*([^\\r\\n]*?)[ \\t]*$/;',
    [
      'regexp/no-super-linear-backtracking:1',
      'regexp/no-super-linear-backtracking:1',
      'regexp/no-super-linear-backtracking:1',
    ],
  ],
  ['cli/src', 'export const END = /[ \\t]+$/;', ['regexp/no-super-linear-move:1']],
  ['agents', "export const END = new RegExp('x+$');", ['regexp/no-super-linear-move:1']],
  ['agents', `export default 1;`, ['no-restricted-syntax:1']],
  ['agents', `export const turn = (isOn: boolean): boolean => !isOn;`, ['no-restricted-syntax:1']],
  [
    'agents',
    `export function name(one: 'a' | 'b'): string {\n  switch (one) {\n    case 'a':\n      return 'A';\n  }\n  return '';\n}`,
    ['@typescript-eslint/switch-exhaustiveness-check:2'],
  ],
];

describe('lint reports a planted violation', function () {
  this.timeout(120_000);
  // The program of lint, of the files alone that the texts are planted in, and of what they import.
  const program = mkdtempSync(join(tmpdir(), 'lint-'));
  const project = join(program, 'tsconfig.json');
  const options = { typeRoots: [join(ROOT, 'node_modules', '@types')] };
  writeFileSync(
    project,
    JSON.stringify({
      extends: join(ROOT, 'tsconfig.lint.json'),
      compilerOptions: options,
      files: [...new Set(CASES.map(([folder]) => fileIn(folder)))],
      include: [],
    }),
  );
  after(() => rmSync(program, { recursive: true }));
  // Lint reads a program once where CI is set, from the disk: the planted text would not be seen.
  const parserOptions = { project, disallowAutomaticSingleRunInference: true };
  const eslint = new ESLint({ cwd: ROOT, overrideConfig: { languageOptions: { parserOptions } } });

  for (const [folder, source, rules] of CASES) {
    it(`${folder}: ${source.split('\n').at(rules[0]?.endsWith(':3') ? 2 : 0)}`, async () => {
      const results = await eslint.lintText(`${source}\n`, { filePath: fileIn(folder) });
      const found = results.flatMap(({ messages }) =>
        messages.map(({ ruleId, line }) => `${ruleId}:${line}`),
      );
      assert.deepEqual(found, rules);
    });
  }
});

/**
 * Typed rules want a file that a tsconfig names: a text is linted as if it stood in one of the folder's own, in that which
 * imports least.
 */
function fileIn(folder: string): string {
  const paths = globSync('*.ts', { cwd: join(ROOT, folder) })
    .sort()
    .map(name => join(ROOT, folder, name));
  const imports = (path: string): number => readFileSync(path, 'utf8').split(" from '").length;
  const [first = ''] = paths.sort((one, other) => imports(one) - imports(other));
  return first;
}
