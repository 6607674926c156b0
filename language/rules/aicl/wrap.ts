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
  const close = { start: end - start, end: end - start };
  const title = 'Wrap it in a message';
  if (tree.kind === 'value') {
    const open = `[d:[s:protocol]:[s:${AICL_PROTOCOL}],[s:session_id]:[s:${NEW_SESSION}],[s:msg_type]:[s:${VALUE_TYPE}],[s:data]:`;
    return [
      {
        title,
        edits: [
          { span: { start: 0, end: 0 }, newText: open },
          { span: close, newText: ']' },
        ],
        safe: false,
      },
    ];
  }
  const fields = new KnownFields(report.reading.text, report.reading.base, tree.pairs);
  const header = headerEdits(report, tree.pairs, fields);
  if (!header) return [];
  const open = { span: { start: 0, end: 0 }, newText: '[d:' };
  const required = requiredFields(report, fields);
  // After a trailing comma, commas follow the added fields instead of preceding them.
  const added =
    tree.trailingComma < 0 ? required.map(field => `,${field}`) : required.map(field => `${field},`);
  return [{ title, edits: [open, ...header, { span: close, newText: `${added.join('')}]` }], safe: false }];
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
