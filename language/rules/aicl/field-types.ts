import { CONTENT_START, type AiclNode } from '../../aicl/ast.ts';
import type { KnownFields } from '../../aicl/known-fields.ts';
import { TYPE_TAGS, type FieldRow, type ValueKind } from '../../../core/catalog/aicl.ts';
import { replaceFix } from '../../fix.ts';
import type { Fix } from '../../../core/text/issue.ts';
import { quote } from '../../../core/text/quote.ts';
import { joinWords } from '../../../core/text/count.ts';
import { isDecimalFloat, isInt } from './literals.ts';
import type { UnitReport } from './report.ts';

/** Maximum number of items reported per list. */
const MAX_ITEMS = 20;

/** Present fields must have the right type; the choice of error for this is ours (reading of LightAICL 3.3). */
export function checkTypes(report: UnitReport, fields: KnownFields, rows: readonly FieldRow[]): void {
  for (const row of rows) {
    const value = fields.of(row)?.value;
    if (!value) continue;
    if (!row.types.includes(value.kind)) {
      report.add(
        'aicl/field-type',
        value,
        `${quote(row.key)} is ${listKinds(row.types)}, not ${listKinds([value.kind])}`,
        mendType(report, value, row),
      );
    } else if (row.items && value.kind === 'list') checkItems(report, value.items, row, row.items);
  }
}

function checkItems(report: UnitReport, items: Iterable<AiclNode>, row: FieldRow, kind: ValueKind): void {
  let found = 0;
  for (const item of items) {
    if (item.kind === kind) continue;
    if (++found > MAX_ITEMS) return;
    const more = found === MAX_ITEMS ? '; others after it are not listed' : '';
    report.add(
      'aicl/field-type',
      item,
      `${quote(row.key)} is a list of ${kind}s, not of ${item.kind}s${more}`,
      retag(report, item, [kind]),
    );
  }
}

function mendType(report: UnitReport, value: AiclNode, row: FieldRow): readonly Fix[] {
  if (row.items !== value.kind || !row.types.includes('list')) return retag(report, value, row.types);
  const edits = [
    { span: { start: value.start, end: value.start }, newText: '[l:' },
    { span: { start: value.end, end: value.end }, newText: ']' },
  ];
  return [{ title: 'Put it into a list', edits, safe: false }];
}

/** A fix that changes the type letter, if the content is valid for one of the given types. */
export function retag(report: UnitReport, value: AiclNode, kinds: readonly ValueKind[]): readonly Fix[] {
  const meant = kinds.find(kind => isReadableAs(report, value, kind));
  const tag = TYPE_TAGS.find(row => row.name === meant)?.tag;
  if (meant === undefined || tag === undefined) return [];
  const letter = { start: value.start + 1, end: value.start + 2 };
  return [replaceFix(`Write it as ${listKinds([meant])}`, letter, tag, { safe: false })];
}

function isReadableAs(report: UnitReport, value: AiclNode, kind: ValueKind): boolean {
  switch (kind) {
    case 'text':
      return value.kind === 'int' || value.kind === 'float' || value.kind === 'bool';
    case 'int':
      return isLiteral(value) && isInt(report.source(value));
    case 'float':
      return isLiteral(value) && isDecimalFloat(report.source(value));
    case 'bool':
      return isLiteral(value) && /^(true|false)$/.test(report.source(value));
    case 'list':
      return value.kind === 'dict' && isEmpty(value);
    case 'dict':
      return value.kind === 'list' && isEmpty(value);
    default:
      return false;
  }
}

/** Maximum length of a literal that a fix changes. */
const MAX_LITERAL = 20;

function isLiteral(value: AiclNode): value is Extract<AiclNode, { contentEnd: number }> {
  return 'contentEnd' in value && value.kind !== 'tensor' && value.end - value.start < MAX_LITERAL;
}

/** True for a value with only its brackets. */
function isEmpty(value: AiclNode): boolean {
  return value.end - value.start === CONTENT_START + 1;
}

function listKinds(kinds: readonly string[]): string {
  const named = kinds.map(kind => (kind === 'int' ? 'an int' : `a ${kind}`));
  return joinWords(named, 'or');
}
