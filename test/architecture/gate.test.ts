import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { ROOT } from '../../scripts/root.ts';
import { addToSum, COUNTS_VARIABLE } from '../../scripts/test/counts-file.ts';
import { seedOf } from '../../scripts/test/seed.ts';
import { addCounts, formatSlowest, pickSlowest, type Counts } from '../../scripts/test/counts.ts';
import { findStrays, GATE, listByLength, QUICK, type Suite } from '../../scripts/test/suites.ts';

const HEADER = `import assert from 'node:assert/strict';\nimport { before, describe, it } from 'mocha';\n`;

/** Every project uses it: otherwise each process would compile mocha and the runner anew. */
const COMPILED = mkdtempSync(join(tmpdir(), 'parley-gate-compiled-'));

/** The folder of a new project without tests. */
function makeProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-gate-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, '.build'));
  symlinkSync(COMPILED, join(folder, '.build/compile-cache'));
  writeTo(folder, 'package.json', '{ "type": "module" }');
  return folder;
}

function writeTo(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** Runs suites in a project; its output without times. */
function run(folder: string, suites: readonly Suite[]): readonly string[] {
  const script = [
    `import { runSuites } from ${JSON.stringify(join(ROOT, 'scripts/test/gate.ts'))};`,
    `const { passed, failed } = await runSuites(process.cwd(), ${JSON.stringify(suites)}, {});`,
    `console.log(JSON.stringify({ passed, failed }));`,
  ];
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script.join('\n')], {
    cwd: folder,
    encoding: 'utf8',
  });
  return stdout
    .trimEnd()
    .split('\n')
    .map(line => line.replace(/ \([\d.]+ s\)$/, '').trimEnd())
    .filter(line => !/^\s+(at|in) /.test(line));
}

/** The files of some suites, and what the gate prints of these. */
interface Case {
  readonly title: string;
  readonly files: Readonly<Record<string, string>>;
  readonly suites: readonly Suite[];
  readonly printed: readonly string[];
  /** Only the last line of each suite counts: mocha and Node write the lines before it. */
  readonly isRest?: true;
}

const SIZE = JSON.stringify(join(ROOT, 'test/support/size.ts'));

/** One run of the gate tries all of them: a process for each suite is enough. */
const CASES: readonly Case[] = [
  {
    title: 'counts what passes and says nothing of it',
    files: {
      'test/good/deep/a.test.ts': `${HEADER}describe('a', () => { it('b', () => {}); it('c', () => {}); });`,
    },
    suites: [{ name: 'good', kind: 'mocha', needs: [] }],
    printed: ['good         2 passed, 0 failed'],
  },
  {
    title: 'shows what fails',
    files: {
      'test/bad/a.test.ts': `${HEADER}describe('a', () => { it('b', () => { throw new Error('no'); }); });`,
    },
    suites: [{ name: 'bad', kind: 'mocha', needs: [] }],
    printed: ['✗ a › b', '    Error: no', '', 'bad          0 passed, 1 failed'],
  },
  {
    title: 'counts a hook that fails',
    files: {
      'test/hook/a.test.ts': `${HEADER}describe('a', () => { before(() => { throw new Error('no'); }); it('b', () => {}); });`,
    },
    suites: [{ name: 'hook', kind: 'mocha', needs: [] }],
    printed: ['hook         0 passed, 1 failed'],
    isRest: true,
  },
  {
    title: 'fails a test that is skipped and one that is alone',
    files: {
      'test/skipped/a.test.ts': `${HEADER}describe('a', () => { it.skip('b', () => {}); });`,
      'test/alone/a.test.ts': `${HEADER}describe('a', () => { it.only('b', () => {}); it('c', () => {}); });`,
    },
    suites: [
      { name: 'skipped', kind: 'mocha', needs: [] },
      { name: 'alone', kind: 'mocha', needs: [] },
    ],
    printed: ['skipped      0 passed, 1 failed', 'alone        0 passed, 1 failed'],
    isRest: true,
  },
  {
    title: 'fails a suite that ran no test',
    files: {},
    suites: [{ name: 'empty', kind: 'mocha', needs: [] }],
    printed: ['✗ empty ran no test', 'empty        0 passed, 1 failed'],
  },
  {
    title: 'fails a suite whose process ends before it has counted',
    files: { 'test/ended/a.test.ts': `process.exit(0);` },
    suites: [{ name: 'ended', kind: 'mocha', needs: [] }],
    printed: ['ended        0 passed, 1 failed'],
    isRest: true,
  },
  {
    title: 'counts a check by its exit code',
    files: { 'good.ts': '', 'bad.ts': 'process.exitCode = 1;' },
    suites: [
      {
        name: 'checks',
        kind: 'checks',
        needs: [],
        checks: [
          { title: 'one', command: ['good.ts'] },
          { title: 'other', command: ['bad.ts'] },
        ],
      },
    ],
    printed: ['✗ other', 'checks       1 passed, 1 failed'],
  },
  {
    title: 'fails a suite whose requirement cannot be made',
    files: { 'scripts/build.ts': 'process.exitCode = 1;' },
    suites: [{ name: 'smoke', kind: 'mocha', needs: ['build'] }],
    printed: ['✗ smoke did not run: it needs build', 'smoke        0 passed, 1 failed'],
  },
  {
    title: 'shares the files of a suite among its workers, each test once',
    files: Object.fromEntries(
      ['a', 'b', 'c'].map(name => [
        `test/shared/${name}.test.ts`,
        `${HEADER}it('${name}', () => { console.log('${name}'); });`,
      ]),
    ),
    suites: [{ name: 'shared', kind: 'mocha', needs: [], workers: 2 }],
    printed: ['a', 'c', 'shared 1/2   2 passed, 0 failed', 'b', 'shared 2/2   1 passed, 0 failed'],
  },
  {
    title: 'runs at full size only the files that have sizes',
    files: {
      'test/sized/a.test.ts': `${HEADER}import { sized } from ${SIZE}; it('a', () => { console.log(sized(300), sized(300, 7)); });`,
      'test/sized/b.test.ts': `${HEADER}it('b', () => {});`,
    },
    suites: [
      { name: 'sized', kind: 'mocha', needs: [] },
      { name: 'sized (full)', kind: 'mocha', needs: [], folder: 'test/sized', size: 'full' },
    ],
    printed: ['3 7', 'sized        2 passed, 0 failed', '300 300', 'sized (full) 1 passed, 0 failed'],
  },
];

/** The summary of a suite, by which its output ends. */
const SUMMARY = /^.+ (\d+) passed, (\d+) failed$/;

describe('the gate, of a project with suites of every kind', () => {
  let lines: readonly string[] = [];
  before(() => {
    const folder = makeProject();
    for (const { files } of CASES)
      for (const [path, text] of Object.entries(files)) writeTo(folder, path, text);
    lines = run(
      folder,
      CASES.flatMap(({ suites }) => suites),
    );
    rmSync(folder, { recursive: true, force: true });
  });

  /** What is printed of one suite after the other. */
  function listSections(): readonly (readonly string[])[] {
    const sections: string[][] = [[]];
    for (const line of lines.slice(0, -1)) {
      sections.at(-1)?.push(line);
      if (SUMMARY.test(line)) sections.push([]);
    }
    return sections.slice(0, -1);
  }

  let first = 0;
  for (const { title, printed, isRest = false } of CASES) {
    const count = printed.filter(line => SUMMARY.test(line)).length;
    const [from, to] = [first, (first += count)];
    it(title, () => {
      const sections = listSections().slice(from, to);
      assert.deepEqual(isRest ? sections.map(section => section.at(-1)) : sections.flat(), printed);
    });
  }

  it('sums up what all suites counted', () => {
    const sum = (group: number): number =>
      CASES.flatMap(({ printed }) => printed).reduce(
        (total, line) => total + Number(SUMMARY.exec(line)?.[group] ?? 0),
        0,
      );
    assert.equal(lines.at(-1), JSON.stringify({ passed: sum(1), failed: sum(2) }));
  });
});

describe('the gate', () => {
  let folder = '';
  beforeEach(() => {
    folder = makeProject();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  after(() => rmSync(COMPILED, { recursive: true, force: true }));

  const write = (path: string, text: string): void => writeTo(folder, path, text);

  it('starts random tests at the content that is committed', () => {
    const git = (...command: readonly string[]): void => {
      const who = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'init.defaultBranch=main'];
      assert.equal(spawnSync('git', [...who, ...command], { cwd: folder }).status, 0);
    };
    const commit = (text: string): number => {
      write('a.txt', text);
      git('add', '.');
      git('commit', '--allow-empty', '--message', 'a');
      return seedOf(folder);
    };
    git('init');
    const [first, second, again] = [commit('1'), commit('2'), commit('1')];
    assert.notEqual(first, second);
    assert.equal(first, again);
  });

  it('gives random tests the given seed', () => {
    write(
      'test/unit/a.test.ts',
      `${HEADER}import fc from 'fast-check';
      it('b', () => assert.equal(fc.readConfigureGlobal().seed, 12));`,
    );
    const { stdout } = spawnSync(process.execPath, [join(ROOT, 'scripts/test/run-mocha.ts'), 'test/unit'], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, FUZZ_SEED: '12', [COUNTS_VARIABLE]: undefined },
    });
    assert.equal(stdout, '1 passed, 0 failed\n');
  });

  it('begins with the first suite and then with the longest', () => {
    const lengths = [0, 1, undefined, 7, 1];
    const suites = lengths.map((minutes): Suite => ({
      name: 'any',
      kind: 'mocha',
      needs: [],
      ...(minutes === undefined ? {} : { minutes }),
    }));
    assert.deepEqual([listByLength(suites), listByLength([])], [[0, 3, 1, 4, 2], []]);
  });

  it('runs suites side by side and prints them in one order', () => {
    const meet = (own: string, other: string): string =>
      `import { existsSync, writeFileSync } from 'node:fs';
       writeFileSync(${JSON.stringify(join(folder, own))}, '');
       for (let waited = 0; waited < 1000 && !existsSync(${JSON.stringify(join(folder, other))}); waited++)
         await new Promise(resolve => setTimeout(resolve, 20));
       console.log(existsSync(${JSON.stringify(join(folder, other))}) ? 'met' : 'alone');`;
    // The last one ends first, and what it prints waits.
    write(
      'test/one/a.test.ts',
      `${meet('one', 'three')}\n${HEADER}describe('a', () => { it('b', () => {}); });`,
    );
    write('test/two/a.test.ts', `${HEADER}describe('a', () => { it('b', () => {}); it('c', () => {}); });`);
    write(
      'test/three/a.test.ts',
      `${meet('three', 'one')}\n${HEADER}describe('a', () => { it('b', () => {}); });`,
    );
    assert.deepEqual(
      run(folder, [
        { name: 'one', kind: 'mocha', needs: [] },
        { name: 'two', kind: 'mocha', needs: [] },
        { name: 'three', kind: 'mocha', needs: [], minutes: 1 },
      ]),
      [
        'met',
        'one          1 passed, 0 failed',
        'two          2 passed, 0 failed',
        'met',
        'three        1 passed, 0 failed',
        '{"passed":4,"failed":0}',
      ],
    );
  });

  it('names the ten slowest tests, hooks and checks of all suites, slowest first', () => {
    const suite = (...milliseconds: readonly number[]): Counts => ({
      passed: milliseconds.length,
      failed: 0,
      slowest: pickSlowest(milliseconds.map(time => ({ title: `${time}`, milliseconds: time }))),
    });
    const sum = addCounts(suite(1, 30_500, 2), suite(...Array.from({ length: 12 }, (_, at) => 100 * at)));
    const lines = formatSlowest(sum);
    assert.deepEqual(
      [sum.passed, lines.length, ...lines.slice(0, 3)],
      [15, 11, 'Slowest:', '  30.5 s  30500', '   1.1 s  1100'],
    );
  });

  it('sums the runs of CI in a file', () => {
    const path = join(folder, 'sum.json');
    addToSum(path, { passed: 2, failed: 0, slowest: [] });
    assert.deepEqual(addToSum(path, { passed: 3, failed: 1, slowest: [] }), {
      passed: 5,
      failed: 1,
      slowest: [],
    });
  });

  it('leaves out of the quick run what needs a window or a build, and nothing else', () => {
    const quick = new Set(QUICK.map(({ name }) => name));
    assert.deepEqual(
      GATE.filter(({ name }) => !quick.has(name)).map(({ name }) => name),
      ['slow', 'smoke', 'attack', 'package', 'host', 'web', 'ui'],
    );
  });

  it('finds test files that no suite would run', () => {
    const files = ['test/unit/a.test.ts', 'test/unite/b.test.ts', 'core/c.test.ts', 'test/types/d.test.ts'];
    assert.deepEqual(findStrays(files, GATE), [
      'test/unite/b.test.ts',
      'core/c.test.ts',
      'test/types/d.test.ts',
    ]);
  });

  it('runs slow tests in a suite of their own', () => {
    const files = ['test/cli/a.slow.test.ts', 'test/cli/a.test.ts'];
    const runners = files.map(file =>
      GATE.filter(suite => findStrays([file], [suite]).length === 0).map(({ name }) => name),
    );
    assert.deepEqual(runners, [['slow'], ['cli']]);
  });

  it('ends with one line and fails where a suite is unknown', () => {
    const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/test/gate.ts'), 'unti'], {
      encoding: 'utf8',
    });
    const names = GATE.map(({ name }) => name).join(', ');
    assert.deepEqual(
      { status, stderr },
      { status: 2, stderr: `No suite is named unti; there are ${names}\n` },
    );
  });
});
