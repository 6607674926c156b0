import { PRODUCT } from '../../core/catalog/product.ts';
import { findSimilar } from '../../core/text/similar.ts';
import { readCommandLine, type Command, type CommandGroup } from './commands/command.ts';
import { COMMANDS } from './commands/index.ts';
import { EXIT, UsageError, type ExitCode } from './exit.ts';
import { printCommandHelp, printGroupHelp, printHelp } from './help.ts';
import { safeTerminal, type Terminal } from './terminal.ts';
import { setSecretNames } from '../../core/secrets/secret-name.ts';

/** Runs the command line and returns its exit code. Never throws: errors are written to `err`. */
export async function runCli(host: Terminal, words: readonly string[]): Promise<number> {
  const terminal = safeTerminal(host);
  setSecretNames((host.env['PARLEY_SECRET_NAMES'] ?? '').split(/[\s,]+/).filter(name => name !== ''));
  try {
    return await runWords(terminal, words);
  } catch (error) {
    const isUsage = error instanceof UsageError;
    const exitCode = isUsage ? EXIT.usage : EXIT.internal;
    terminal.err(wantsJson(words) ? printErrorLine(error, exitCode) : describeError(error));
    return exitCode;
  } finally {
    terminal.flush();
  }
}

async function runWords(terminal: Terminal, words: readonly string[]): Promise<number> {
  const [name, ...rest] = words;
  if (name === '--version') {
    terminal.out(`${PRODUCT.version}\n`);
    return EXIT.fine;
  }
  if (name === '--help' || name === 'help') {
    terminal.out(printHelp(COMMANDS));
    return EXIT.fine;
  }
  if (name === undefined) {
    terminal.err(printHelp(COMMANDS));
    return EXIT.usage;
  }
  const found = COMMANDS.find(row => row.name === name);
  if (!found) throw new UsageError(describeUnknown(name));
  if ('commands' in found) return runGroup(terminal, found, rest);
  return runCommand(terminal, found, rest);
}

/** Runs the command of the group that the next word names. */
async function runGroup(terminal: Terminal, group: CommandGroup, words: readonly string[]): Promise<number> {
  const [word, ...rest] = words;
  if (word === '--help') {
    terminal.out(printGroupHelp(group));
    return EXIT.fine;
  }
  const command = group.commands.find(row => row.name === `${group.name} ${word}`);
  if (!command) throw new UsageError(describeUnknownWord(group, word));
  return runCommand(terminal, command, rest);
}

function describeUnknownWord({ name, commands }: CommandGroup, word: string | undefined): string {
  const words = commands.map(command => command.name.slice(name.length + 1));
  if (word === undefined) return `'parley ${name}' needs a subcommand: ${words.join(', ')}`;
  const similar = findSimilar(word, words);
  return `There is no 'parley ${name} ${word}': ${similar === undefined ? `use ${words.join(', ')}` : `did you mean '${similar}'?`}`;
}

async function runCommand(terminal: Terminal, command: Command, words: readonly string[]): Promise<number> {
  const line = readCommandLine(command, words);
  if (line.has('help')) {
    terminal.out(printCommandHelp(command));
    return EXIT.fine;
  }
  return command.run(terminal, line);
}

function describeUnknown(name: string): string {
  const names = COMMANDS.map(command => command.name);
  const similar = findSimilar(name, names);
  return `There is no command '${name}'${similar ? `: did you mean '${similar}'?` : "; see 'parley --help'"}`;
}

/** Errors must be readable by a program even if the options are wrong, so this looks at the words as typed. */
function wantsJson(words: readonly string[]): boolean {
  return words.some(
    (word, at) => word === '--format=json' || (word === '--format' && words[at + 1] === 'json'),
  );
}

function printErrorLine(error: unknown, exitCode: ExitCode): string {
  return `${JSON.stringify({ error: { exitCode, message: messageOf(error) } })}\n`;
}

function describeError(error: unknown): string {
  if (error instanceof UsageError) return `parley: ${error.message}\n`;
  const stack = error instanceof Error ? error.stack : undefined;
  return `parley: this is a bug in Parley: ${stack ?? messageOf(error)}\n`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
