import { PRODUCT } from '../../../core/catalog/product.ts';
import { findRule, ruleUrl } from '../../../core/catalog/rules.ts';
import type { Severity } from '../../../core/text/issue.ts';
import type { Finding } from '../findings.ts';
import { printJson } from './json.ts';

const LEVELS: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  information: 'note',
  hint: 'note',
};

/** Prints a SARIF 2.1.0 log with one run. Lines and columns count from 1, columns in UTF-16 code units. */
export function printSarif(findings: readonly Finding[]): string {
  const codes = [...new Set(findings.map(finding => finding.code))].sort();
  return printJson({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: PRODUCT.title,
            version: PRODUCT.version,
            informationUri: PRODUCT.url,
            rules: codes.map(describeRule),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: findings.map(finding => toResult(finding, codes.indexOf(finding.code))),
      },
    ],
  });
}

function describeRule(code: string): unknown {
  const row = findRule(code);
  return row ? { id: code, shortDescription: { text: row.title }, helpUri: ruleUrl(code) } : { id: code };
}

function toResult({ file, range, severity, code, message }: Finding, ruleIndex: number): unknown {
  return {
    ruleId: code,
    ruleIndex,
    level: LEVELS[severity],
    message: { text: message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: toUri(file) },
          region: {
            startLine: range.start.line + 1,
            startColumn: range.start.character + 1,
            endLine: range.end.line + 1,
            endColumn: range.end.character + 1,
          },
        },
      },
    ],
  };
}

/** A file name as a relative URI reference: characters that are not allowed in a URI are encoded, slashes are not. */
function toUri(file: string): string {
  return file.split('/').map(encodeURIComponent).join('/');
}
