import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { CONVERSIONS, findConversion } from '../../../core/catalog/conversions.ts';
import { DEFAULT_ENCODING, ENCODINGS, findEncoding } from '../../../core/catalog/costs.ts';
import { costTable, type CostOptions, type CostTable } from '../../../protocols/cost/cost-table.ts';
import { printCost } from '../../../protocols/cost/print-cost.ts';
import { runAtOnce } from '../../../core/text/slices.ts';
import { messageLanguage } from '../../../core/catalog/languages.ts';
import { protocolOfFile } from '../../../core/catalog/protocols.ts';
import { languageOfFile } from '../../../language/languages.ts';
import { loadEncoding } from '../../../tokenizers/load.ts';
import { pickSpan } from '../convert/pick.ts';
import { EXIT } from '../exit.ts';
import { findFiles, readSource, type FileTarget } from '../files.ts';
import type { Finding } from '../findings.ts';
import { withoutComments } from '../languages.ts';
import { printJson } from '../print/json.ts';
import { countOf, printText } from '../print/text.ts';
import type { Terminal } from '../terminal.ts';
import { FORMAT_OPTION, onlyPath, type Command } from './command.ts';

/** The cost of a file, or of one message of it. */
interface FileCost extends CostTable {
  readonly file: string;
  /** The number of the selected message, from 1. */
  readonly message?: number;
}

const NAMES = ENCODINGS.map(({ name }) => name);
const PROTOCOLS = CONVERSIONS.map(({ name }) => name);

/** `parley tokens`: compares the cost of the same messages in every protocol. */
export const tokens: Command = {
  name: 'tokens',
  usage: 'PATH',
  summary: 'Counts tokens and bytes of the same messages in every protocol, and how long reading them takes.',
  options: [
    {
      name: 'encoding',
      value: NAMES.join('|'),
      values: NAMES,
      summary: `The encoding that is used to count tokens: ${ENCODINGS.map(({ name, models }) => `${name} for ${models}`).join(', ')}.`,
    },
    {
      name: 'from',
      value: 'PROTOCOL',
      values: PROTOCOLS,
      summary: 'The protocol of the messages; detected for each message if left out.',
    },
    FORMAT_OPTION,
  ],
  async run(terminal, line) {
    const path = onlyPath('tokens', line);
    const name = findEncoding(line.option('encoding'))?.name ?? DEFAULT_ENCODING;
    const from = findConversion(line.option('from'))?.name;
    const targets = await findFiles(terminal, [path]);
    const encoding = await loadEncoding(name);
    const costs: FileCost[] = [];
    const findings: Finding[] = [];
    for (const target of targets) {
      const cost = await costOf(terminal, target, {
        protocols: ALL_PROTOCOLS,
        name,
        encoding,
        from,
        now: () => performance.now(),
      });
      if ('code' in cost) findings.push(cost);
      else costs.push(cost);
    }
    if (line.option('format') === 'json') terminal.out(printJson(costs));
    else terminal.out(costs.map(cost => printCost(nameOf(cost), cost)).join('\n'));
    terminal.err(printText(findings) + costs.map(noteUnread).join(''));
    return findings.length > 0 ? EXIT.findings : EXIT.fine;
  },
};

/** Texts longer than this, in characters, print a notice first, because counting takes noticeably long. */
const LONG = 1_000_000;

/** The cost of a file, or a finding if the file cannot be read. */
async function costOf(
  terminal: Terminal,
  target: FileTarget,
  options: CostOptions,
): Promise<FileCost | Finding> {
  const read = await readSource(terminal, target, undefined);
  if (!read.ok) return read.finding;
  const file = withoutComments(read.file);
  const { name, text, message } = file;
  if (text.length > LONG)
    terminal.err(`Counting '${name}' in every protocol; a text this long takes a while\n`);
  const from =
    findConversion(options.from)?.name ?? protocolOfFile(name) ?? messageLanguage(languageOfFile(name));
  const within = message === undefined ? undefined : pickSpan(file, from, message);
  return {
    file: name,
    ...(message === undefined ? {} : { message }),
    ...runAtOnce(costTable(text, { ...options, from, within })),
  };
}

function nameOf({ file, message }: FileCost): string {
  return message === undefined ? file : `${file}:${message}`;
}

/** Notes about what the table omits: rows and times that are missing, and parts of the file that were not read. */
function noteUnread({ file, messages, unread, tooLong = 0, untimed = 0 }: FileCost): string {
  const isOne = tooLong === 1;
  const missing =
    tooLong === 0
      ? ''
      : `${countOf(tooLong, 'row')} of '${file}' ${isOne ? 'is' : 'are'} left out, because ${isOne ? 'its text is' : 'their texts are'} too long to be counted\n`;
  const withoutTime =
    untimed === 0
      ? ''
      : `${countOf(untimed, 'row')} of '${file}' ${untimed === 1 ? 'has' : 'have'} no time, because ${untimed === 1 ? 'its text is' : 'their texts are'} over 4 million characters\n`;
  return missing + withoutTime + noteParts({ file, messages, unread });
}

function noteParts({ file, messages, unread }: Pick<FileCost, 'file' | 'messages' | 'unread'>): string {
  if (messages === 0) return `There is no message in '${file}': only the text as it is written was counted\n`;
  if (unread === 0) return '';
  return `${countOf(unread, 'part')} of '${file}' could not be read and counts only in the row as written; 'parley convert' shows which\n`;
}
