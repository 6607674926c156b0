import { SEVERITIES, type Severity } from '../../../protocol/src/text/issue.ts';
import type { Finding } from '../findings.ts';

/** What a printer of findings may use. */
export interface PrintStyle {
  readonly colour: boolean;
}

const COLOURS: Readonly<Record<Severity, string>> = {
  error: '\u001b[31m',
  warning: '\u001b[33m',
  information: '\u001b[34m',
  hint: '\u001b[2m',
};
const PLAIN = '\u001b[0m';

/** One line a finding, `file:line:character: severity: message [code]`, counted from 1 as editors show it. */
export function printText(findings: readonly Finding[], style: PrintStyle): string {
  return findings.map(finding => `${printLine(finding, style)}\n`).join('');
}

function printLine(finding: Finding, { colour }: PrintStyle): string {
  const { line, character } = finding.range.start;
  const word = colour ? `${COLOURS[finding.severity]}${finding.severity}${PLAIN}` : finding.severity;
  return `${finding.file}:${line + 1}:${character + 1}: ${word}: ${finding.message} [${finding.code}]`;
}

/** How many findings of each severity there are, as in `2 errors, 1 hint in 3 files`. */
export function printSummary(findings: readonly Finding[], fileCount: number): string {
  const parts = SEVERITIES.flatMap(severity => {
    const count = findings.filter(finding => finding.severity === severity).length;
    return count === 0 ? [] : [countOf(count, severity)];
  });
  const files = countOf(fileCount, 'file');
  return parts.length === 0 ? `Nothing to report in ${files}\n` : `${parts.join(', ')} in ${files}\n`;
}

/** `1 file`, `2 files`. */
export function countOf(count: number, noun: string): string {
  if (noun === 'information') return `${count} information`;
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
