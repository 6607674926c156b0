import { contentSpan, type DictNode } from '../../aicl/ast.ts';
import {
  COMMON_FIELDS,
  HEADER_FIELDS,
  type FieldRow,
  type MessageTypeRow,
  type ValueKind,
} from '../../catalog/aicl.ts';
import { replaceFix } from '../../text/fix.ts';
import { quote } from '../../text/quote.ts';
import { joinWords } from '../../text/words.ts';
import { findSimilar } from '../../text/similar.ts';
import { checkTypes, type Fields } from './field-types.ts';
import type { UnitReport } from './report.ts';

/** An empty value of each kind, for a field that a fix adds. */
const EMPTY_VALUES: Readonly<Record<ValueKind, string>> = {
  text: '[s:]',
  int: '[i:0]',
  float: '[f:0.0]',
  bool: '[b:false]',
  list: '[l:]',
  dict: '[d:]',
  tensor: '[t:uint8:0:]',
};

/** A message type's fields: the required ones are there, and those that are there have their type. */
export function checkFields(report: UnitReport, root: DictNode, fields: Fields, type: MessageTypeRow): void {
  const rows: readonly FieldRow[] = type.fields;
  const missing = rows.filter(row => row.required && !fields.has(row.key));
  for (const row of missing) reportMissing(report, root, fields, type, [row]);
  const { oneOf } = type;
  if (oneOf && !oneOf.some(key => fields.has(key))) {
    reportMissing(
      report,
      root,
      fields,
      type,
      rows.filter(row => oneOf.includes(row.key)),
    );
  }
  checkTypes(report, fields, rows);
}

/** Reports that one of these fields is needed, at a misspelt key where there is one, else at the message type. */
function reportMissing(
  report: UnitReport,
  root: DictNode,
  fields: Fields,
  type: MessageTypeRow,
  wanted: readonly FieldRow[],
): void {
  const names = wanted.map(row => row.key);
  const known = new Set([...type.fields, ...HEADER_FIELDS, ...COMMON_FIELDS].map(row => row.key));
  for (const [key, pair] of fields) {
    const meant = known.has(key) ? undefined : findSimilar(key, names);
    if (!meant) continue;
    const span = contentSpan(pair.key);
    report.add(
      'aicl/missing-field',
      pair.key,
      `${quote(key)}: did you mean '${meant}', which ${type.name} needs?`,
      [replaceFix(`Write '${meant}'`, span, meant, { safe: false })],
    );
    return;
  }
  const [first] = wanted;
  const end = root.pairs.at(-1)?.end ?? root.end - 1;
  const added = `,${spaceBetween(report, root)}[s:${first?.key ?? ''}]:${EMPTY_VALUES[first?.types[0] ?? 'text']}`;
  report.add(
    'aicl/missing-field',
    fields.get('msg_type')?.value ?? root,
    `${type.name} needs the field ${joinWords(
      names.map(name => `'${name}'`),
      'or',
    )}`,
    [replaceFix(`Add '${first?.key ?? ''}'`, { start: end, end }, added, { safe: false })],
  );
}

/** The white space that stands between the last two fields: a field that is added stands as they do. */
function spaceBetween(report: UnitReport, root: DictNode): string {
  const [before, last] = [root.pairs.at(-2), root.pairs.at(-1)];
  if (!before || !last) return '';
  return /\s*$/.exec(report.slice({ start: before.end, end: last.start }))?.[0] ?? '';
}
