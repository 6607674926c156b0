import { contentSpan } from '../../aicl/ast.ts';
import { AICL_ERRORS, findAiclError, type AiclErrorRow } from '../../catalog/aicl.ts';
import { quote } from '../../text/quote.ts';
import type { Fields } from './field-types.ts';
import type { UnitReport } from './report.ts';

const ROWS: readonly AiclErrorRow[] = AICL_ERRORS;

/** The code of an error message is known, and its reason does not name another one. */
export function checkErrorCode(report: UnitReport, fields: Fields): void {
  const code = fields.get('code')?.value;
  if (code?.kind !== 'int') return;
  const source = report.source(code);
  if (!/^[+-]?\d{1,18}$/.test(source)) return;
  const row = findAiclError(Number(source));
  if (!row) {
    report.add(
      'aicl/unknown-error-code',
      contentSpan(code),
      `${quote(source)} is no error code of LightAICL: tools that fail use 5000 to 5099`,
    );
    return;
  }
  const reason = fields.get('reason')?.value;
  if (reason?.kind !== 'text') return;
  const name = report.source(reason);
  const other = ROWS.find(candidate => candidate.name === name || candidate.alias === name);
  if (other && other !== row) {
    report.add(
      'aicl/reason-mismatch',
      contentSpan(reason),
      `${quote(name)} is the reason of ${other.code}; ${source} is ${row.name}`,
    );
  }
}
