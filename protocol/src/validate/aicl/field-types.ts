import type { AiclNode, PairNode } from '../../aicl/ast.ts';
import type { FieldRow } from '../../catalog/aicl.ts';
import { quote } from '../../text/quote.ts';
import { joinWords } from '../../text/words.ts';
import type { UnitReport } from './report.ts';

/** A message's fields by key, the last one where a key stands twice. */
export type Fields = ReadonlyMap<string, PairNode>;

/** Types of fields that are present: the wrong one is our choice of error by name (reading of LightAICL 3.3). */
export function checkTypes(report: UnitReport, fields: Fields, rows: readonly FieldRow[]): void {
  for (const row of rows) {
    const value = fields.get(row.key)?.value;
    if (!value) continue;
    if (!row.types.includes(value.kind)) {
      reportType(
        report,
        value,
        `${quote(row.key)} is ${listKinds(row.types)}, not ${listKinds([value.kind])}`,
      );
    } else if (row.items && value.kind === 'list') {
      const wrong = findOther(value.items, row.items);
      if (wrong)
        reportType(report, wrong, `${quote(row.key)} is a list of ${row.items}s, not of ${wrong.kind}s`);
    }
  }
}

function findOther(items: Iterable<AiclNode>, kind: AiclNode['kind']): AiclNode | undefined {
  for (const item of items) if (item.kind !== kind) return item;
  return undefined;
}

function reportType(report: UnitReport, node: AiclNode, message: string): void {
  report.add('aicl/field-type', node, message);
}

function listKinds(kinds: readonly string[]): string {
  const named = kinds.map(kind => (kind === 'int' ? 'an int' : `a ${kind}`));
  return joinWords(named, 'or');
}
