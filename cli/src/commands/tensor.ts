import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { FILE_FORMATS, findFormat } from '../../../tensor/files/file-formats.ts';
import type { FileFormat, NamedTensor } from '../../../tensor/files/file-format.ts';
import { printTensor } from '../../../tensor/read-tensor.ts';
import { EXIT, UsageError, type ExitCode } from '../exit.ts';
import { printJson } from '../print/json.ts';
import { countOf } from '../print/text.ts';
import { diffRows, printDifferences, toJsonDifference } from '../tensor/diff.ts';
import { locate, printList, toJsonRow } from '../tensor/list.ts';
import { pickRows, readArrays, readRows, type ReadRows } from '../tensor/rows.ts';
import type { Terminal } from '../terminal.ts';
import { FORMAT_OPTION, LANGUAGE_OPTION, onlyPath, type Command, type CommandLine } from './command.ts';

const ENDINGS = FILE_FORMATS.map(({ endings }) => endings[0]).join(', ');

/** `parley tensor`: shows, exports, imports and compares the tensors of messages and array files. */
export const tensor: Command = {
  name: 'tensor',
  usage: 'PATH',
  summary: 'Shows, exports, imports and compares tensors of messages and array files.',
  options: [
    {
      name: 'at',
      value: 'PATH',
      summary: 'The tensor, as data, constraints.video or [3]; in an array file its name.',
    },
    { name: 'export', value: 'FILE', summary: `Writes them to a file: ${ENDINGS}.` },
    {
      name: 'import',
      value: 'FILE',
      summary: 'Prints the AICL value of an array file, which needs no PATH.',
    },
    { name: 'diff', value: 'OTHER', summary: 'Compares them with those of another file.' },
    FORMAT_OPTION,
    LANGUAGE_OPTION,
  ],
  async run(terminal, line) {
    const ways = ['export', 'import', 'diff'].filter(name => line.option(name) !== undefined);
    if (ways.length > 1) throw new UsageError(`Use either --${ways.join(' or --')}`);
    const from = line.option('import');
    if (from !== undefined) return importFile(terminal, line, from);
    const path = onlyPath('tensor', line);
    const to = line.option('export');
    if (to !== undefined) return exportTo(terminal, line, path, to);
    const other = line.option('diff');
    if (other !== undefined) return diffWith(terminal, line, path, other);
    return list(terminal, line, path);
  },
};

async function list(terminal: Terminal, line: CommandLine, path: string): Promise<ExitCode> {
  const read = await readPicked(terminal, line, path);
  if (isJson(line)) terminal.out(printJson(read.rows.map(toJsonRow)));
  else
    for (const row of printList(read.rows)) {
      terminal.out(row);
      await terminal.settle();
    }
  if (read.rows.length === 0 && isWhole(read)) terminal.err(`There is no tensor in '${path}'\n`);
  return isSound(read) ? EXIT.fine : EXIT.findings;
}

function isJson(line: CommandLine): boolean {
  return line.option('format') === 'json';
}

/** False if a file or a tensor could not be read because of an error. Data omitted on purpose is no error. */
function isSound(read: ReadRows): boolean {
  return (
    isWhole(read) &&
    read.rows.every(({ content }) => content.kind === 'ok' || content.issue.severity !== 'error')
  );
}

/** False if a file, or an array in it, could not be read. A note reports the reason. */
function isWhole({ isRead, unread }: ReadRows): boolean {
  return isRead && unread.length === 0;
}

/** Reads the tensors of a path, selected by `--at`, and prints the notes of reading to `err`. */
async function readPicked(terminal: Terminal, line: CommandLine, path: string): Promise<ReadRows> {
  return pickAndReport(terminal, path, line.option('at'), await readRows(terminal, line, path));
}

function pickAndReport(terminal: Terminal, path: string, at: string | undefined, read: ReadRows): ReadRows {
  terminal.err(read.notes.map(note => `${note}\n`).join(''));
  return pickRows(read, at, path);
}

/** Exports all tensors. If one cannot be read, no file is written. */
async function exportTo(terminal: Terminal, line: CommandLine, path: string, to: string): Promise<ExitCode> {
  const format = formatOf(to);
  const read = await readPicked(terminal, line, path);
  const named: NamedTensor[] = [];
  let isReady = isWhole(read);
  for (const { content, ...row } of read.rows) {
    if (content.kind === 'ok') named.push({ name: row.at, tensor: content.tensor });
    else {
      isReady = false;
      terminal.err(
        `${locate(row)}: ${content.issue.severity}: ${content.issue.message} [${content.issue.code}]\n`,
      );
    }
  }
  if (!isReady) {
    terminal.err(`'${to}' is not written\n`);
    return EXIT.findings;
  }
  const written = format.write(named);
  if (written.kind === 'fault') throw new UsageError(`Cannot write '${to}': ${written.problem}`);
  await writeFile(resolve(terminal.cwd, to), written.bytes).catch((error: unknown) => {
    throw new UsageError(`Cannot write '${to}': ${error instanceof Error ? error.message : String(error)}`);
  });
  const { notes } = written;
  if (isJson(line))
    terminal.out(printJson({ file: to, tensors: named.length, bytes: written.bytes.length, notes }));
  else
    terminal.err(
      [`Wrote ${countOf(named.length, 'tensor')} to '${to}'`, ...notes].map(text => `${text}\n`).join(''),
    );
  return EXIT.fine;
}

function formatOf(name: string): FileFormat {
  const format = findFormat(name);
  if (format) return format;
  throw new UsageError(`'${name}' has no file extension of an array file: use one of ${ENDINGS}`);
}

async function importFile(terminal: Terminal, line: CommandLine, from: string): Promise<ExitCode> {
  for (const path of line.paths)
    terminal.err(`'${path}' is ignored: --import prints the value of '${from}' alone\n`);
  const arrays = await readArrays(terminal, { name: from }, formatOf(from));
  const read = pickAndReport(terminal, from, line.option('at'), arrays);
  const [row, another] = read.rows;
  if (!isWhole(read)) {
    if (row) terminal.err(`Nothing is imported: pick a tensor with --at, such as ${row.at}\n`);
    return EXIT.findings;
  }
  if (another) {
    const names = read.rows
      .map(({ at }) => at)
      .slice(0, MAX_NAMES)
      .join(', ');
    throw new UsageError(`'${from}' holds ${read.rows.length} tensors: pick one with --at, such as ${names}`);
  }
  if (row?.content.kind !== 'ok') throw new UsageError(`There is no tensor in '${from}'`);
  const { dtype, shape } = row.content.tensor;
  const value = printTensor(row.content.tensor);
  terminal.out(isJson(line) ? printJson({ file: from, at: row.at, dtype, shape, value }) : `${value}\n`);
  return EXIT.fine;
}

/** The maximum number of tensor names in the message. */
const MAX_NAMES = 5;

async function diffWith(
  terminal: Terminal,
  line: CommandLine,
  path: string,
  other: string,
): Promise<ExitCode> {
  if (path === '-' && other === '-')
    throw new UsageError('Standard input can be read once: name a file for the other side');
  const ones = await readPicked(terminal, line, path);
  const others = await readOther(terminal, line, other);
  const differences = diffRows(ones.rows, others.rows);
  const isComplete = isWhole(ones) && isWhole(others);
  if (differences.length === 0 && isComplete)
    terminal.err(`There is no tensor in '${path}' and none in '${other}'\n`);
  terminal.out(isJson(line) ? printJson(differences.map(toJsonDifference)) : printDifferences(differences));
  return isComplete && differences.every(({ isSame }) => isSame) ? EXIT.fine : EXIT.findings;
}

/** Applies `--at` to the other side only if that has more than one tensor. */
async function readOther(terminal: Terminal, line: CommandLine, other: string): Promise<ReadRows> {
  const read = await readRows(terminal, line, other);
  const isChoice = read.rows.length + read.unread.length > 1;
  return pickAndReport(terminal, other, isChoice ? line.option('at') : undefined, read);
}
