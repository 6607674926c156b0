/** What has to be there before a suite can run; the gate makes each once. */
export type Requirement = 'build' | 'package' | 'vscode';

/** One command whose exit code says whether it passed. */
export interface Check {
  readonly title: string;
  /** A module of this project or of node_modules, and its arguments, run by Node. */
  readonly command: readonly [string, ...string[]];
}

/** So many suites run side by side: some wait for sockets, processes and windows while others keep two cores busy. */
export const SIDE_BY_SIDE = 4;

/** A suite of checks, or of mocha tests below `test/<name>`, run by `runner`. */
export type Suite = {
  readonly name: string;
  readonly needs: readonly Requirement[];
  /** About how long it runs beside others: the longest begin first, so that all end at about the same time. */
  readonly minutes?: number;
} & (
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
    minutes: 1,
    needs: [],
    checks: [{ title: 'types', command: ['node_modules/typescript/bin/tsc', '-b'] }],
  },
  {
    name: 'lint',
    kind: 'checks',
    minutes: 3,
    needs: [],
    checks: [
      { title: 'eslint', command: ['node_modules/eslint/bin/eslint.js', '--max-warnings', '0', '.'] },
      { title: 'prettier', command: ['node_modules/prettier/bin/prettier.cjs', '--check', '.'] },
    ],
  },
  { name: 'architecture', kind: 'mocha', needs: [] },
  { name: 'unit', kind: 'mocha', minutes: 2.5, needs: [] },
  { name: 'rules', kind: 'mocha', needs: [] },
  { name: 'corpus', kind: 'mocha', minutes: 2, needs: [] },
  { name: 'fuzz', kind: 'mocha', minutes: 1.5, needs: [], timeoutMs: 2 * MINUTE },
  { name: 'grammar', kind: 'mocha', needs: [] },
  { name: 'lsp', kind: 'mocha', needs: [] },
  { name: 'agents', kind: 'mocha', minutes: 6, needs: [] },
  { name: 'cli', kind: 'mocha', needs: [] },
  { name: 'smoke', kind: 'mocha', needs: ['build'] },
  { name: 'package', kind: 'mocha', needs: ['package'] },
  { name: 'host', kind: 'host', minutes: 4, needs: ['package', 'vscode'] },
  { name: 'web', kind: 'web', minutes: 2, needs: ['build', 'vscode'] },
  { name: 'ui', kind: 'mocha', minutes: 7, needs: ['build', 'vscode'], timeoutMs: 5 * MINUTE },
];

/** Suites, by their places, in the order in which they begin: the first one at once, because its lines are printed first. */
export function listByLength(suites: readonly Suite[]): readonly number[] {
  const [first, ...others] = suites.keys();
  const minutes = (place: number): number => suites[place]?.minutes ?? 0;
  return first === undefined
    ? []
    : [first, ...others.sort((one, other) => minutes(other) - minutes(one) || one - other)];
}

/** Test files, by path relative to the project, that no suite would run. */
export function findStrays(files: readonly string[], suites: readonly Suite[]): readonly string[] {
  const folders = suites.filter(suite => suite.kind !== 'checks').map(suite => `test/${suite.name}/`);
  return files.filter(file => !folders.some(folder => file.replaceAll('\\', '/').startsWith(folder)));
}
