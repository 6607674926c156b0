import { rm } from 'node:fs/promises';
import { showCount } from '../../../core/text/count.ts';
import { CliFolder } from '../../cli/support/run-cli.ts';
import { MIB, runParley, type Form, type Run } from './measure.ts';

export type { Form } from './measure.ts';

/** What an attack is on. */
export type Group = 'http' | 'stdio' | 'secrets' | 'folders' | 'traces' | 'pages' | 'clients' | 'terminals';

/** One hostile behaviour, and what has to come of it. */
export interface Attack {
  readonly name: string;
  readonly group: Group;
  /** The protocol of the agent, or what else the attack comes through. */
  readonly protocol: string;
  /** What the attacker does, in one sentence. */
  readonly does: string;
  readonly expected: Expected;
  /** One of those that the gate runs. */
  readonly isShort?: boolean;
  /** The gate runs it as a process of its own, to measure its memory. */
  readonly isMeasured?: boolean;
  run(form: Form): Promise<Outcome>;
}

/** What has to come of an attack. Every row is held to the rules of `judge` besides. */
export interface Expected {
  /** The exit codes, or signals, that are right. */
  readonly end: readonly (number | NodeJS.Signals)[];
  /** What the error output says. */
  readonly err?: RegExp;
  readonly out?: RegExp;
  /** What neither output may hold. */
  readonly never?: RegExp;
  /** True where a process may be left that could not be ended, if the error output reports it. */
  readonly isLeftReported?: true;
}

/** What came of an attack. */
export interface Outcome {
  /** What the process did, in a few words. */
  readonly ended: string;
  /** The most memory that it had, in bytes. */
  readonly peak: number;
  /** The blocks of JavaScript that it ran in the short form; undefined where they were not counted. */
  readonly work: number | undefined;
  /** How much the attacker sent, in bytes. */
  readonly input: number;
  /** What is not as expected; empty where the attack failed. */
  readonly faults: readonly string[];
}

/** A secret that agents are sent and that must not be stored or printed anywhere. */
export const PLANTED = 'planted-7Qk2mZ0x9-secret';

/** The size of an input in a form. */
export function sizeIn(form: Form, bytes: number): number {
  return form === 'full' ? bytes : Math.ceil(bytes / 100);
}

const helps = new Map<Form, Promise<Run>>();

/** The run of `parley --help`, by which all others are judged: in the short form its work is counted, too. */
function helpRun(form: 'full' | 'short'): Promise<Run> {
  const help = helps.get(form) ?? runParley(['--help'], { cwd: process.cwd(), form });
  helps.set(form, help);
  return help;
}

/** The maximum number of blocks of JavaScript that a command may run beside those of `parley --help`, whatever its input. */
const MAX_WORK = 5_000_000;

/** The maximum number of blocks for each byte of the input: more than any linear work takes, and much less than quadratic work. */
const MAX_WORK_PER_BYTE = 1_000;

/** Text that only a fault of Parley's own, or of a library, leaves on the error output. */
const INTERNAL =
  /bug in Parley|SyntaxError|ZodError|TypeError|RangeError|"code": ?"(?:invalid_|unrecognized)|^\s+at .+:\d+:\d+\)?$|Unhandled|heap out of memory|\(node:\d+\)|Maximum call stack|Unexpected token|in JSON at position/m;

/** Characters that steer a terminal, or turn the direction of text. */
export const STEERING = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Compares what a process did with what was expected of it, and with what is expected of every row. */
export async function judge(
  run: Run,
  expected: Expected,
  more: { readonly input: number; readonly faults?: readonly string[] },
): Promise<Outcome> {
  const { end, out, err, left, peak, work } = run;
  const faults = [...(more.faults ?? [])];
  const help = peak === 0 ? undefined : await helpRun(work === undefined ? 'full' : 'short');
  const bound = (help?.peak ?? 0) + 64 * MIB + 40 * more.input;
  if (!expected.end.some(each => each === end))
    faults.push(`ended by ${end}, not ${expected.end.join(' or ')}`);
  if (help && peak > bound) faults.push(`peak of ${toMiB(peak)} MiB, more than ${toMiB(bound)}`);
  const mostWork = (help?.work ?? 0) + MAX_WORK + MAX_WORK_PER_BYTE * more.input;
  if (work !== undefined && work > mostWork)
    faults.push(`ran ${showCount(work)} blocks of code, more than ${showCount(mostWork)}`);
  if (expected.err && !expected.err.test(err)) faults.push(`stderr lacks ${expected.err}: ${brief(err)}`);
  if (expected.out && !expected.out.test(out)) faults.push(`stdout lacks ${expected.out}: ${brief(out)}`);
  for (const [name, text] of [
    ['stdout', out],
    ['stderr', err],
  ] as const) {
    const found = expected.never?.exec(text);
    if (found) faults.push(`${name} holds ${brief(found[0])}`);
    if (text.includes(PLANTED)) faults.push(`${name} holds the planted secret`);
  }
  const internal = INTERNAL.exec(err);
  if (internal) faults.push(`stderr holds '${brief(internal[0])}': ${brief(err)}`);
  if (/within 1 ms\b/.test(err)) faults.push(`stderr says 'within 1 ms'`);
  if (STEERING.test(err)) faults.push(`stderr holds control characters: ${brief(err)}`);
  if (end === 1 && err === '' && out === '') faults.push('failed without a word');
  if (
    left.length > 0 &&
    !(expected.isLeftReported && /could not be ended|still runs|cannot be ended/.test(err))
  )
    faults.push(`left behind: ${left.map(brief).join('; ')}`);
  return { ended: `${typeof end === 'number' ? `exit ${end}` : end}`, peak, work, input: more.input, faults };
}

/** Runs the command line once in a folder of its own, and looks for the planted secret in the files that it leaves. */
export async function inFolder<T>(
  files: Readonly<Record<string, string | Uint8Array>>,
  act: (folder: CliFolder) => Promise<T>,
): Promise<T> {
  const folder = await CliFolder.create(files);
  try {
    return await act(folder);
  } finally {
    await rm(folder.path, { recursive: true, force: true });
  }
}

/** The outcomes of several commands of one row, as one. */
export function joinOutcomes(outcomes: readonly Outcome[]): Outcome {
  return {
    ended: [...new Set(outcomes.map(each => each.ended))].join(', '),
    peak: Math.max(...outcomes.map(each => each.peak)),
    work: outcomes.reduce<number | undefined>(
      (most, { work }) => (work === undefined ? most : Math.max(work, most ?? 0)),
      undefined,
    ),
    input: Math.max(...outcomes.map(each => each.input)),
    faults: outcomes.flatMap(each => each.faults),
  };
}

/** A number of bytes in MiB, for people. */
export function toMiB(bytes: number): string {
  return (bytes / MIB).toFixed(1);
}

/** The beginning of a text, on one line. */
export function brief(text: string): string {
  const line = JSON.stringify(text).slice(1, -1);
  return line.length > 160 ? `${line.slice(0, 160)}… (${text.length} characters)` : line;
}
