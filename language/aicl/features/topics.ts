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

/** What is told of each kind of topic by the name that follows it. A client sends topics back: any text may come. */
const TOPICS = new Map<string, (name: string) => string | undefined>([
  ['message', name => tell(findMessageType(name), describeMessageType)],
  ['field', describeFieldName],
  [
    'tag',
    name =>
      tell(
        TYPE_TAGS.find(row => row.name === name),
        describeTag,
      ),
  ],
  ['dtype', name => tell(findDtype(name), describeDtype)],
  ['error', name => tell(findErrorNamed(name), describeAiclError)],
  ['directive', describeDirectiveName],
]);

/** The documentation of a topic, `kind name`; undefined for a text that is none. */
export function describeTopic(topic: string): string | undefined {
  const [kind = '', name = ''] = topic.split(' ', 2);
  return TOPICS.get(kind)?.(name);
}

function tell<Row>(row: Row | undefined, describe: (row: Row) => string): string | undefined {
  return row === undefined ? undefined : describe(row);
}

/** The topic of a field; its owner is a message type, or none for fields of every message. */
export function fieldTopic(row: FieldRow, owner: MessageTypeRow | undefined): string {
  return `field ${owner?.name ?? ''}.${row.key}`;
}

function describeFieldName(name: string): string | undefined {
  const dot = name.indexOf('.');
  const found = findField(findMessageType(name.slice(0, dot)), name.slice(dot + 1));
  return found && describeField(found.row, found.owner);
}

/** A message type by its name. */
export function findMessageType(name: string): MessageTypeRow | undefined {
  return MESSAGE_TYPES.find(row => row.name === name);
}

/** What the tables say about a key of a message of a type: a field of every message, or one of the type's own. */
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

/** The row of an error's reason, by its name or the other name that the documents use. */
export function findErrorNamed(name: string): AiclErrorRow | undefined {
  const rows: readonly AiclErrorRow[] = AICL_ERRORS;
  return rows.find(row => row.name === name || row.alias === name);
}

/** The row of an error's code as it is written; undefined where it is no number or has no row. */
export function findErrorCoded(source: string): AiclErrorRow | undefined {
  return /^\+?\d{1,15}$/.test(source) ? findAiclError(Number(source)) : undefined;
}
