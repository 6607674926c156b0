/** What has to be there before a suite can run; the gate makes each once. */
export type Requirement = 'build' | 'vscode';

/** One command whose exit code says whether it passed. */
export interface Check {
  readonly title: string;
  /** A module of this project or of node_modules, and its arguments, run by Node. */
  readonly command: readonly [string, ...string[]];
}

/** A suite of checks, or of mocha tests below `test/<name>`, run by `runner`. */
export type Suite = { readonly name: string; readonly needs: readonly Requirement[] } & (
  | { readonly kind: 'checks'; readonly checks: readonly Check[] }
  | { readonly kind: 'mocha'; readonly timeoutMs?: number }
  | { readonly kind: 'host' | 'web' }
);

const MINUTE = 60_000;

/** Every suite, in the order of the gate: quick ones and those that explain others' failures first. */
export const SUITES: readonly Suite[] = [
  {
    name: 'generated',
    kind: 'checks',
    needs: [],
    checks: [{ title: 'generated files are fresh', command: ['scripts/generate/main.ts', '--check'] }],
  },
  {
    name: 'types',
    kind: 'checks',
    needs: [],
    checks: [{ title: 'types', command: ['node_modules/typescript/bin/tsc', '-b'] }],
  },
  {
    name: 'lint',
    kind: 'checks',
    needs: [],
    checks: [
      { title: 'eslint', command: ['node_modules/eslint/bin/eslint.js', '--max-warnings', '0', '.'] },
      { title: 'prettier', command: ['node_modules/prettier/bin/prettier.cjs', '--check', '.'] },
    ],
  },
  { name: 'architecture', kind: 'mocha', needs: [] },
  { name: 'unit', kind: 'mocha', needs: [] },
  { name: 'rules', kind: 'mocha', needs: [] },
  { name: 'corpus', kind: 'mocha', needs: [] },
  { name: 'fuzz', kind: 'mocha', needs: [], timeoutMs: 2 * MINUTE },
  { name: 'grammar', kind: 'mocha', needs: [] },
  { name: 'lsp', kind: 'mocha', needs: [] },
  { name: 'agents', kind: 'mocha', needs: [] },
  { name: 'cli', kind: 'mocha', needs: [] },
  { name: 'smoke', kind: 'mocha', needs: ['build'] },
  { name: 'host', kind: 'host', needs: ['build', 'vscode'] },
  { name: 'web', kind: 'web', needs: ['build', 'vscode'] },
  { name: 'ui', kind: 'mocha', needs: ['build', 'vscode'], timeoutMs: 2 * MINUTE },
  { name: 'package', kind: 'mocha', needs: ['vscode'], timeoutMs: 3 * MINUTE },
];

/** Test files, by path relative to the project, that no suite would run. */
export function findStrays(files: readonly string[], suites: readonly Suite[]): readonly string[] {
  const folders = suites.filter(suite => suite.kind !== 'checks').map(suite => `test/${suite.name}/`);
  return files.filter(file => !folders.some(folder => file.replaceAll('\\', '/').startsWith(folder)));
}
