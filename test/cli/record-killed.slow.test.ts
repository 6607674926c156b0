import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { isGroupRunning } from '../../agents/stdio/process-group.ts';
import { until } from '../agents/support/raw-agent.ts';
import { killRecording, killTap } from './support/kill-recording.ts';
import { CliFolder } from './support/run-cli.ts';
import { parseTraceFile } from '../support/at-once.ts';
import { CLI } from '../support/built-cli.ts';

/** Longer than any test: one that fails leaves no process behind for good. */
const STAYS = 'setTimeout(() => process.exit(99), 120_000);';
const DEAF = `for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(signal, () => undefined);`;

/** A process that says its id once a child of it is up, which hears no signal. */
const parent = (own: string): string => `${own}
  const child = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(`${DEAF} console.log('up'); ${STAYS}`)}], { stdio: ['ignore', 'pipe', 'ignore'] });
  child.stdout.once('data', () => console.log(process.pid)); ${STAYS}`;

describe('parley record that is killed', function () {
  let folder: CliFolder;
  before(async function () {
    if (process.platform === 'win32') this.skip();
    folder = await CliFolder.create({});
  });
  after(() => folder?.remove());

  /** Starts the recording of a process; answers it with the group of the process once that said its id. */
  async function start(script: string, name: string): Promise<readonly [tap: ChildProcess, group: number]> {
    const out = join(folder.path, name);
    const words = [CLI, 'record', '--out', out, '--', process.execPath, '-e', script];
    const tap = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] });
    const [said] = (await once(tap.stdout, 'data')) as [Buffer];
    return [tap, Number(said)];
  }

  for (const [signal, own] of [
    ['SIGKILL', DEAF],
    ['SIGTERM', ''],
    ['SIGHUP', ''],
    ['SIGINT', ''],
  ] as const)
    it(`by ${signal} leaves neither its process nor what that started`, async () => {
      const [tap, group] = await start(parent(own), `${signal}.agenttrace.jsonl`);
      const ended = once(tap, 'exit');
      assert.equal(isGroupRunning(group), true);
      tap.kill(signal);
      assert.deepEqual(await ended, [null, signal]);
      await until('no process of the group runs', () => !isGroupRunning(group));
      const { notes } = parseTraceFile(
        await readFile(join(folder.path, `${signal}.agenttrace.jsonl`), 'utf8'),
      );
      assert.deepEqual(notes, []);
    });

  it('leaves no process of a terminal that is closed', async function () {
    if (spawnSync('script', ['--version']).error) this.skip();
    const out = join(folder.path, 'terminal.agenttrace.jsonl');
    const file = join(folder.path, 'agent.js');
    await folder.write('agent.js', parent(''));
    const command = [process.execPath, CLI, 'record', '--out', out, '--', process.execPath, file];
    const quoted = command.map(word => `'${word}'`).join(' ');
    const terminal = spawn('script', ['-qfec', quoted, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'] });
    const [said] = (await once(terminal.stdout, 'data')) as [Buffer];
    const group = Number(/\d+/.exec(String(said))?.[0]);
    assert.equal(isGroupRunning(group), true);
    terminal.kill('SIGKILL');
    await until('no process of the group runs', () => !isGroupRunning(group));
  });

  it('says which process it could not end', async function () {
    // A program that becomes another user cannot be ended by the one who started it. Only root can make one.
    const found = spawnSync('sh', ['-c', 'command -v setpriv'], { encoding: 'utf8' }).stdout.trim();
    if (process.getuid?.() !== 0 || found === '') this.skip();
    const program = join(folder.path, 'setpriv');
    await copyFile(found, program);
    await chmod(program, 0o4755);
    await chmod(folder.path, 0o777);
    const script = `'${program}' --reuid=0 --clear-groups sleep 30 & echo $$; sleep 30`;
    const words = [
      CLI,
      'record',
      '--out',
      join(folder.path, 'left.agenttrace.jsonl'),
      '--',
      'sh',
      '-c',
      script,
    ];
    const tap = spawn(process.execPath, words, { stdio: 'pipe', uid: 65_534, gid: 65_534 });
    let err = '';
    tap.stderr.on('data', piece => (err += String(piece)));
    const [said] = (await once(tap.stdout, 'data')) as [Buffer];
    const group = Number(said);
    tap.kill('SIGKILL');
    await once(tap, 'close');
    const isLeft = isGroupRunning(group);
    process.kill(-group, 'SIGKILL');
    assert.deepEqual(
      [isLeft, err],
      [true, `parley: process ${group} could not be ended; end it yourself: kill -9 -- -${group}\n`],
    );
  });
});

describe('the file of a recording that is killed', () => {
  it('has each call that ended more than a second before', async function () {
    if (process.platform === 'win32') this.skip();
    await killRecording({ size: 20, callers: 1, workers: 0, turns: 20, least: 0 });
  });

  it('has each call of a process that ended more than a second before', async function () {
    if (process.platform === 'win32') this.skip();
    await killTap({ size: 20, callers: 1, workers: 0, turns: 20, least: 0 });
  });
});
