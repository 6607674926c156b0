import type { BuildName } from '../vscode/places.ts';

/** What must exist before a suite can run; the gate prepares each requirement once. */
export type Requirement = 'build' | 'package' | 'vscode' | 'oldest-vscode';

/** Set to `full` in the stress run and read by test/support/size.ts. */
export const SIZE_VARIABLE = 'PARLEY_TEST_SIZE';

/** A command whose exit code reports whether it passed. */
export interface Check {
  readonly title: string;
  /** A module of this project or of node_modules, with arguments, that Node runs. */
  readonly command: readonly [string, ...string[]];
}

/**
 * The number of suites that run in parallel: some wait for sockets and processes while others use the two cores.
 * More take no less time, because all windows then run at once and respond only after seconds.
 */
export const SIDE_BY_SIDE = 4;

/** A suite of checks, mocha tests, or tests in a VS Code host. */
export type Suite = {
  readonly name: string;
  readonly needs: readonly Requirement[];
  /**
   * The approximate duration in parallel with others: the longest
   * suites start first, so that all end at about the same time.
   */
  readonly minutes?: number;
} & (
  | { readonly kind: 'checks'; readonly checks: readonly Check[] }
  | MochaSuite
  | { readonly kind: 'host'; readonly vscode?: BuildName }
  | { readonly kind: 'web'; readonly isRest?: boolean }
);

/** Tests that mocha runs in separate processes. */
interface MochaSuite {
  readonly kind: 'mocha';
  /** The folder of the test files; `test/NAME` if absent. */
  readonly folder?: string;
  /** The number of processes that share the files; 1 if absent. */
  readonly workers?: number;
  /** The index of this process among them, from 0; set by `splitSuites`. */
  readonly worker?: number;
  /** `full` runs only the files that have sizes, at full size (test/support/size.ts). */
  readonly size?: 'full';
  /** Selects files: `only` the slow ones, named `*.slow.test.ts`, or `none` of them; all if absent. */
  readonly slow?: 'only' | 'none';
}

/** The suites of `npm test` in output order: fast ones, and those that explain failures of others, come first. */
export const GATE: readonly Suite[] = [
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
    minutes: 1,
    needs: [],
    checks: [
      { title: 'lint', command: ['node_modules/oxlint/bin/oxlint', '--deny-warnings', '.'] },
      { title: 'format', command: ['node_modules/oxfmt/bin/oxfmt', '--check', '.'] },
    ],
  },
  { name: 'architecture', kind: 'mocha', needs: [], slow: 'none' },
  { name: 'unit', kind: 'mocha', minutes: 2, needs: [], workers: 2, slow: 'none' },
  { name: 'rules', kind: 'mocha', needs: [] },
  { name: 'corpus', kind: 'mocha', needs: [] },
  { name: 'fuzz', kind: 'mocha', needs: [] },
  { name: 'grammar', kind: 'mocha', needs: [] },
  { name: 'lsp', kind: 'mocha', needs: [] },
  { name: 'agents', kind: 'mocha', minutes: 3, needs: [], workers: 3, slow: 'none' },
  { name: 'cli', kind: 'mocha', minutes: 1, needs: [], slow: 'none' },
  {
    name: 'slow',
    kind: 'mocha',
    folder: 'test',
    minutes: 3,
    needs: ['build'],
    workers: 3,
    slow: 'only',
  },
  { name: 'smoke', kind: 'mocha', needs: ['build'] },
  { name: 'attack', kind: 'mocha', minutes: 1, needs: ['build'] },
  { name: 'package', kind: 'mocha', needs: ['package'] },
  { name: 'host', kind: 'host', minutes: 4, needs: ['package', 'vscode'] },
  { name: 'web', kind: 'web', minutes: 2, needs: ['build', 'vscode'] },
  { name: 'ui', kind: 'mocha', minutes: 6, workers: 2, needs: ['build', 'vscode'] },
];

/**
 * The suites of `npm run test:stress`: tests that take more than
 * a tenth of a second or a megabyte of input, at full size.
 */
export const STRESS: readonly Suite[] = [
  fullSize('unit', { minutes: 3, workers: 2 }),
  fullSize('corpus', { minutes: 2 }),
  fullSize('fuzz', { minutes: 2 }),
  fullSize('lsp', {}),
  fullSize('agents', { minutes: 3, workers: 2, needs: ['build'] }),
  fullSize('cli', { minutes: 1 }),
  { name: 'stress/agents', kind: 'mocha', minutes: 2, needs: [] },
  { name: 'stress/cli', kind: 'mocha', minutes: 2, needs: ['build'] },
  { name: 'stress/smoke', kind: 'mocha', minutes: 2, needs: ['build'] },
  { name: 'stress/ui', kind: 'mocha', minutes: 5, needs: ['build', 'vscode'] },
  { name: 'stress/web', kind: 'web', minutes: 1, needs: ['build', 'vscode'], isRest: true },
  { name: 'oldest', kind: 'host', minutes: 4, needs: ['package', 'oldest-vscode'], vscode: 'oldest' },
];

function fullSize(
  folder: string,
  {
    minutes,
    workers,
    needs = [],
  }: { readonly minutes?: number; readonly workers?: number; readonly needs?: readonly Requirement[] },
): Suite {
  return {
    name: `${folder} (full)`,
    kind: 'mocha',
    folder: `test/${folder}`,
    size: 'full',
    needs,
    ...(minutes === undefined ? {} : { minutes }),
    ...(workers === undefined ? {} : { workers }),
  };
}

/** The suites of `npm run test:quick`: those without requirements. */
export const QUICK: readonly Suite[] = GATE.filter(suite => suite.needs.length === 0);

/** Splits each suite into one for each of its workers. */
export function splitSuites(suites: readonly Suite[]): readonly Suite[] {
  return suites.flatMap((suite): readonly Suite[] => {
    if (suite.kind !== 'mocha' || suite.workers === undefined || suite.workers === 1) return [suite];
    const { workers, name, minutes } = suite;
    return Array.from({ length: workers }, (_, worker) => ({
      ...suite,
      name: `${name} ${worker + 1}/${workers}`,
      folder: folderOf(suite),
      worker,
      ...(minutes === undefined ? {} : { minutes: minutes / workers }),
    }));
  });
}

/** True if a suite runs a test file. Slow test files start programs, build or lint, and are in a separate suite. */
export function isPicked(slow: string | undefined, file: string): boolean {
  return slow === undefined || file.endsWith('.slow.test.ts') === (slow === 'only');
}

/** The folder of a suite's test files. */
export function folderOf(suite: { readonly name: string; readonly folder?: string }): string {
  return suite.folder ?? `test/${suite.name}`;
}

/**
 * The indices of suites in starting order: the first suite,
 * because its lines are printed first, and then the longest ones.
 */
export function listByLength(suites: readonly Suite[]): readonly number[] {
  const [first, ...others] = suites.keys();
  const minutes = (place: number): number => suites[place]?.minutes ?? 0;
  return first === undefined
    ? []
    : [first, ...others.sort((one, other) => minutes(other) - minutes(one) || one - other)];
}

/** The test files, relative to the project, that no suite runs. */
export function findStrays(files: readonly string[], suites: readonly Suite[]): readonly string[] {
  return files.filter(file => !suites.some(suite => suite.kind !== 'checks' && runsFile(suite, file)));
}

function runsFile(suite: Exclude<Suite, { readonly kind: 'checks' }>, file: string): boolean {
  return (
    file.replaceAll('\\', '/').startsWith(`${folderOf(suite)}/`) &&
    (suite.kind !== 'mocha' || isPicked(suite.slow, file))
  );
}
