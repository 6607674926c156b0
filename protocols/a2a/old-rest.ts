import {
  dictValue,
  findEntry,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type Entry,
  type Value,
} from '../../core/values/value.ts';
import { A2A_RESULTS, stateName } from './results.ts';

/**
 * HTTP+JSON of A2A 0.3 is the JSON of its protocol buffers. It differs from the JSON-RPC of that version: messages have
 * `content` instead of `parts`, parts have no `kind`, data and files have a wrapper each, roles and states are written
 * in capitals, and results are wrapped instead of having a `kind`.
 */

/** True if a result or an event has a message in this form. */
export function hasOldMessages(value: Value | undefined): boolean {
  if (value?.kind !== 'dict') return false;
  if (['message', 'update'].some(key => isOldMessage(findEntry(value, key)))) return true;
  return ['task', 'status', 'statusUpdate'].some(key => hasOldMessages(findEntry(value, key)));
}

function isOldMessage(value: Value | undefined): boolean {
  return findEntry(value, 'content')?.kind === 'list' && !findEntry(value, 'parts');
}

/** A member of a request, as JSON-RPC. */
export function readOldMember({ key, value }: Entry): Entry {
  if (key === 'message' && isOldMessage(value)) return { key, value: readMessage(value) };
  if (key !== 'configuration') return { key, value };
  return {
    key,
    value: changeMembers(value, {}, new Map([['pushNotification', 'pushNotificationConfig']])),
  };
}

/** A result or an event, as JSON-RPC; any other value is returned unchanged. */
export function readOldResult(value: DictValue): Value {
  const [only, ...others] = value.entries;
  const row = A2A_RESULTS.find(({ name }) => name === only?.key);
  if (row && only && others.length === 0 && only.value.kind === 'dict') {
    return row.name === 'message' ? readMessage(only.value) : addKind(row.kind, readEvent(only.value));
  }
  const isTask = findEntry(findEntry(value, 'status'), 'state') && findEntry(value, 'id');
  return isTask ? addKind('task', readEvent(value)) : value;
}

type Change = (value: Value) => Value;

/** Replaces members that exist; `names` are new keys. */
function changeMembers(
  value: Value,
  changes: Readonly<Record<string, Change>>,
  names: ReadonlyMap<string, string> = new Map(),
): Value {
  if (value.kind !== 'dict') return value;
  return dictValue(
    value.entries.map(entry => ({
      key: names.get(entry.key) ?? entry.key,
      value: changes[entry.key]?.(entry.value) ?? entry.value,
    })),
  );
}

function changeItems(change: Change): Change {
  return value => (value.kind === 'list' ? listValue(value.items.map(change)) : value);
}

function changeText(change: (text: string) => string): Change {
  return value => (value.kind === 'text' ? textValue(change(value.text)) : value);
}

function readEvent(event: Value): Value {
  return changeMembers(event, {
    status: readStatus,
    artifact: readArtifact,
    artifacts: changeItems(readArtifact),
    history: changeItems(readMessage),
  });
}

function readStatus(status: Value): Value {
  const names = new Map([['update', 'message']]);
  return changeMembers(
    status,
    { state: changeText(stateName), message: readMessage, update: readMessage },
    names,
  );
}

function readArtifact(artifact: Value): Value {
  return changeMembers(artifact, { parts: changeItems(readPart) });
}

function readMessage(message: Value): Value {
  const read = changeMembers(
    message,
    {
      role: changeText(role => role.replace(/^ROLE_/, '').toLowerCase()),
      content: changeItems(readPart),
      parts: changeItems(readPart),
    },
    new Map([['content', 'parts']]),
  );
  return addKind('message', read);
}

const FILE_NAMES: ReadonlyMap<string, string> = new Map([
  ['fileWithUri', 'uri'],
  ['fileWithBytes', 'bytes'],
]);

function readPart(part: Value): Value {
  if (textIn(findEntry(part, 'text')) !== undefined) return addKind('text', part);
  if (findEntry(part, 'file')?.kind === 'dict')
    return addKind('file', changeMembers(part, { file: file => changeMembers(file, {}, FILE_NAMES) }));
  if (findEntry(part, 'data')?.kind !== 'dict') return part;
  return addKind('data', changeMembers(part, { data: data => findEntry(data, 'data') ?? dictValue([]) }));
}

function addKind(kind: string, value: Value): Value {
  if (value.kind !== 'dict' || findEntry(value, 'kind')) return value;
  return dictValue([{ key: 'kind', value: textValue(kind) }, ...value.entries]);
}
