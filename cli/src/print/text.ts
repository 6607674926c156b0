import { SEVERITIES, type Severity } from '../../../core/text/issue.ts';
import type { Finding } from '../findings.ts';
import type { Terminal } from '../terminal.ts';

/** One line per finding, `file:line:character: severity: message [code]`, counted from 1 as in editors. */
export function printText(findings: readonly Finding[]): string {
  return findings.flatMap(listPieces).join('');
}

/** Writes the same lines to a terminal, with coloured severities. */
export function writeText(terminal: Pick<Terminal, 'out'>, findings: readonly Finding[]): void {
  for (const finding of findings) {
    const [place, severity, message] = listPieces(finding);
    terminal.out(place);
    terminal.out(severity, severity);
    terminal.out(message);
  }
}

/** The line of a finding in three parts: up to the severity, the severity, and the rest. */
function listPieces({ file, range, severity, message, code }: Finding): [string, Severity, string] {
  const { line, character } = range.start;
  return [`${file}:${line + 1}:${character + 1}: `, severity, `: ${message} [${code}]\n`];
}

/** The number of findings per severity, such as `2 errors, 1 hint in 3 files`. */
export function printSummary(findings: readonly Finding[], fileCount: number): string {
  const parts = SEVERITIES.flatMap(severity => {
    const count = findings.filter(finding => finding.severity === severity).length;
    return count === 0 ? [] : [countOf(count, severity)];
  });
  const files = countOf(fileCount, 'file');
  return parts.length === 0 ? `Nothing to report in ${files}\n` : `${parts.join(', ')} in ${files}\n`;
}

/** A count with its noun, such as `1 file` or `2 files`. */
export function countOf(count: number, noun: string): string {
  if (noun === 'information') return `${count} information`;
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
