import type { BuildName } from '../vscode/places.ts';

/** What has to exist before a suite can run; the gate makes each once. */
export type Requirement = 'build' | 'package' | 'vscode' | 'oldest-vscode';

/** Set to `full` in the stress run: test/support/size.ts reads it. */
export const SIZE_VARIABLE = 'PARLEY_TEST_SIZE';

/** One command whose exit code says whether it passed. */
export interface Check {
  readonly title: string;
  /** A module of this project or of node_modules, and its arguments, run by Node. */
  readonly command: readonly [string, ...string[]];
  /** Arguments that let `test:quick` use what an earlier run found. */
  readonly cache?: readonly string[];
}

/** How many suites run side by side: some wait for sockets, processes and windows while others use the two cores. */
export const SIDE_BY_SIDE = 5;

/** A suite of checks, or of mocha tests in a folder, run by `runner`. */
export type Suite = {
  readonly name: string;
  readonly needs: readonly Requirement[];
  /** About how long it runs beside others: the longest begin first, so that all end at about the same time. */
  readonly minutes?: number;
} & (
  | { readonly kind: 'checks'; readonly checks: readonly Check[] }
  | MochaSuite
  | { readonly kind: 'host'; readonly vscode?: BuildName }
  | { readonly kind: 'web'; readonly isWhole?: boolean }
);

/** Tests that mocha runs in processes of their own. */
interface MochaSuite {
  readonly kind: 'mocha';
  /** Where its test files are; `test/NAME` where it is missing. */
  readonly folder?: string;
  readonly timeoutMs?: number;
  /** The number of processes that share the files; 1 where it is missing. */
  readonly workers?: number;
  /** Which part of the files this process runs, from 0; set by `splitSuites`. */
  readonly worker?: number;
  /** `full` runs only the files that have sizes, at full size (test/support/size.ts). */
  readonly size?: 'full';
}

const MINUTE = 60_000;

/** The suites of `npm test`, in the order in which they are printed: quick ones, and those that explain others' failures, first. */
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
    minutes: 3,
    needs: [],
    checks: [
      {
        title: 'eslint',
        command: ['node_modules/eslint/bin/eslint.js', '--max-warnings', '0', '.'],
        cache: ['--cache', '--cache-strategy', 'content', '--cache-location', '.build/lint/eslint'],
      },
      {
        title: 'prettier',
        command: ['node_modules/prettier/bin/prettier.cjs', '--check', '.'],
        cache: ['--cache', '--cache-strategy', 'content', '--cache-location', '.build/lint/prettier'],
      },
    ],
  },
  { name: 'architecture', kind: 'mocha', minutes: 1, needs: [] },
  { name: 'unit', kind: 'mocha', minutes: 2, needs: [], workers: 2 },
  { name: 'rules', kind: 'mocha', needs: [] },
  { name: 'corpus', kind: 'mocha', needs: [] },
  { name: 'fuzz', kind: 'mocha', needs: [] },
  { name: 'grammar', kind: 'mocha', needs: [] },
  { name: 'lsp', kind: 'mocha', needs: [] },
  { name: 'agents', kind: 'mocha', minutes: 4, needs: [], workers: 4 },
  { name: 'cli', kind: 'mocha', minutes: 2, needs: [], workers: 2 },
  { name: 'smoke', kind: 'mocha', needs: ['build'] },
  { name: 'attack', kind: 'mocha', minutes: 1, needs: ['build'] },
  { name: 'package', kind: 'mocha', needs: ['package'] },
  { name: 'host', kind: 'host', minutes: 4, needs: ['package', 'vscode'] },
  { name: 'web', kind: 'web', minutes: 2, needs: ['build', 'vscode'] },
  { name: 'ui', kind: 'mocha', minutes: 6, workers: 2, needs: ['build', 'vscode'], timeoutMs: 5 * MINUTE },
];

/** The suites of `npm run test:stress`: what costs more than a tenth of a second or a megabyte of input, at full size. */
export const STRESS: readonly Suite[] = [
  fullSize('unit', { minutes: 3, workers: 2 }),
  fullSize('corpus', { minutes: 2 }),
  fullSize('fuzz', { minutes: 2 }),
  fullSize('lsp', {}),
  fullSize('agents', { minutes: 3, workers: 2 }),
  fullSize('cli', { minutes: 1 }),
  { name: 'stress/agents', kind: 'mocha', minutes: 2, needs: [], timeoutMs: 5 * MINUTE },
  { name: 'stress/cli', kind: 'mocha', minutes: 2, needs: [], timeoutMs: 5 * MINUTE },
  { name: 'stress/smoke', kind: 'mocha', minutes: 2, needs: ['build'], timeoutMs: 5 * MINUTE },
  { name: 'stress/ui', kind: 'mocha', minutes: 5, needs: ['build', 'vscode'], timeoutMs: 5 * MINUTE },
  { name: 'web', kind: 'web', minutes: 2, needs: ['build', 'vscode'], isWhole: true },
  { name: 'oldest', kind: 'host', minutes: 4, needs: ['package', 'oldest-vscode'], vscode: 'oldest' },
];

function fullSize(
  folder: string,
  { minutes, workers }: { readonly minutes?: number; readonly workers?: number },
): Suite {
  return {
    name: `${folder} (full)`,
    kind: 'mocha',
    folder: `test/${folder}`,
    size: 'full',
    needs: [],
    timeoutMs: 5 * MINUTE,
    ...(minutes === undefined ? {} : { minutes }),
    ...(workers === undefined ? {} : { workers }),
  };
}

/** The suites that need no window: those of `npm run test:quick`, which use what earlier runs found. */
export function quickSuites(): readonly Suite[] {
  return GATE.filter(suite => !suite.needs.includes('vscode') && !suite.needs.includes('package')).map(
    suite =>
      suite.kind === 'checks'
        ? {
            ...suite,
            checks: suite.checks.map(check => ({
              ...check,
              command: [...check.command, ...(check.cache ?? [])],
            })),
          }
        : suite,
  );
}

/** A suite for each of a suite's workers. */
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

/** Where the test files of a mocha suite are. */
export function folderOf(suite: { readonly name: string; readonly folder?: string }): string {
  return suite.folder ?? `test/${suite.name}`;
}

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
  const folders = suites.filter(suite => suite.kind !== 'checks').map(suite => `${folderOf(suite)}/`);
  return files.filter(file => !folders.some(folder => file.replaceAll('\\', '/').startsWith(folder)));
}
