import type { UnitTree } from '../../aicl/ast.ts';
import { KnownFields } from '../../aicl/known-fields.ts';
import { AICL_PROTOCOL, type MessageTypeName } from '../../../core/catalog/aicl.ts';
import type { Fix } from '../../../core/text/issue.ts';
import { missingFields } from './fields.ts';
import { headerEdits } from './header-fix.ts';
import { guessType, NEW_SESSION, writeFields } from './new-fields.ts';
import type { UnitReport } from './report.ts';

/** What a value alone most likely is. */
const VALUE_TYPE: MessageTypeName = 'result';

/** Makes a message of a fragment: a value becomes the data of a result; pairs get what a message of theirs lacks. */
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
  // After a trailing comma none is needed, and one remains.
  const added =
    tree.trailingComma < 0 ? required.map(field => `,${field}`) : required.map(field => `${field},`);
  return [{ title, edits: [open, ...header, { span: close, newText: `${added.join('')}]` }], safe: false }];
}

/** What the type still needs: the one that the pairs name, or the one that they fit. */
function requiredFields(report: UnitReport, fields: KnownFields): readonly string[] {
  if (fields.get('msg_type')) return [];
  const choices = missingFields(fields, guessType(fields));
  return writeFields(
    report,
    fields,
    choices.flatMap(choice => choice.slice(0, 1)),
  );
}
