import { contentSpan, type AtomNode, type DictNode } from '../../aicl/ast.ts';
import { unescapeText } from '../../aicl/escapes.ts';
import { isFieldKey, type KnownFields } from '../../aicl/known-fields.ts';
import type { FieldRow, MessageTypeRow } from '../../../core/catalog/aicl.ts';
import { replaceFix } from '../../fix.ts';
import type { Fix } from '../../../core/text/issue.ts';
import { quote } from '../../../core/text/quote.ts';
import { findSimilar } from '../../../core/text/similar.ts';
import { joinWords } from '../../../core/text/count.ts';
import { checkTypes } from './field-types.ts';
import { writeFields } from './new-fields.ts';
import type { UnitReport } from './report.ts';

/** A message with its type. */
interface Message {
  readonly root: DictNode;
  readonly fields: KnownFields;
  readonly type: MessageTypeRow;
}

/** The required fields of a message type must be present, and present fields must have the right type. */
export function checkFields(
  report: UnitReport,
  root: DictNode,
  fields: KnownFields,
  type: MessageTypeRow,
): void {
  const missing = missingFields(fields, type);
  if (missing.length > 0) {
    const message = { root, fields, type };
    for (const choice of missing) reportMissing(report, message, choice, missing);
  }
  checkTypes(report, fields, type.fields);
}

/** The missing fields of a message; each entry is one field, or alternatives of which one is sufficient. */
export function missingFields(
  fields: KnownFields,
  { fields: rows, oneOf }: MessageTypeRow,
): readonly (readonly FieldRow[])[] {
  const missing: (readonly FieldRow[])[] = [];
  for (const row of rows) if (row.required && !fields.of(row)) missing.push([row]);
  if (oneOf && !rows.some(row => oneOf.includes(row.key) && fields.of(row)))
    missing.push(rows.filter(row => oneOf.includes(row.key)));
  return missing;
}

/** Reports a missing field, at a misspelt key if there is one, otherwise at the message type. */
function reportMissing(
  report: UnitReport,
  { root, fields, type }: Message,
  choice: readonly FieldRow[],
  missing: readonly (readonly FieldRow[])[],
): void {
  const names = choice.map(row => row.key);
  const misspelt = findMisspelt(report, root, names);
  if (misspelt) {
    report.add(
      'aicl/missing-field',
      misspelt.key,
      `${quote(misspelt.name)}: did you mean '${misspelt.meant}', which ${type.name} needs?`,
      [replaceFix(`Write '${misspelt.meant}'`, contentSpan(misspelt.key), misspelt.meant, { safe: false })],
    );
    return;
  }
  const listed = joinWords(
    names.map(name => `'${name}'`),
    'or',
  );
  const first = choice.slice(0, 1);
  const all = missing.flatMap(rows => rows.slice(0, 1));
  report.add(
    'aicl/missing-field',
    fields.get('msg_type')?.value ?? root,
    `${type.name} needs the field ${listed}`,
    [
      ...(all.length > 1 ? addFix(report, root, fields, all, 'Add all missing fields') : []),
      ...addFix(report, root, fields, first, `Add '${names[0] ?? ''}'`),
    ],
  );
}

/** Maximum number of keys compared with a missing name; later ones are probably data. */
const MAX_LOOKED_AT = 200;

/** An unknown key that is similar to one of the names. */
export function findMisspelt<Name extends string>(
  report: UnitReport,
  { pairs }: DictNode,
  names: readonly Name[],
): { readonly key: AtomNode; readonly name: string; readonly meant: Name } | undefined {
  let left = MAX_LOOKED_AT;
  for (const { key } of pairs) {
    if (left-- === 0) return undefined;
    const name = unescapeText(report.source(key));
    const meant = isFieldKey(name) ? undefined : findSimilar(name, names);
    if (meant !== undefined) return { key, name, meant };
  }
  return undefined;
}

function addFix(
  report: UnitReport,
  { pairs }: DictNode,
  fields: KnownFields,
  rows: readonly FieldRow[],
  title: string,
): readonly Fix[] {
  const last = pairs.at(-1);
  if (!last) return [];
  const before = pairs.at(-2);
  // A new field gets the same white space as the last pair.
  const between = before ? report.slice({ start: before.end, end: last.start }) : '';
  const space = between.slice(between.trimEnd().length);
  const added = writeFields(report, fields, rows).map(field => `,${space}${field}`);
  return [replaceFix(title, { start: last.end, end: last.end }, added.join(''), { safe: false })];
}
