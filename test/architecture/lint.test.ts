import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { ESLint } from 'eslint';
import { describe, it } from 'mocha';
import { ROOT } from '../../scripts/root.ts';

/** Planted sources by folder; what lint must say about each, by rule and line. */
const CASES: readonly (readonly [folder: string, source: string, rules: readonly string[]])[] = [
  ['protocol/src/text', `export { workspace } from 'vscode';`, ['no-restricted-imports:1']],
  ['protocol/src/text', `export { readFileSync } from 'node:fs';`, ['no-restricted-imports:1']],
  ['protocol/src/text', `export { CstParser } from 'chevrotain';`, ['no-restricted-imports:1']],
  ['agents/src', `export { workspace } from 'vscode';`, ['no-restricted-imports:1']],
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
  ['agents/src', `export const broken: any = 1;`, ['@typescript-eslint/no-explicit-any:1']],
  ['agents/src', `Promise.resolve(1);\nexport {};`, ['@typescript-eslint/no-floating-promises:1']],
  [
    'agents/src',
    `export const first = (list: string[]): string => list[0]!;`,
    ['@typescript-eslint/no-non-null-assertion:1'],
  ],
  [
    'agents/src',
    `export const text = (value: unknown): string => value as string;`,
    ['@typescript-eslint/consistent-type-assertions:1'],
  ],
  ['agents/src', `export default 1;`, ['no-restricted-syntax:1']],
  ['agents/src', `export const turn = (isOn: boolean): boolean => !isOn;`, ['no-restricted-syntax:1']],
  [
    'agents/src',
    `export function name(one: 'a' | 'b'): string {\n  switch (one) {\n    case 'a':\n      return 'A';\n  }\n  return '';\n}`,
    ['@typescript-eslint/switch-exhaustiveness-check:2'],
  ],
];

describe('lint reports a planted violation', function () {
  this.timeout(120_000);
  // Lint reads a program once where CI is set, from the disk: the planted text would not be seen.
  const parserOptions = { disallowAutomaticSingleRunInference: true };
  const eslint = new ESLint({ cwd: ROOT, overrideConfig: { languageOptions: { parserOptions } } });

  for (const [folder, source, rules] of CASES) {
    it(`${folder}: ${source.split('\n')[0]}`, async () => {
      // Typed rules want a file that a tsconfig names: the text is linted as if it stood in one of the folder's own.
      const [filePath = ''] = globSync('*.ts', { cwd: join(ROOT, folder) }).sort();
      const results = await eslint.lintText(`${source}\n`, { filePath: join(ROOT, folder, filePath) });
      const found = results.flatMap(({ messages }) =>
        messages.map(({ ruleId, line }) => `${ruleId}:${line}`),
      );
      assert.deepEqual(found, rules);
    });
  }
});
