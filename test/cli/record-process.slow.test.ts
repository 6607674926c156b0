import assert from 'node:assert/strict';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { onSilence } from '../agents/proxy/support.ts';
import { CliFolder } from './support/run-cli.ts';
import { parseTraceFile } from '../support/at-once.ts';
import { CLI } from '../support/built-cli.ts';

/** What a caller of a process sees of it. */
interface Seen {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
  /** What it learned in between, in order. */
  readonly observed: readonly string[];
}

/** What a caller does, once the process has written to its error output that it is up. */
type Caller = (child: ChildProcessWithoutNullStreams, observe: (what: string) => void) => unknown;

/** A process, what its caller does, and what both of them see. */
interface Case {
  readonly name: string;
  readonly script: string;
  readonly caller: Caller;
  readonly seen: Partial<Seen>;
}

const UP = `process.stderr.write('up');`;

/** A function of what a process does when its caller says so, and not before. */
const TOLD = `(act => process.stdin.once('data', act))`;

/** Longer than any test: one that fails leaves no process behind for good. */
const STAYS = 'setTimeout(() => process.exit(99), 120_000);';

async function see(words: readonly string[], cwd: string, caller: Caller): Promise<Seen> {
  const [command = '', ...rest] = words;
  const child = spawn(command, rest, { cwd, stdio: 'pipe' });
  const observed: string[] = [];
  let [out, err] = ['', ''];
  child.stdin.on('error', (error: NodeJS.ErrnoException) => observed.push(`input ${error.code ?? ''}`));
  child.stdout.on('data', (bytes: Buffer) => (out += bytes.toString('latin1')));
  const isUp = new Promise<void>(resolve => {
    child.stderr.on('data', (bytes: Buffer) => {
      err += bytes.toString();
      if (err.includes('up')) resolve();
    });
  });
  const ended = once(child, 'close');
  await isUp;
  await caller(child, what => observed.push(what));
  const [exitCode, signal] = (await ended) as [number | null, NodeJS.Signals | null];
  return { exitCode, signal, out, err, observed };
}

const kill =
  (signal: NodeJS.Signals): Caller =>
  child =>
    child.kill(signal);

const FLOOD = 3_000_000;

/** More than a pipe holds, and not much more. */
const MUCH = 400_000;

const CASES: readonly Case[] = [
  {
    name: 'ends without a line end, and with half of a message, when the input ends',
    script: `${UP} process.stdin.resume().on('end', () => process.stdout.write('\\xff{"jsonrpc":"2.0","id":1,"res', 'latin1'));`,
    caller: child => child.stdin.end(),
    seen: { exitCode: 0, out: '\xff{"jsonrpc":"2.0","id":1,"res' },
  },
  {
    name: 'answers with line ends of two characters',
    script: `${UP} process.stdin.on('data', bytes => process.stdout.write(String(bytes) + '\\r\\n'));`,
    caller: child => child.stdin.end('{"id":1}\r\n'),
    seen: { exitCode: 0, out: '{"id":1}\r\n\r\n' },
  },
  {
    name: 'writes at length to both outputs at once, before it is asked',
    script: `${UP} process.stdout.write('o'.repeat(${FLOOD})); process.stderr.write('e'.repeat(${FLOOD}));`,
    caller: () => undefined,
    seen: { exitCode: 0, out: 'o'.repeat(FLOOD), err: `up${'e'.repeat(FLOOD)}` },
  },
  {
    name: 'reads input while its output is not read, and receives a signal then',
    script: `let n = 0; process.stdin.on('data', bytes => (n += bytes.length)).on('end', () => process.stderr.write('got ' + n));
      process.on('SIGINT', () => process.stderr.write('heard')); ${UP} process.stdout.write('o'.repeat(${FLOOD}));`,
    async caller(child, observe) {
      child.stdout.pause();
      await new Promise(resolve => child.stdin.write('i'.repeat(FLOOD), resolve));
      observe('all is in');
      const before = once(child.stderr, 'data');
      child.kill('SIGINT');
      await before;
      child.stdout.resume();
      child.stdin.end();
    },
    seen: { exitCode: 0, out: 'o'.repeat(FLOOD), err: `upheardgot ${FLOOD}`, observed: ['all is in'] },
  },
  {
    name: 'closes its output and runs on',
    script: `${UP} ${TOLD}(() => { process.stdin.on('end', () => process.exit(3)); require('fs').closeSync(1); });`,
    async caller(child, observe) {
      const over = once(child.stdout, 'end');
      child.stdin.write('go');
      await over;
      observe('output over');
      child.stdin.end();
    },
    seen: { exitCode: 3, observed: ['output over'] },
  },
  {
    name: 'closes its input and runs on',
    script: `require('fs').closeSync(0); process.on('SIGTERM', () => process.exit(3)); ${UP} ${STAYS}`,
    async caller(child, observe) {
      const closed = once(child.stdin, 'error').catch(() => undefined);
      const more = setInterval(() => child.stdin.write('x'), 10);
      await closed;
      clearInterval(more);
      observe('goes on');
      child.kill('SIGTERM');
    },
    seen: { exitCode: 3, observed: ['input EPIPE', 'goes on'] },
  },
  {
    name: 'learns that its output is no longer read',
    script: `process.stdout.on('error', error => process.exit(error.code === 'EPIPE' ? 5 : 6)); ${UP} ${TOLD}(() => setInterval(() => process.stdout.write('x'), 10));`,
    caller(child) {
      child.stdout.destroy();
      child.stdin.write('go');
    },
    seen: { exitCode: 5 },
  },
  {
    name: 'learns that its error output is no longer read',
    script: `process.stderr.on('error', error => process.exit(error.code === 'EPIPE' ? 5 : 6)); ${UP} ${TOLD}(() => setInterval(() => process.stderr.write('x'), 10));`,
    caller(child) {
      child.stderr.destroy();
      child.stdin.write('go');
    },
    seen: { exitCode: 5 },
  },
  {
    name: 'does not end on request',
    script: `process.on('SIGTERM', () => process.stdout.write('no', () => process.stdin.resume().on('end', () => process.exit(4)))); ${UP} ${STAYS}`,
    async caller(child) {
      child.kill('SIGTERM');
      await once(child.stdout, 'data');
      child.stdin.end();
    },
    seen: { exitCode: 4, out: 'no' },
  },
  ...(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const).map(signal => ({
    name: `is ended by ${signal}`,
    script: `${UP} ${STAYS}`,
    caller: kill(signal),
    seen: { exitCode: null, signal },
  })),
  {
    name: 'is killed, with what it wrote before',
    script: `process.stdout.write('o'.repeat(${MUCH}), () => process.kill(process.pid, 'SIGKILL')); ${UP} ${STAYS}`,
    // Nobody reads it until it is on its way as far as it gets.
    async caller(child) {
      child.stdout.pause();
      await new Promise<void>(resolve => void onSilence(resolve));
      child.stdout.resume();
    },
    seen: { exitCode: null, signal: 'SIGKILL', out: 'o'.repeat(MUCH) },
  },
];

/** The error output without the warning of a process that still runs some time after a signal, as on a busy machine. */
function withoutWarning(text: string): string {
  return text.replace(/parley: Process \d+ keeps running in spite of the signal.*\n/, '');
}

describe('parley record in front of a process', function () {
  let folder: CliFolder;
  before(async () => (folder = await CliFolder.create({})));
  after(() => folder.remove());

  for (const [at, { name, script, caller, seen }] of CASES.entries())
    it(`is seen as the process itself, which ${name}`, async () => {
      const process_ = [process.execPath, '-e', script];
      const direct = await see(process_, folder.path, caller);
      const whole: Seen = { ...direct, ...seen };
      assert.ok(direct.out === whole.out && direct.err === whole.err, 'what the process itself writes');
      assert.deepEqual(
        [direct.exitCode, direct.signal, direct.observed],
        [whole.exitCode, whole.signal, whole.observed],
      );
      const out = join(folder.path, `${at}.agenttrace.jsonl`);
      const tapped = await see(
        [process.execPath, CLI, 'record', '--out', out, '--', ...process_],
        folder.path,
        caller,
      );
      assert.deepEqual(
        [
          tapped.exitCode,
          tapped.signal,
          tapped.observed,
          tapped.out.length,
          withoutWarning(tapped.err).replace(/e{9,}/, ''),
        ],
        [direct.exitCode, direct.signal, direct.observed, direct.out.length, direct.err.replace(/e{9,}/, '')],
      );
      assert.ok(tapped.out === direct.out && tapped.err === direct.err, 'its bytes');
      const { events, notes } = parseTraceFile(await readFile(out, 'utf8'));
      assert.deepEqual(notes, []);
      assert.equal(
        events.filter(({ type }) => type === 'call').length,
        events.filter(({ type }) => type === 'end').length,
      );
    });
});
