import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { ROOT } from '../../scripts/root.ts';
import { addToSum, COUNTS_VARIABLE } from '../../scripts/test/counts-file.ts';
import { seedOf } from '../../scripts/test/seed.ts';
import { addCounts, formatSlowest, pickSlowest, type Counts } from '../../scripts/test/counts.ts';
import { findStrays, GATE, listByLength, quickSuites, type Suite } from '../../scripts/test/suites.ts';

const HEADER = `import assert from 'node:assert/strict';\nimport { before, describe, it } from 'mocha';\n`;

describe('the gate', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-gate-'));
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    write('package.json', '{ "type": "module" }');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }

  /** Runs suites in the temporary project; its output without times. */
  function run(...suites: readonly Suite[]): readonly string[] {
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

  it('counts what passes and says nothing of it', () => {
    write(
      'test/unit/deep/a.test.ts',
      `${HEADER}describe('a', () => { it('b', () => {}); it('c', () => {}); });`,
    );
    assert.deepEqual(run({ name: 'unit', kind: 'mocha', needs: [] }), [
      'unit         2 passed, 0 failed',
      '{"passed":2,"failed":0}',
    ]);
  });

  it('shows what fails', () => {
    write(
      'test/unit/a.test.ts',
      `${HEADER}describe('a', () => { it('b', () => { throw new Error('no'); }); });`,
    );
    assert.deepEqual(run({ name: 'unit', kind: 'mocha', needs: [] }), [
      '✗ a › b',
      '    Error: no',
      '',
      'unit         0 passed, 1 failed',
      '{"passed":0,"failed":1}',
    ]);
  });

  it('counts a hook that fails', () => {
    write(
      'test/unit/a.test.ts',
      `${HEADER}describe('a', () => { before(() => { throw new Error('no'); }); it('b', () => {}); });`,
    );
    assert.deepEqual(run({ name: 'unit', kind: 'mocha', needs: [] }).at(-1), '{"passed":0,"failed":1}');
  });

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

  it('gives random tests the seed that it was told', () => {
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

  it('fails a test that is skipped and one that is alone', () => {
    write('test/one/a.test.ts', `${HEADER}describe('a', () => { it.skip('b', () => {}); });`);
    write(
      'test/two/a.test.ts',
      `${HEADER}describe('a', () => { it.only('b', () => {}); it('c', () => {}); });`,
    );
    const counts = run(
      { name: 'one', kind: 'mocha', needs: [] },
      { name: 'two', kind: 'mocha', needs: [] },
    ).at(-1);
    assert.deepEqual(counts, '{"passed":0,"failed":2}');
  });

  it('fails a suite that ran no test', () => {
    assert.deepEqual(run({ name: 'unit', kind: 'mocha', needs: [] }), [
      '✗ unit ran no test',
      'unit         0 passed, 1 failed',
      '{"passed":0,"failed":1}',
    ]);
  });

  it('fails a suite whose process ends before it has counted', () => {
    write('test/unit/a.test.ts', `process.exit(0);`);
    assert.deepEqual(run({ name: 'unit', kind: 'mocha', needs: [] }).at(-1), '{"passed":0,"failed":1}');
  });

  it('counts a check by its exit code', () => {
    write('good.ts', '');
    write('bad.ts', 'process.exitCode = 1;');
    const checks: Suite = {
      name: 'checks',
      kind: 'checks',
      needs: [],
      checks: [
        { title: 'one', command: ['good.ts'] },
        { title: 'other', command: ['bad.ts'] },
      ],
    };
    assert.deepEqual(run(checks), ['✗ other', 'checks       1 passed, 1 failed', '{"passed":1,"failed":1}']);
  });

  it('fails a suite whose requirement cannot be made', () => {
    write('scripts/build.ts', 'process.exitCode = 1;');
    assert.deepEqual(run({ name: 'smoke', kind: 'mocha', needs: ['build'] }), [
      '✗ smoke did not run: it needs build',
      'smoke        0 passed, 1 failed',
      '{"passed":0,"failed":1}',
    ]);
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
      run(
        { name: 'one', kind: 'mocha', needs: [] },
        { name: 'two', kind: 'mocha', needs: [] },
        { name: 'three', kind: 'mocha', needs: [], minutes: 1 },
      ),
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

  it('shares the files of a suite among its workers, each test once', () => {
    for (const name of ['a', 'b', 'c'])
      write(`test/unit/${name}.test.ts`, `${HEADER}it('${name}', () => { console.log('${name}'); });`);
    assert.deepEqual(run({ name: 'unit', kind: 'mocha', needs: [], workers: 2 }), [
      'a',
      'c',
      'unit 1/2     2 passed, 0 failed',
      'b',
      'unit 2/2     1 passed, 0 failed',
      '{"passed":3,"failed":0}',
    ]);
  });

  it('runs at full size only the files that have sizes', () => {
    const size = JSON.stringify(join(ROOT, 'test/support/size.ts'));
    write(
      'test/unit/a.test.ts',
      `${HEADER}import { sized } from ${size}; it('a', () => { console.log(sized(300), sized(300, 7)); });`,
    );
    write('test/unit/b.test.ts', `${HEADER}it('b', () => {});`);
    const suite: Suite = { name: 'unit', kind: 'mocha', needs: [] };
    assert.deepEqual(
      [run(suite), run({ ...suite, size: 'full' })],
      [
        ['3 7', 'unit         2 passed, 0 failed', '{"passed":2,"failed":0}'],
        ['300 300', 'unit         1 passed, 0 failed', '{"passed":1,"failed":0}'],
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

  it('leaves out of the quick run what needs a window, and nothing else', () => {
    const quick = new Set(quickSuites().map(({ name }) => name));
    assert.deepEqual(
      GATE.filter(({ name }) => !quick.has(name)).map(({ name }) => name),
      ['package', 'host', 'web', 'ui'],
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
