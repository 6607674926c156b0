import { parseArgs, type ParseArgsConfig } from 'node:util';
import { LANGUAGES } from '../../../core/catalog/languages.ts';
import { readSettings, type Settings } from '../../../core/catalog/settings.ts';
import { UsageError } from '../exit.ts';
import type { Terminal } from '../terminal.ts';

/** An option of a command, as shown in its help. */
export interface OptionRow {
  readonly name: string;
  /** The placeholder of the value in the help, such as `FILE`; undefined for a switch. */
  readonly value?: string;
  /** The allowed values; undefined if any value is allowed. */
  readonly values?: readonly string[];
  /** True if the option may be given several times. */
  readonly isRepeatable?: true;
  readonly summary: string;
}

/** The parsed words after a command's name. */
export interface CommandLine {
  /** The command's name. `words` are the words after it, as typed. */
  readonly command: string;
  readonly words: readonly string[];
  readonly paths: readonly string[];
  option(name: string): string | undefined;
  /** All values of an option that may be given several times. */
  options(name: string): readonly string[];
  has(name: string): boolean;
}

/** A command: the word after `parley`, or two words for a command of a group. */
export interface Command {
  readonly name: string;
  /** The arguments that the help shows after the name. */
  readonly usage: string;
  readonly summary: string;
  readonly options: readonly OptionRow[];
  /** Runs the command and returns the exit code: one of `EXIT`, or that of the process that was run. */
  run(terminal: Terminal, line: CommandLine): Promise<number>;
}

/** A group of commands: the word after the group's name selects one. */
export interface CommandGroup {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  /** The commands of the group. Their names begin with the group's name. */
  readonly commands: readonly Command[];
}

/** The `--format` option of commands that print results. */
export const FORMAT_OPTION: OptionRow = {
  name: 'format',
  value: 'text|json',
  values: ['text', 'json'],
  summary: 'How results are printed; json is one JSON document.',
};

/** The `--agents` option of commands for one agent, or for the list. */
export const AGENTS_OPTION: OptionRow = {
  name: 'agents',
  value: 'FILE',
  summary: 'The agents file, instead of .vscode/agents.json here or above.',
};

/** The `--agents` option of commands that send messages of files; it is the consent for all agents of that file. */
export const ALLOWED_AGENTS_OPTION: OptionRow = {
  name: 'agents',
  value: 'FILE',
  summary: 'Allows all agents of a file, instead of .vscode/agents.json here or above, or beside the file.',
};

/** The `--language` option of commands that read files. */
export const LANGUAGE_OPTION: OptionRow = {
  name: 'language',
  value: LANGUAGES.map(({ id }) => id).join('|'),
  values: LANGUAGES.map(({ id }) => id),
  summary: 'The language of the files; by their extension if left out.',
};

/** The `--profile` option of commands that check AICL messages. */
export const PROFILE_OPTION: OptionRow = {
  name: 'profile',
  value: 'strict|chat',
  values: ['strict', 'chat'],
  summary: 'The required header of AICL messages: strict requires all of it.',
};

/** Default settings, with the profile of `--profile` if it is given. */
export function readProfile(line: CommandLine): Settings {
  return readSettings(key => (key === 'aicl.profile' ? line.option('profile') : undefined));
}

const HELP_OPTION: OptionRow = { name: 'help', summary: 'Shows this text.' };

/** The name that a command takes. Throws a UsageError for none, and for several. */
export function onlyName({ command, paths }: CommandLine): string {
  const [name, another] = paths;
  if (name === undefined || another !== undefined)
    throw new UsageError(`'parley ${command}' takes the name of one agent; it got ${paths.length}`);
  return name;
}

/** Throws a UsageError for words of a command that takes options only. */
export function expectNoNames({ command, paths: [unwanted] }: CommandLine): void {
  if (unwanted !== undefined)
    throw new UsageError(`'parley ${command}' does not take '${unwanted}'; see 'parley ${command} --help'`);
}

/** All options of a command, including `--help`, which every command has. */
export function optionsOf(command: Command): readonly OptionRow[] {
  return [...command.options, HELP_OPTION];
}

/** Reads the words after a command's name. Throws a UsageError that names what is wrong. */
export function readCommandLine(command: Command, words: readonly string[]): CommandLine {
  const rows = optionsOf(command);
  const { values, positionals } = parseWords(command, rows, words.map(hidePath));
  const read = new Map(
    Object.entries(values).map(([name, value = []]) => [name, [value].flat().map(showValue)] as const),
  );
  for (const row of rows) for (const value of read.get(row.name) ?? []) checkValue(row, value);
  return {
    command: command.name,
    words,
    paths: positionals.map(showPath),
    option(name) {
      const value = read.get(name)?.at(-1);
      return typeof value === 'string' ? value : undefined;
    },
    options: name => (read.get(name) ?? []).filter(value => typeof value === 'string'),
    has: name => read.get(name)?.includes(true) === true,
  };
}

/** Marks a hidden dash. No path and no value contains this character. */
const MARK = '\u0000';

/**
 * Words such as `-:2` and `-32601` are paths or values, not options. The mark hides their dash from
 * `parseArgs`.
 */
function hidePath(word: string): string {
  return /^-[^-A-Za-z]/.test(word) ? `${MARK}${word}` : word;
}

function showValue(value: string | boolean): string | boolean {
  return typeof value === 'string' ? showPath(value) : value;
}

function showPath(word: string): string {
  return word.startsWith(MARK) ? word.slice(MARK.length) : word;
}

function parseWords(
  command: Command,
  rows: readonly OptionRow[],
  words: readonly string[],
): ReturnType<typeof parseArgs> {
  const options: NonNullable<ParseArgsConfig['options']> = Object.fromEntries(
    rows.map(row => [
      row.name,
      { type: row.value === undefined ? 'boolean' : 'string', multiple: row.isRepeatable ?? false },
    ]),
  );
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
  } catch (error) {
    const [sentence = ''] = (error instanceof Error ? error.message : String(error)).split(/\.\s|\n/);
    throw new UsageError(`${sentence}; see 'parley ${command.name} --help'`);
  }
}

function checkValue(row: OptionRow, value: unknown): void {
  if (typeof value !== 'string' || !row.values || row.values.includes(value)) return;
  throw new UsageError(`--${row.name} cannot be '${value}': use ${row.values.join(', ')}`);
}

/** The single path of a command line. Throws a UsageError for none or several. */
export function onlyPath(command: string, line: CommandLine): string {
  const [path, another] = line.paths;
  if (path === undefined || another !== undefined) {
    throw new UsageError(`'parley ${command}' takes one path; it got ${line.paths.length}`);
  }
  return path;
}
