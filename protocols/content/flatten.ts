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
import { dictOf } from '../message/dicts.ts';
import { joinPath, type Report } from '../../core/message/report.ts';
import { canonical, unmarked } from './canonical.ts';
import { dataPart, listParts, partOf, readParts, writeParts, type Part } from './part.ts';

/**
 * Turns the items of a message into one content, for a protocol without conversations. Reports this, and what
 * changes about each item.
 */
export function flattened(given: Message, title: string, report: Report): Message {
  if (given.fields.items?.kind !== 'list') return given;
  const plain = canonical(given);
  const { items, data, content, task } = plain.fields;
  if (items?.kind !== 'list') return plain;
  const ownRole = given.kind === 'task' ? 'user' : 'assistant';
  const parts = items.items.flatMap((item, index) => {
    const { parts: stated, changed, hidden } = readItem(item, ownRole);
    const path = joinPath('items', index);
    reportHidden(hidden, path, title, report);
    if (changed !== undefined) report.lose('moved', path, `${title} has no conversation: ${changed}`, item);
    // An empty message alone is an empty content.
    if (stated.length === 0 && unmarked(given).fields.items)
      report.lose('dropped', path, `${title} has no place for an item of the type ${typeOf(item)}`, item);
    return stated;
  });
  if (items.items.length !== 1 || content || data || task)
    report.lose(
      'moved',
      'items',
      `${title} has no conversation; its items are written as one content`,
      items,
    );
  const fields = {
    ...given.fields,
    items: undefined,
    data: undefined,
    content: writeParts([...listParts({ content, data }), ...parts]),
  };
  return canonical(message(given.kind, fields));
}

/** Turns all items into messages of a user or an assistant, for a protocol that has no others. */
export function asMessages(given: Message, title: string, report: Report): Message {
  const { items } = given.fields;
  if (items?.kind !== 'list') return given;
  const messages = items.items.flatMap((item, index) => {
    const role = textIn(findEntry(item, 'role')) ?? '';
    if (typeOf(item) === 'message' && ROLES.has(role)) return [item];
    const path = joinPath('items', index);
    const { parts, hidden } = readItem(item, role);
    reportHidden(hidden, path, title, report);
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

function reportHidden(
  hidden: readonly string[] | undefined,
  path: string,
  title: string,
  report: Report,
): void {
  if (hidden && hidden.length > 0)
    report.lose('dropped', path, `${title} has no place for members of an item: ${hidden.join(', ')}`);
}

const ROLES: ReadonlySet<string> = new Set(['user', 'assistant']);

/** The role of an item that has none of the two: outputs and other messages are the user's, calls the assistant's. */
function roleOf(item: Value): 'user' | 'assistant' {
  const type = typeOf(item);
  return type === 'message' || type.endsWith('_output') ? 'user' : 'assistant';
}

/** A message of a conversation. */
export function messageItem(role: string, content: Value | undefined): DictValue {
  return dictOf({ type: textValue('message'), role: textValue(role), content });
}

interface ReadItem {
  readonly parts: readonly Part[];
  /** The change that the parts do not show, as the end of a sentence. */
  readonly changed?: string;
  /** The names of the item's members that the parts do not show, without the marks of its form. */
  readonly hidden?: readonly string[];
}

/** The names of an item's members, without those of `shown`; `rest` has those that only its protocol has. */
function hiddenOf(item: Value, shown: readonly string[]): readonly string[] {
  const entries = item.kind === 'dict' ? item.entries : [];
  return entries.flatMap(({ key, value }) => {
    if (shown.includes(key)) return [];
    if (key !== 'rest' || value.kind !== 'dict') return [key];
    return value.entries.flatMap(own =>
      own.value.kind === 'dict'
        ? own.value.entries.map(entry => entry.key).filter(name => !name.startsWith('$'))
        : [own.key],
    );
  });
}

function readItem(item: Value, ownRole: string): ReadItem {
  const content = readParts(findEntry(item, 'content'));
  const role = textIn(findEntry(item, 'role'));
  if (typeOf(item) === 'message' && content) {
    const hidden = hiddenOf(item, ['type', 'role', 'content']);
    if (role === ownRole) return { parts: content, hidden };
    const whose = role === undefined ? 'a message without a role' : `the message of the ${role}`;
    return { parts: content, hidden, changed: `${whose} is written among the rest` };
  }
  const output = typeOf(item) === 'function_call_output' ? findEntry(item, 'output') : undefined;
  if (output)
    return {
      parts: readParts(output) ?? [partOf(output)],
      changed: 'the output of a call is written among the rest',
      hidden: hiddenOf(item, ['type', 'output']),
    };
  const body = typeOf(item) === 'reasoning' ? undefined : withoutRest(item);
  return body
    ? {
        parts: [dataPart(body)],
        changed: `an item of the type ${typeOf(item)} is data`,
        hidden: hiddenOf(
          item,
          body.entries.map(({ key }) => key),
        ),
      }
    : { parts: [] };
}

/** An item without `rest`; undefined if it has nothing but a type. */
function withoutRest(item: Value): DictValue | undefined {
  if (item.kind !== 'dict') return undefined;
  const body = item.entries.filter(({ key }) => key !== 'rest');
  return body.some(({ key }) => key !== 'type') ? dictValue(body) : undefined;
}

function typeOf(item: Value): string {
  return textIn(findEntry(item, 'type')) ?? '';
}
