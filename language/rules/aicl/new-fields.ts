import { textOf } from '../../aicl/ast.ts';
import { escapeText } from '../../aicl/escapes.ts';
import type { KnownFields } from '../../aicl/known-fields.ts';
import {
  AICL_ERRORS,
  AICL_PROTOCOL,
  findAiclError,
  MESSAGE_TYPES,
  type AiclErrorRow,
  type FieldRow,
  type MessageTypeRow,
  type ValueKind,
} from '../../../core/catalog/aicl.ts';
import type { UnitReport } from './report.ts';

/** The empty value of each kind, for fields that a fix adds. */
const EMPTY_VALUES: Readonly<Record<ValueKind, string>> = {
  text: '[s:]',
  int: '[i:0]',
  float: '[f:0.0]',
  bool: '[b:false]',
  list: '[l:]',
  dict: '[d:]',
  tensor: '[t:uint8:0:]',
};

/** The session name that a fix inserts. */
export const NEW_SESSION = 'session';

/** Writes fields for a fix, with empty values, or with the values that the rest of the message determines. */
export function writeFields(
  report: UnitReport,
  fields: KnownFields,
  rows: readonly FieldRow[],
): readonly string[] {
  return rows.map(row => `[s:${row.key}]:${newValue(report, fields, row)}`);
}

const ERRORS: readonly AiclErrorRow[] = AICL_ERRORS;

function newValue(report: UnitReport, fields: KnownFields, { key, types }: FieldRow): string {
  switch (key) {
    case 'protocol':
      return `[s:${AICL_PROTOCOL}]`;
    case 'session_id':
      return `[s:${NEW_SESSION}]`;
    case 'msg_type':
      return `[s:${guessType(fields).name}]`;
    case 'code':
      return `[i:${(findErrorNamed(report, fields) ?? ERRORS.at(-1))?.code ?? 0}]`;
    case 'reason':
      return `[s:${escapeText(findErrorCoded(report, fields)?.name ?? '')}]`;
    default:
      return EMPTY_VALUES[types[0] ?? 'text'];
  }
}

/** The error whose name is the message's reason. */
export function findErrorNamed(report: UnitReport, fields: KnownFields): AiclErrorRow | undefined {
  const reason = fields.get('reason')?.value;
  if (reason?.kind !== 'text') return undefined;
  const name = textOf(report.reading.text, report.reading.base, reason);
  return ERRORS.find(row => row.name === name || row.alias === name);
}

function findErrorCoded(report: UnitReport, fields: KnownFields): AiclErrorRow | undefined {
  const code = fields.get('code')?.value;
  return code?.kind === 'int' ? findAiclError(Number(report.source(code))) : undefined;
}

/** The message type that has most of the fields; `result` if none has any. */
export function guessType(fields: KnownFields): MessageTypeRow {
  const rows: readonly MessageTypeRow[] = MESSAGE_TYPES;
  let [best, most]: [MessageTypeRow, number] = [MESSAGE_TYPES[3], 0];
  for (const row of rows) {
    const count = row.fields.filter(field => fields.of(field)).length;
    if (count > most) [best, most] = [row, count];
  }
  return best;
}
