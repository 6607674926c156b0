import type { Severity } from '../../../core/text/issue.ts';
import type { Finding } from '../findings.ts';

const COMMANDS: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  information: 'notice',
  hint: 'notice',
};

/**
 * Prints findings as workflow commands of GitHub Actions, which show each at its line. Lines and columns
 * count from 1.
 */
export function printGithub(findings: readonly Finding[]): string {
  return findings.map(finding => `${printCommand(finding)}\n`).join('');
}

function printCommand({ file, range, severity, code, message }: Finding): string {
  const properties = [
    `file=${escapeProperty(file)}`,
    `line=${range.start.line + 1}`,
    `endLine=${range.end.line + 1}`,
    `col=${range.start.character + 1}`,
    `endColumn=${range.end.character + 1}`,
    `title=${escapeProperty(code)}`,
  ];
  return `::${COMMANDS[severity]} ${properties.join(',')}::${escapeData(message)}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
