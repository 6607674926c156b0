import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { CONVERSIONS, findConversion, type ConversionName } from '../../../core/catalog/conversions.ts';
import { convertSteps } from '../../../protocols/convert/convert.ts';
import type { ToolTable } from '../../../language/tools.ts';
import { messageLanguage } from '../../../core/catalog/languages.ts';
import { protocolOfFile } from '../../../core/catalog/protocols.ts';
import { languageOfFile } from '../../../language/languages.ts';
import { listReportedLosses, printLosses, type ConvertedText } from '../convert/losses.ts';
import { pickSpan } from '../convert/pick.ts';
import { readToolsFile } from '../convert/tools-file.ts';
import { EXIT, UsageError, type ExitCode } from '../exit.ts';
import { findFiles, readSource, type FileTarget } from '../files.ts';
import type { Finding } from '../findings.ts';
import { withoutComments } from '../languages.ts';
import { printJson } from '../print/json.ts';
import { printText } from '../print/text.ts';
import type { Terminal } from '../terminal.ts';
import { FORMAT_OPTION, onlyPath, type Command, type CommandLine } from './command.ts';

const NAMES = CONVERSIONS.map(({ name }) => name);

/** `parley convert`: writes messages in another protocol and lists the losses. */
export const convert: Command = {
  name: 'convert',
  usage: 'PATH',
  summary: 'Converts messages to another protocol, and reports losses.',
  options: [
    { name: 'to', value: 'PROTOCOL', values: NAMES, summary: `The protocol to write: ${NAMES.join(', ')}.` },
    {
      name: 'from',
      value: 'PROTOCOL',
      values: NAMES,
      summary: 'The protocol of the messages; detected for each message if left out.',
    },
    { name: 'strict', summary: 'Exits 1 where anything is dropped, rounded, moved or guessed.' },
    {
      name: 'layout',
      value: 'pretty|compact',
      values: ['pretty', 'compact'],
      summary: 'How messages are laid out; one alone is pretty, several have a line each.',
    },
    {
      name: 'tools',
      value: 'FILE',
      summary: 'Names and types of arguments: TOOL lines, the result of tools/list, or tools as JSON.',
    },
    FORMAT_OPTION,
  ],
  async run(terminal, line) {
    const path = onlyPath('convert', line);
    const to = readName(line, 'to');
    if (!to) throw new UsageError(`'parley convert' needs --to: ${NAMES.join(', ')}`);
    const from = readName(line, 'from');
    const layout = LAYOUTS.find(name => name === line.option('layout')) ?? 'fitting';
    const toolsFile = line.option('tools');
    if (path === '-' && toolsFile === '-')
      throw new UsageError('Standard input can be read once: name a file for the tools or for the messages');
    const tools = toolsFile === undefined ? undefined : await readToolsFile(terminal, toolsFile);
    const texts: ConvertedText[] = [];
    const findings: Finding[] = [];
    const output = line.option('format') === 'json' ? 'stored' : 'printed';
    for (const target of await findFiles(terminal, [path])) {
      const converted = await convertFile(terminal, target, { to, from, layout, tools }, output);
      if ('code' in converted) findings.push(converted);
      else texts.push(converted);
    }
    return report(terminal, line, texts, findings);
  },
};

const LAYOUTS = ['pretty', 'compact'] as const;

interface FileOptions {
  readonly to: ConversionName;
  readonly from: ConversionName | undefined;
  readonly layout: 'pretty' | 'compact' | 'fitting';
  readonly tools: ToolTable | undefined;
}

function readName(line: CommandLine, option: string): ConversionName | undefined {
  return findConversion(line.option(option))?.name;
}

/**
 * Converts the messages of a file and prints them; with the output `stored` they are in the result. Returns a
 * finding for a file that is not UTF-8.
 */
async function convertFile(
  terminal: Terminal,
  target: FileTarget,
  options: FileOptions,
  output: 'printed' | 'stored',
): Promise<ConvertedText | Finding> {
  const read = await readSource(terminal, target, undefined);
  if (!read.ok) return read.finding;
  const file = withoutComments(read.file);
  const { text, name, message } = file;
  const from = options.from ?? protocolOfFile(name) ?? messageLanguage(languageOfFile(name));
  const within = message === undefined ? undefined : pickSpan(file, from, message);
  const written: string[] = [];
  const emit = output === 'printed' ? (piece: string): unknown => written.push(piece) : undefined;
  const steps = convertSteps(text, { protocols: ALL_PROTOCOLS, ...options, from, within, emit });
  let step = steps.next();
  for (; !step.done; step = steps.next()) await print(terminal, written.splice(0));
  const converted = step.value;
  if (output === 'printed') await print(terminal, [...written, ...converted.pieces]);
  return { file: name, converted };
}

async function print(terminal: Terminal, pieces: readonly string[]): Promise<void> {
  for (const piece of pieces) {
    terminal.out(piece);
    await terminal.settle();
  }
}

function report(
  terminal: Terminal,
  line: CommandLine,
  texts: readonly ConvertedText[],
  findings: readonly Finding[],
): ExitCode {
  const { losses, notes, unreported } = listReportedLosses(texts);
  if (line.option('format') === 'json') {
    const output = texts.map(({ converted }) => converted.text).join('');
    terminal.out(printJson({ output, losses, notes, unlisted: unreported, findings }));
  } else {
    terminal.err(printText(findings));
    terminal.err(printLosses(texts));
    for (const { file, converted } of texts)
      if (converted.messageCount === 0) terminal.err(`There is no message in '${file}'\n`);
  }
  const isLossy = losses.length + unreported > 0;
  return findings.length > 0 || (isLossy && line.has('strict')) ? EXIT.findings : EXIT.fine;
}
