import {
  AICL_ERRORS,
  COMMON_FIELDS,
  HEADER_FIELDS,
  MESSAGE_TYPES,
  TYPE_TAGS,
  findAiclError,
  type AiclErrorRow,
  type FieldRow,
  type MessageTypeRow,
} from '../../../core/catalog/aicl.ts';
import { findDtype } from '../../../core/catalog/dtypes.ts';
import {
  describeAiclError,
  describeDtype,
  describeField,
  describeMessageType,
  describeTag,
} from '../../../core/catalog/describe.ts';
import { describeDirectiveName } from '../../directive-help.ts';

/** Documentation by kind of topic and the name after it. Topics come back from clients, so any text must be handled. */
const TOPICS = new Map<string, (name: string) => string | undefined>([
  ['message', name => report(findMessageType(name), describeMessageType)],
  ['field', describeFieldName],
  [
    'tag',
    name =>
      report(
        TYPE_TAGS.find(row => row.name === name),
        describeTag,
      ),
  ],
  ['dtype', name => report(findDtype(name), describeDtype)],
  ['error', name => report(findErrorNamed(name), describeAiclError)],
  ['directive', describeDirectiveName],
]);

/** The documentation of a topic, `kind name`; undefined for an unknown topic. */
export function describeTopic(topic: string): string | undefined {
  const [kind = '', name = ''] = topic.split(' ', 2);
  return TOPICS.get(kind)?.(name);
}

function report<Row>(row: Row | undefined, describe: (row: Row) => string): string | undefined {
  return row === undefined ? undefined : describe(row);
}

/** The topic of a field; `owner` is its message type, or undefined for fields common to all messages. */
export function fieldTopic(row: FieldRow, owner: MessageTypeRow | undefined): string {
  return `field ${owner?.name ?? ''}.${row.key}`;
}

function describeFieldName(name: string): string | undefined {
  const dot = name.indexOf('.');
  const found = findField(findMessageType(name.slice(0, dot)), name.slice(dot + 1));
  return found && describeField(found.row, found.owner);
}

/** The catalog row of a message type, by name. */
export function findMessageType(name: string): MessageTypeRow | undefined {
  return MESSAGE_TYPES.find(row => row.name === name);
}

/** The catalog row of a message field, by key: a field common to all messages, or one of the type's own. */
export function findField(
  type: MessageTypeRow | undefined,
  key: string,
): { readonly row: FieldRow; readonly owner: MessageTypeRow | undefined } | undefined {
  const common: readonly FieldRow[] = [...HEADER_FIELDS, ...COMMON_FIELDS];
  const row = common.find(candidate => candidate.key === key);
  if (row) return { row, owner: undefined };
  const own = type?.fields.find(candidate => candidate.key === key);
  return own && { row: own, owner: type };
}

/** The row of an error, by its name or by the alias that the documents use. */
export function findErrorNamed(name: string): AiclErrorRow | undefined {
  const rows: readonly AiclErrorRow[] = AICL_ERRORS;
  return rows.find(row => row.name === name || row.alias === name);
}

/** The row of an error, by its code as written; undefined for other text and unknown codes. */
export function findErrorCoded(source: string): AiclErrorRow | undefined {
  return /^\+?\d{1,15}$/.test(source) ? findAiclError(Number(source)) : undefined;
}
