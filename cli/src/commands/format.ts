import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { LANGUAGE_SUPPORT } from '../../../language/languages.ts';
import { readSettings, type Settings } from '../../../core/catalog/settings.ts';
import { applyEdits, editedPieces, type Edits } from '../../../core/text/edit.ts';
import { EXIT, UsageError, type ExitCode } from '../exit.ts';
import { findFiles, readLanguage, readSource, type SourceFile } from '../files.ts';
import type { Finding } from '../findings.ts';
import { pickMessage } from '../messages.ts';
import { printJson } from '../print/json.ts';
import { countOf, printText } from '../print/text.ts';
import type { Terminal } from '../terminal.ts';
import { FORMAT_OPTION, LANGUAGE_OPTION, type Command, type CommandLine } from './command.ts';

/**
 * A file and its formatting: `edits` apply to `text`. For one message of a file they are already applied in
 * `text`.
 */
interface Formatted {
  readonly file: SourceFile;
  readonly text: string;
  readonly edits: Edits;
  readonly changed: boolean;
}

/** `parley format`: prints the formatted text, or the names of the files that would change. */
export const format: Command = {
  name: 'format',
  usage: 'PATH…',
  summary: 'Prints a file formatted; --check names the files that differ, --write changes them.',
  options: [
    {
      name: 'check',
      summary: 'Names the files that are not formatted and changes nothing; exit code 1 if any.',
    },
    { name: 'write', summary: 'Formats the files in place and names those that changed.' },
    {
      name: 'style',
      value: 'indented|compact',
      values: ['indented', 'compact'],
      summary: 'The layout of AICL messages: indented gives each field a line, compact each message.',
    },
    FORMAT_OPTION,
    LANGUAGE_OPTION,
  ],
  async run(terminal, line) {
    const targets = await findFiles(terminal, line.paths);
    checkUsage(line, targets);
    const settings = readSettings(key => (key === 'aicl.format.style' ? line.option('style') : undefined));
    const formatted: Formatted[] = [];
    const unread: Finding[] = [];
    for (const target of targets) {
      const read = await readSource(terminal, target, readLanguage(line.option('language')));
      if (read.ok) formatted.push(formatSource(read.file, settings));
      else unread.push(read.finding);
    }
    if (line.has('write')) await writeChanged(terminal, formatted);
    if (line.option('format') === 'json') terminal.out(printAll(formatted, unread));
    else if (line.has('check') || line.has('write')) terminal.out(printNames(formatted));
    else for (const each of formatted) await printOutput(terminal, each);
    terminal.err(printText(unread));
    return exitFor(terminal, line, formatted, unread);
  },
};

function checkUsage(line: CommandLine, targets: readonly { name: string; message?: number }[]): void {
  const inPlace = line.has('check') || line.has('write');
  if (line.paths.length === 0) throw new UsageError("'parley format' needs a path: a file, a folder or -");
  if (line.has('check') && line.has('write')) throw new UsageError('Use either --check or --write');
  if (!inPlace && targets.length !== 1 && line.option('format') !== 'json') {
    throw new UsageError(
      `Only one file can be printed and there are ${targets.length}: add --check or --write`,
    );
  }
  if (line.has('write') && targets.some(target => target.name === '-')) {
    throw new UsageError('Standard input cannot be written to: omit --write');
  }
  if (inPlace && targets.some(target => target.message !== undefined)) {
    throw new UsageError('One message of a file can only be printed: omit --check and --write');
  }
}

function formatSource(file: SourceFile, settings: Settings): Formatted {
  const document = LANGUAGE_SUPPORT[file.language].openOnce(file.text, settings);
  const edits = document.format();
  if (file.message === undefined) return { file, text: file.text, edits, changed: edits.length > 0 };
  const span = pickMessage(file, document, file.message);
  const text = file.text.slice(span.start, span.end);
  const inside = [...edits]
    .filter(edit => edit.span.start >= span.start && edit.span.end <= span.end)
    .map(edit => ({
      ...edit,
      span: { start: edit.span.start - span.start, end: edit.span.end - span.start },
    }));
  const output = applyEdits(text, inside);
  const ended = output.endsWith('\n') ? output : `${output}\n`;
  return { file, text: ended, edits: [], changed: output !== text };
}

function outputOf({ text, edits }: Formatted): string {
  return applyEdits(text, edits);
}

/** Writes the changed files. Files that are already formatted are not written, so their time stamps stay the same. */
async function writeChanged(terminal: Terminal, formatted: readonly Formatted[]): Promise<void> {
  for (const each of formatted) {
    const { file, changed } = each;
    if (!changed) continue;
    const path = resolve(terminal.cwd, file.name);
    await writeFile(path, markOf(file) + outputOf(each)).catch((error: unknown) => {
      throw new UsageError(
        `Cannot write '${file.name}': ${error instanceof Error ? error.message : String(error)}`,
      );
    });
  }
}

/** The byte order mark of the file; empty if one message is printed. */
function markOf({ hasBom, message }: SourceFile): string {
  return hasBom && message === undefined ? '\uFEFF' : '';
}

/** Prints a formatted text in pieces, because it can be much longer than the file. */
async function printOutput(terminal: Terminal, { file, text, edits }: Formatted): Promise<void> {
  terminal.out(markOf(file));
  for (const piece of editedPieces(text, edits)) {
    terminal.out(piece);
    await terminal.settle();
  }
}

/** The names of the files that formatting changes, one per line. */
function printNames(formatted: readonly Formatted[]): string {
  return formatted
    .filter(({ changed }) => changed)
    .map(({ file }) => `${file.name}\n`)
    .join('');
}

function printAll(formatted: readonly Formatted[], unread: readonly Finding[]): string {
  return printJson({
    files: formatted.map(each => ({ file: each.file.name, changed: each.changed, output: outputOf(each) })),
    findings: unread,
  });
}

function exitFor(
  terminal: Terminal,
  line: CommandLine,
  formatted: readonly Formatted[],
  unread: readonly Finding[],
): ExitCode {
  const differing = formatted.filter(({ changed }) => changed).length;
  if (line.has('check') && line.option('format') !== 'json') {
    const files = countOf(formatted.length + unread.length, 'file');
    if (differing > 0) terminal.err(`${differing} of ${files} not formatted: run 'parley format --write'\n`);
    if (unread.length > 0) terminal.err(`${unread.length} of ${files} cannot be read\n`);
    if (differing === 0 && unread.length === 0) terminal.err(`${files}, all formatted\n`);
  }
  return unread.length > 0 || (line.has('check') && differing > 0) ? EXIT.findings : EXIT.fine;
}
