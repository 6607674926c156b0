import type { UnitTree } from '../../aicl/ast.ts';
import { KnownFields } from '../../aicl/known-fields.ts';
import { AICL_PROTOCOL, type MessageTypeName } from '../../../core/catalog/aicl.ts';
import type { Fix } from '../../../core/text/issue.ts';
import { missingFields } from './fields.ts';
import { headerEdits } from './header-fix.ts';
import { guessType, NEW_SESSION, writeFields } from './new-fields.ts';
import type { UnitReport } from './report.ts';

/** The most likely message type for a single value. */
const VALUE_TYPE: MessageTypeName = 'result';

/**
 * Fixes that turn a fragment into a message: a value becomes the data of a result; pairs get the fields that
 * they lack.
 */
export function wrapFixes(report: UnitReport, tree: Exclude<UnitTree, { kind: 'message' }>): readonly Fix[] {
  const { start, end, faults } = report.reading;
  if (faults.length > 0) return [];
  if (tree.kind === 'value') return wrapValue(report);
  const close = { start: end - start, end: end - start };
  const fields = new KnownFields(report.reading.text, report.reading.base, tree.pairs);
  const header = headerEdits(report, tree.pairs, fields);
  if (!header) return [];
  const open = { span: { start: 0, end: 0 }, newText: '[d:' };
  const required = requiredFields(report, fields);
  // After a trailing comma, commas follow the added fields instead of preceding them.
  const added =
    tree.trailingComma < 0 ? required.map(field => `,${field}`) : required.map(field => `${field},`);
  return [
    { title: TITLE, edits: [open, ...header, { span: close, newText: `${added.join('')}]` }], safe: false },
  ];
}

const TITLE = 'Wrap it in a message';

/** The fix that makes a value the data of a result. */
export function wrapValue({ reading: { start, end } }: UnitReport): readonly Fix[] {
  const open = `[d:[s:protocol]:[s:${AICL_PROTOCOL}],[s:session_id]:[s:${NEW_SESSION}],[s:msg_type]:[s:${VALUE_TYPE}],[s:data]:`;
  const close = { start: end - start, end: end - start };
  const edits = [
    { span: { start: 0, end: 0 }, newText: open },
    { span: close, newText: ']' },
  ];
  return [{ title: TITLE, edits, safe: false }];
}

/** The missing required fields of the type that the pairs fit best; none if they name a type. */
function requiredFields(report: UnitReport, fields: KnownFields): readonly string[] {
  if (fields.get('msg_type')) return [];
  const choices = missingFields(fields, guessType(fields));
  return writeFields(
    report,
    fields,
    choices.flatMap(choice => choice.slice(0, 1)),
  );
}
