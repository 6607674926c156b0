import { LANGUAGE_SUPPORT } from '../../../protocol/src/languages.ts';
import { readSettings, type Settings } from '../../../protocol/src/catalog/settings.ts';
import { capIssues } from '../../../protocol/src/validate/cap.ts';
import { EXIT, UsageError } from '../exit.ts';
import { findFiles, readLanguage, readSource, type SourceFile } from '../files.ts';
import { toFinding, type Finding } from '../findings.ts';
import { issuesIn, pickMessage } from '../messages.ts';
import { CHECK_FORMATS, FINDING_PRINTERS, type CheckFormat } from '../print/finding-list.ts';
import { printSummary } from '../print/text.ts';
import { LANGUAGE_OPTION, type Command, type CommandLine } from './command.ts';

/** `parley check`: all issues of the files, in lines and characters. */
export const check: Command = {
  name: 'check',
  usage: 'PATH…',
  summary: 'Reports what is wrong in files and folders.',
  options: [
    {
      name: 'format',
      value: CHECK_FORMATS.join('|'),
      values: CHECK_FORMATS,
      summary: 'How findings are printed; sarif and github are for code scanning and workflows.',
    },
    {
      name: 'profile',
      value: 'strict|chat',
      values: ['strict', 'chat'],
      summary: 'What an AICL message must have: strict wants the header.',
    },
    LANGUAGE_OPTION,
  ],
  async run(terminal, line) {
    if (line.paths.length === 0) throw new UsageError("'parley check' wants a path: a file, a folder or -");
    const targets = await findFiles(terminal, line.paths);
    const settings = readProfile(line);
    const findings: Finding[] = [];
    let hasError = false;
    for (const target of targets) {
      const read = await readSource(terminal, target, readLanguage(line.option('language')));
      const checked = read.ok
        ? checkSource(read.file, settings)
        : { findings: [read.finding], hasError: true };
      findings.push(...checked.findings);
      hasError ||= checked.hasError;
    }
    const format = readFormat(line);
    terminal.out(FINDING_PRINTERS[format](findings, { colour: terminal.colour }));
    if (format === 'text') terminal.err(printSummary(findings, targets.length));
    return hasError ? EXIT.findings : EXIT.fine;
  },
};

/** The findings of one file, and whether there is an error among all that it has. */
interface Checked {
  readonly findings: readonly Finding[];
  readonly hasError: boolean;
}

/** All issues are looked at, however many: errors behind the limit of the report must not pass for a sound file. */
function checkSource(file: SourceFile, settings: Settings): Checked {
  const support = LANGUAGE_SUPPORT[file.language];
  const document = support.open(file.text, { ...settings, maxIssues: Number.MAX_SAFE_INTEGER });
  const all = document.validate();
  const wanted = file.message === undefined ? all : issuesIn(all, pickMessage(file, document, file.message));
  return {
    findings: capIssues(wanted, settings.maxIssues).map(issue => toFinding(file.name, document, issue)),
    hasError: wanted.some(issue => issue.severity === 'error'),
  };
}

function readFormat(line: CommandLine): CheckFormat {
  return CHECK_FORMATS.find(format => format === line.option('format')) ?? 'text';
}

function readProfile(line: CommandLine): Settings {
  return readSettings(key => (key === 'aicl.profile' ? line.option('profile') : undefined));
}
