import { contentSpan } from '../../aicl/ast.ts';
import type { KnownFields } from '../../aicl/known-fields.ts';
import { findAiclError } from '../../../core/catalog/aicl.ts';
import { replaceFix } from '../../fix.ts';
import { quote } from '../../../core/text/quote.ts';
import { findErrorNamed } from './new-fields.ts';
import type { UnitReport } from './report.ts';

/** The code of an error message must be known, and its reason must not be that of another code. */
export function checkErrorCode(report: UnitReport, fields: KnownFields): void {
  const code = fields.get('code')?.value;
  if (code?.kind !== 'int') return;
  const source = report.source(code);
  if (!/^[+-]?\d{1,18}$/.test(source)) return;
  const row = findAiclError(Number(source));
  const named = findErrorNamed(report, fields);
  const span = contentSpan(code);
  const writeCode = named
    ? [replaceFix(`Write ${named.code}`, span, String(named.code), { safe: false })]
    : [];
  if (!row) {
    report.add(
      'aicl/unknown-error-code',
      span,
      `${quote(source)} is not an error code of LightAICL: tools that fail use 5000 to 5099`,
      writeCode,
    );
    return;
  }
  const reason = fields.get('reason')?.value;
  if (!named || named === row || reason?.kind !== 'text') return;
  const reasonSpan = contentSpan(reason);
  report.add(
    'aicl/reason-mismatch',
    reasonSpan,
    `${quote(report.source(reason))} is the reason of ${named.code}; ${source} is ${row.name}`,
    [replaceFix(`Write '${row.name}'`, reasonSpan, row.name, { safe: false }), ...writeCode],
  );
}
