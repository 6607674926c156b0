import { message, type Message } from '../../core/message/message.ts';
import {
  dictValue,
  findEntry,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../core/values/value.ts';
import { joinPath, type Report } from '../../core/message/report.ts';
import { canonical } from './canonical.ts';
import { dataPart, partOf, readParts, writeParts, type Part } from './part.ts';

/**
 * A message without items, for a protocol that has no conversations: what its items say is its content. That they are one
 * now, and what each of them was, is told.
 */
export function flattened(given: Message, title: string, report: Report): Message {
  const { items, data, content, task } = given.fields;
  if (items?.kind !== 'list') return given;
  const ownRole = given.kind === 'task' ? 'user' : 'assistant';
  const parts = items.items.flatMap((item, index) => {
    const { parts: said, changed } = readItem(item, ownRole);
    const path = joinPath('items', index);
    if (changed !== undefined) report.lose('moved', path, `${title} has no conversation: ${changed}`, item);
    if (said.length === 0)
      report.lose('dropped', path, `${title} has no place for an item of the type ${typeOf(item)}`, item);
    return said;
  });
  if (items.items.length !== 1 || content || data || (task && textIn(task) !== ''))
    report.lose('moved', 'items', `${title} has no conversation; its items stand in one content`, items);
  const before = [
    ...(content ? (readParts(content) ?? [partOf(content)]) : []),
    ...(data ? [partOf(data)] : []),
  ];
  const fields = {
    ...given.fields,
    items: undefined,
    data: undefined,
    content: writeParts([...before, ...parts]),
  };
  return canonical(message(given.kind, fields));
}

/** A conversation whose items are all messages of a user or an assistant, for a protocol that knows no others. */
export function asMessages(given: Message, title: string, report: Report): Message {
  const { items } = given.fields;
  if (items?.kind !== 'list') return given;
  const messages = items.items.flatMap((item, index) => {
    const role = textIn(findEntry(item, 'role')) ?? '';
    if (typeOf(item) === 'message' && ROLES.has(role)) return [item];
    const path = joinPath('items', index);
    const { parts } = readItem(item, role);
    if (parts.length === 0) {
      report.lose('dropped', path, `${title} has no place for an item of the type ${typeOf(item)}`, item);
      return [];
    }
    report.lose(
      'moved',
      path,
      `${title} has messages of a user and an assistant only; this is one of the ${roleOf(item)}`,
      item,
    );
    return [messageItem(roleOf(item), writeParts(parts))];
  });
  return message(given.kind, { ...given.fields, items: listValue(messages) });
}

const ROLES: ReadonlySet<string> = new Set(['user', 'assistant']);

/** Who says an item that is no message of either: what an agent calls is the assistant's. */
function roleOf(item: Value): 'user' | 'assistant' {
  const type = typeOf(item);
  return type === 'message' || type.endsWith('_output') ? 'user' : 'assistant';
}

/** A message of a conversation. */
export function messageItem(role: string, content: Value | undefined): DictValue {
  return dictValue([
    { key: 'type', value: textValue('message') },
    { key: 'role', value: textValue(role) },
    { key: 'content', value: content },
  ]);
}

interface ReadItem {
  readonly parts: readonly Part[];
  /** What became of the item, where its parts alone do not say it. */
  readonly changed?: string;
}

function readItem(item: Value, ownRole: string): ReadItem {
  const content = readParts(findEntry(item, 'content'));
  const role = textIn(findEntry(item, 'role')) ?? ownRole;
  if (typeOf(item) === 'message' && content)
    return role === ownRole
      ? { parts: content }
      : { parts: content, changed: `what the ${role} says stands among the rest` };
  const output = typeOf(item) === 'function_call_output' ? findEntry(item, 'output') : undefined;
  if (output)
    return {
      parts: readParts(output) ?? [partOf(output)],
      changed: 'the output of a call stands among the rest',
    };
  const body = typeOf(item) === 'reasoning' ? undefined : withoutRest(item);
  return body
    ? { parts: [dataPart(body)], changed: `an item of the type ${typeOf(item)} is data` }
    : { parts: [] };
}

/** What an item says beside its type and what only one protocol knows; undefined for nothing. */
function withoutRest(item: Value): DictValue | undefined {
  if (item.kind !== 'dict') return undefined;
  const body = item.entries.filter(({ key }) => key !== 'rest');
  return body.some(({ key }) => key !== 'type') ? dictValue(body) : undefined;
}

function typeOf(item: Value): string {
  return textIn(findEntry(item, 'type')) ?? '';
}
