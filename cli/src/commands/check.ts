import { dirname, resolve } from 'node:path';
import { languageOfFile } from '../../../language/languages.ts';
import { quote } from '../../../core/text/quote.ts';
import {
  listWrongRules,
  readSettings,
  RULE_SEVERITIES,
  type Settings,
} from '../../../core/catalog/settings.ts';
import { joinRequestIssues } from '../../../language/variables/check.ts';
import type { EnvironmentVariable } from '../../../language/variables/scope.ts';
import { EXIT, UsageError } from '../exit.ts';
import { findFiles, readLanguage, readSource, type FileTarget, type SourceFile } from '../files.ts';
import { toFinding, type Finding } from '../findings.ts';
import { openSource } from '../languages.ts';
import { checkJson } from '../json/check-json.ts';
import { listJsonKinds, type JsonKind } from '../json/schemas.ts';
import { issuesIn, pickMessage } from '../messages.ts';
import { CHECK_FORMATS, FINDING_PRINTERS, type CheckFormat } from '../print/finding-list.ts';
import { printSummary, writeText } from '../print/text.ts';
import { listAnyEnvironment } from '../sending/request-variables.ts';
import type { Terminal } from '../terminal.ts';
import { LANGUAGE_OPTION, PROFILE_OPTION, readProfile, type Command, type CommandLine } from './command.ts';

/** `parley check`: prints all issues of the files, located by line and character. */
export const check: Command = {
  name: 'check',
  usage: 'PATH…',
  summary: 'Checks files and folders and reports issues.',
  options: [
    {
      name: 'format',
      value: CHECK_FORMATS.join('|'),
      values: CHECK_FORMATS,
      summary: 'How findings are printed; sarif and github are for code scanning and workflows.',
    },
    PROFILE_OPTION,
    {
      name: 'rule',
      value: 'CODE=SEVERITY',
      isRepeatable: true,
      summary: `The severity of a rule: ${RULE_SEVERITIES.join(', ')}; may be given several times.`,
    },
    LANGUAGE_OPTION,
  ],
  async run(terminal, line) {
    if (line.paths.length === 0) throw new UsageError("'parley check' needs a path: a file, a folder or -");
    const settings = { ...readProfile(line), rules: readRules(line) };
    const faults: string[] = [];
    const checks: Checked[] = [];
    const kinds = line.option('language') === undefined ? await listJsonKinds() : [];
    const findKind = (path: string): JsonKind | undefined => kinds.find(kind => kind.matches(path));
    // Recordings, which may be large, are checked only if they are named.
    const isWanted = (path: string): boolean =>
      languageOfFile(path) !== undefined || findKind(path)?.isLines === false;
    for (const path of line.paths) {
      const targets = await keepFaults(faults, () => findFiles(terminal, [path], isWanted));
      for (const target of targets ?? []) {
        const kind = target.message === undefined ? findKind(target.name) : undefined;
        const checked = await keepFaults(faults, () =>
          kind
            ? checkJsonTarget(terminal, target, kind, settings)
            : checkTarget(terminal, line, target, settings),
        );
        if (checked) checks.push(checked);
      }
    }
    // The findings are printed even if some paths could not be read.
    if (checks.length > 0 || faults.length === 0) printChecks(terminal, line, checks);
    if (faults.length > 0) throw new UsageError(faults.join('\n'));
    return checks.some(checked => checked.hasError) ? EXIT.findings : EXIT.fine;
  },
};

/** Runs a part of the work. A UsageError is added to `faults` instead of thrown, so that the other parts still run. */
async function keepFaults<Result>(
  faults: string[],
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    faults.push(error.message);
    return undefined;
  }
}

function printChecks(terminal: Terminal, line: CommandLine, checks: readonly Checked[]): void {
  const findings = checks.flatMap(checked => checked.findings);
  const format = readFormat(line);
  if (format === 'text' && terminal.colour) writeText(terminal, findings);
  else terminal.out(FINDING_PRINTERS[format](findings));
  if (format === 'text') terminal.err(printSummary(findings, checks.length));
}

/** The reported findings of one file, and whether any of its issues is an error, reported or not. */
interface Checked {
  readonly findings: readonly Finding[];
  readonly hasError: boolean;
}

/** Reads the `--rule` options, such as `aicl/fragment=off`. Throws a UsageError for an unknown rule or severity. */
function readRules(line: CommandLine): Settings['rules'] {
  const words = line.options('rule');
  const read = (word: string): readonly [string, string] => {
    const [code = '', severity = ''] = word.split('=', 2);
    return [code, severity];
  };
  const wrong = words.find(word => listWrongRules(Object.fromEntries([read(word)])).length > 0);
  if (wrong !== undefined) {
    const severities = RULE_SEVERITIES.join(', ');
    throw new UsageError(
      `--rule cannot be ${quote(wrong)}: write a rule and one of ${severities}, as in aicl/fragment=off`,
    );
  }
  const rules = Object.fromEntries(words.map(read));
  return readSettings(key => (key === 'rules' ? rules : undefined)).rules;
}

async function checkTarget(
  terminal: Terminal,
  line: CommandLine,
  target: FileTarget,
  settings: Settings,
): Promise<Checked> {
  const read = await readSource(terminal, target, readLanguage(line.option('language')));
  if (!read.ok) return { findings: [read.finding], hasError: true };
  const environment = read.file.text.includes('{{')
    ? await listAnyEnvironment(resolve(terminal.cwd, dirname(read.file.name)))
    : [];
  return checkSource(read.file, settings, environment);
}

/** Checks a JSON file by the schema of its kind. */
async function checkJsonTarget(
  terminal: Terminal,
  target: FileTarget,
  kind: JsonKind,
  { maxIssues }: Settings,
): Promise<Checked> {
  const read = await readSource(terminal, target, undefined);
  if (!read.ok) return { findings: [read.finding], hasError: true };
  const findings = await checkJson({ ...read.file, kind });
  return {
    findings: capFindings(findings, maxIssues),
    hasError: findings.some(({ severity }) => severity === 'error'),
  };
}

/** The first findings; the last one says how many others there are. */
function capFindings(findings: readonly Finding[], most: number): readonly Finding[] {
  const last = findings[most - 1];
  if (findings.length <= most || last === undefined) return findings;
  const more: Finding = {
    ...last,
    severity: 'information',
    code: 'parley/more-issues',
    message: `${findings.length - most + 1} more issues from here on are not shown; fix the first ones or raise 'parley.maxIssues'`,
  };
  return [...findings.slice(0, most - 1), more];
}

/** Errors beyond the report limit still count: the issue that summarizes them says that it hides errors. */
async function checkSource(
  file: SourceFile,
  settings: Settings,
  environment: readonly EnvironmentVariable[],
): Promise<Checked> {
  // Without a limit, because the issues of one message are selected from those of the whole file.
  const limits = file.message === undefined ? settings : { ...settings, maxIssues: Number.MAX_SAFE_INTEGER };
  const document = await openSource(file, limits);
  const all = joinRequestIssues(document, document.validate(), limits, { environment, agents: [] });
  const wanted = file.message === undefined ? all : issuesIn(all, pickMessage(file, document, file.message));
  return {
    findings: capFindings(
      wanted.map(issue => toFinding(file.name, document, issue)),
      settings.maxIssues,
    ),
    hasError: wanted.some(issue => issue.severity === 'error' || issue.hidesError),
  };
}

function readFormat(line: CommandLine): CheckFormat {
  return CHECK_FORMATS.find(format => format === line.option('format')) ?? 'text';
}
