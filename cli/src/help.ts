import { PRODUCT } from '../../core/catalog/product.ts';
import { optionsOf, type Command, type CommandGroup, type OptionRow } from './commands/command.ts';

/** The text of `parley --help`. */
export function printHelp(commands: readonly (Command | CommandGroup)[]): string {
  return [
    `${PRODUCT.title} ${PRODUCT.version}: check, format and send messages between AI agents.`,
    '',
    'Usage: parley COMMAND [OPTION…]',
    '',
    'Commands:',
    ...listCommands(commands),
    '',
    'Options:',
    ...alignColumns([
      ['--help', 'Shows this text, or that of a command.'],
      ['--version', 'Shows the version.'],
    ]),
    '',
    'A folder means every .aicl and .aicf below it; - is standard input; FILE:N is the Nth message of a file.',
    'Exit codes: 0 fine, 1 findings or a failed send, 2 wrong usage or a file that cannot be opened, 3 a bug in Parley.',
    '',
  ].join('\n');
}

/** The text of `parley COMMAND --help`. */
export function printCommandHelp(command: Command): string {
  const rows = optionsOf(command).map(row => [`--${row.name}${shownValue(row)}`, row.summary] as const);
  return [
    command.summary,
    '',
    `Usage: parley ${command.name} ${command.usage}`.trimEnd(),
    '',
    'Options:',
    ...alignColumns(rows),
    '',
  ].join('\n');
}

/** The text of the help of a group, such as `parley trace --help`. */
export function printGroupHelp({ name, usage, summary, commands }: CommandGroup): string {
  return [
    summary,
    '',
    `Usage: parley ${name} ${usage}`,
    '',
    ...listCommands(commands),
    '',
    `'parley ${name} WORD --help' shows the options of each.`,
    '',
  ].join('\n');
}

function listCommands(commands: readonly (Command | CommandGroup)[]): readonly string[] {
  return alignColumns(commands.map(({ name, usage, summary }) => [`${name} ${usage}`.trim(), summary]));
}

function shownValue(row: OptionRow): string {
  return row.value === undefined ? '' : ` ${row.value}`;
}

function alignColumns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
