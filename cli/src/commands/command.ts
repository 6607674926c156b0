import { parseArgs, type ParseArgsConfig } from 'node:util';
import { readSettings, type Settings } from '../../../core/catalog/settings.ts';
import { UsageError } from '../exit.ts';
import type { Terminal } from '../terminal.ts';

/** An option of a command, as its help shows it. */
export interface OptionRow {
  readonly name: string;
  /** What stands after it in the help, `FILE`; a switch has none. */
  readonly value?: string;
  /** The values that it may have; undefined for any. */
  readonly values?: readonly string[];
  /** True where it may stand several times. */
  readonly isRepeatable?: true;
  readonly summary: string;
}

/** What was typed after a command's name. */
export interface CommandLine {
  /** The command's name, and the words after it as typed. */
  readonly command: string;
  readonly words: readonly string[];
  readonly paths: readonly string[];
  option(name: string): string | undefined;
  /** All values of an option that may stand several times. */
  options(name: string): readonly string[];
  has(name: string): boolean;
}

/** A word after `parley`. */
export interface Command {
  readonly name: string;
  /** What stands after the name in the help. */
  readonly usage: string;
  readonly summary: string;
  readonly options: readonly OptionRow[];
  /** Answers the exit code: one of ours, or that of a process that it stands for. */
  run(terminal: Terminal, line: CommandLine): Promise<number>;
}

/** A word after `parley` behind which another one says what is to be done. */
export interface CommandGroup {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  /** Their names begin with the group's. */
  readonly commands: readonly Command[];
}

/** The option that every command with results has. */
export const FORMAT_OPTION: OptionRow = {
  name: 'format',
  value: 'text|json',
  values: ['text', 'json'],
  summary: 'How results are printed; json is one JSON document.',
};

/** The option of every command that reads files. */
export const LANGUAGE_OPTION: OptionRow = {
  name: 'language',
  value: 'aicl|aicf',
  values: ['aicl', 'aicf'],
  summary: 'The language of the files, instead of the one of their ending.',
};

/** The option of commands that judge AICL messages. */
export const PROFILE_OPTION: OptionRow = {
  name: 'profile',
  value: 'strict|chat',
  values: ['strict', 'chat'],
  summary: 'What an AICL message must have: strict wants the header.',
};

/** The settings with the profile that was typed, if any. */
export function readProfile(line: CommandLine): Settings {
  return readSettings(key => (key === 'aicl.profile' ? line.option('profile') : undefined));
}

const HELP_OPTION: OptionRow = { name: 'help', summary: 'Shows this text.' };

/** All options of a command, with the one that every command has. */
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

/** No path and no value holds it. */
const MARK = '\u0000';

/** Options begin with two dashes: `-:2` and `-32601` are none, so their dash is hidden from the reader of options. */
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

/** The one path that a command wants. Throws a UsageError for none or several. */
export function onlyPath(command: string, line: CommandLine): string {
  const [path, another] = line.paths;
  if (path === undefined || another !== undefined) {
    throw new UsageError(`'parley ${command}' takes one path; it got ${line.paths.length}`);
  }
  return path;
}
