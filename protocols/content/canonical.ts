import type { MessageField, MessageKind } from '../../core/catalog/message-kinds.ts';
import { message, withoutField, type Message } from '../../core/message/message.ts';
import {
  dictValue,
  findEntry,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../core/values/value.ts';
import { spokenBy } from '../conversation/items.ts';
import { Members } from '../message/members.ts';
import { joinPath } from '../../core/message/report.ts';
import { readHeld } from './media.ts';
import {
  isPlain,
  listParts,
  onlyPlain,
  partOf,
  readPart,
  readParts,
  textPart,
  writePart,
  writeParts,
  type Part,
} from './part.ts';
import { findPart } from '../../core/catalog/media.ts';

/**
 * The canonical form of a message. Its content is in `data` if it is one plain value, in `task` if it is the
 * one plain text of a task, else in `content` as parts.
 */
export function canonical(given: Message): Message {
  const plain = given.kind === 'task' ? canonicalTask(given) : canonicalReply(given);
  const spoken = onlySpoken(plain);
  if (!spoken) return plain;
  const others = { ...plain.fields, items: undefined, task: undefined, data: undefined };
  return canonical(message(plain.kind, { ...others, content: writeParts(spoken) }));
}

function canonicalReply(given: Message): Message {
  const { kind, fields } = given;
  if ((kind !== 'result' && kind !== 'chunk') || !fields.content) return given;
  const parts = listParts(fields);
  const data = onlyPlain(parts, 'text') ?? onlyPlain(parts, 'data');
  return message(kind, { ...fields, data, content: data ? undefined : writeParts(parts) });
}

/** The content of the only item of a conversation, if the message has no other content than an empty text. */
function onlySpoken({ kind, fields }: Message): readonly Part[] | undefined {
  const { items, content, data, task } = fields;
  if (items?.kind !== 'list' || items.items.length !== 1 || content) return undefined;
  if ([data, task].some(value => value && textIn(value) !== '')) return undefined;
  return spokenBy(items.items[0], kind === 'task' ? 'user' : 'assistant');
}

function canonicalTask(given: Message): Message {
  const { task, content, constraints } = given.fields;
  const inputs = readInputs(findEntry(constraints, INPUTS));
  const limits = new Members(constraints);
  if (inputs) limits.take(INPUTS);
  const isSimple = !content && !inputs && task?.kind === 'text' && task.text !== '';
  if (isSimple && (!constraints || limits.size > 0)) return given;
  const hasTask = task && !(textIn(task) === '' && (content ?? inputs));
  const parts = [...(hasTask ? [partOf(task)] : []), ...(content ? partsOf(content) : []), ...(inputs ?? [])];
  const text = onlyPlain(parts, 'text');
  const left = constraints?.kind === 'dict' ? limits.left() : constraints;
  const fields = {
    ...given.fields,
    task: text,
    content: text ? undefined : writeParts(parts),
    constraints: left,
  };
  return message('task', fields);
}

/** The member of an AICL task's constraints with its further inputs (reading of AIO-MCP, section 4). */
const INPUTS = 'inputs';

function partsOf(content: Value): readonly Part[] {
  return readParts(content) ?? [partOf(content)];
}

/** Reads the inputs of a task, each a part or a typed AIO value; undefined if any is neither. */
function readInputs(inputs: Value | undefined): readonly Part[] | undefined {
  if (inputs?.kind !== 'list' || inputs.items.length === 0) return undefined;
  const parts = inputs.items.map(item => readPart(item) ?? readWholly(item));
  const found = parts.filter(part => part !== undefined);
  return found.length === parts.length ? found : undefined;
}

function readWholly(item: Value): Part | undefined {
  const members = new Members(item);
  const part = readTyped(members);
  return members.size === 0 ? part : undefined;
}

/**
 * Splits the content of a task for AICL: its first text, and everything else as inputs before or after those that its
 * constraints have; undefined if the constraints have no place for inputs. One empty text is no input.
 */
export function splitTask(
  content: Value,
  constraints: Value | undefined,
): { readonly task: Value; readonly constraints: Value | undefined } | undefined {
  const stated = findEntry(constraints, INPUTS);
  const inputs = stated ? readInputs(stated) : [];
  if (!inputs || (constraints && constraints.kind !== 'dict')) return undefined;
  const [first, ...others] = [...partsOf(content), ...inputs];
  const isTask =
    first?.type === 'text' &&
    isPlain(withoutMarks(first)) &&
    (textIn(first.value) !== '' || others.length === 0);
  const left = new Members(constraints);
  left.take(INPUTS);
  left.put(INPUTS, writeParts(isTask || !first ? others : [first, ...others]));
  return {
    task: isTask ? first.value : textValue(''),
    constraints: constraints || left.size > 0 ? dictValue(left.entries()) : undefined,
  };
}

/**
 * Reads a value `{type, value}` as AIO has them: a text, base64, or a URL, optionally with a media type and a
 * name. Takes its members; undefined for a value of another form.
 */
export function readTyped(own: Members): Part | undefined {
  const row = findPart(textIn(own.peek('type')));
  const held = own.peek('value');
  if (!row || row.name === 'data' || row.name === 'refusal' || held?.kind !== 'text') return undefined;
  own.take('type');
  own.take('value');
  const about = { mimeType: own.takeKind('mimeType', 'text'), name: own.takeKind('name', 'text') };
  if (row.name === 'text') return { ...textPart(held), ...about };
  return { type: row.name, ...about, ...readHeld(held) };
}

/** The message without marks and empty fillers, for comparison. */
export function meaningOf(given: Message): Message {
  return withoutFillers(unmarked(given));
}

/** The canonical message without the marks of its source form. */
export function unmarked(given: Message): Message {
  // The inputs of a task become parts first, because they have marks as well.
  const plain = canonical(given);
  const { rest, content, items } = plain.fields;
  const parts = readParts(content);
  const plainItems = items && withoutItemMarks(items);
  const plainContent = parts?.some(part => part.rest) ? writeParts(parts.map(withoutMarks)) : content;
  if (!rest && plainItems === items && plainContent === content) return plain;
  const fields = { ...plain.fields, items: plainItems, content: plainContent };
  return canonical(message(plain.kind, fields, rest && restWithoutMarks(rest)));
}

/** The items of a conversation without the marks of their form and of the form of their parts. */
function withoutItemMarks(items: Value): Value {
  if (items.kind !== 'list' || !items.items.some(isMarked)) return items;
  return listValue(items.items.map(withoutMarksOfItem));
}

function isMarked(item: Value): boolean {
  return (
    findEntry(item, 'rest') !== undefined ||
    readParts(findEntry(item, 'content'))?.some(part => part.rest) === true
  );
}

function withoutMarksOfItem(item: Value): Value {
  if (item.kind !== 'dict' || isWhole(item)) return item;
  const entries = item.entries.map(({ key, value }) => {
    const parts = key === 'content' ? readParts(value) : undefined;
    if (parts?.some(part => part.rest))
      return { key, value: listValue(parts.map(part => writePart(withoutMarks(part)))) };
    if (key !== 'rest' || value.kind !== 'dict') return { key, value };
    return { key, value: restWithoutMarks(value) };
  });
  return dictValue(
    entries.filter(({ key, value }) => key !== 'rest' || value.kind !== 'dict' || value.entries.length > 0),
  );
}

/** True for an item that its own protocol alone can write: the mark is its content. */
function isWhole({ entries }: DictValue): boolean {
  return entries.every(({ key, value }) => key === 'type' || (key === 'rest' && hasEntry(value, WHOLE_ITEM)));
}

function hasEntry(rest: Value, key: string): boolean {
  return rest.kind === 'dict' && rest.entries.some(({ value }) => findEntry(value, key) !== undefined);
}

/** Marks an item that its own protocol alone can write; its value is the whole item. */
export const WHOLE_ITEM = '$whole';

/** Fields that some protocols require and that are written empty if missing. */
const FILLED: ReadonlyMap<MessageKind, MessageField> = new Map([
  ['call', 'arguments'],
  ['task', 'task'],
  ['negotiate', 'supported'],
]);

function withoutFillers(plain: Message): Message {
  const name = FILLED.get(plain.kind);
  return name && isEmpty(plain.fields[name]) ? withoutField(plain, name) : plain;
}

function withoutMarks(part: Part): Part {
  const rest = part.rest && restWithoutMarks(part.rest);
  return { ...part, rest: rest && rest.entries.length > 0 ? rest : undefined };
}

/** `rest` without the marks of the source form. */
function restWithoutMarks(rest: Value): DictValue {
  const entries = rest.kind === 'dict' ? rest.entries : [];
  const unmarked = entries.map(({ key, value }) => ({
    key,
    value:
      value.kind === 'dict' ? dictValue(value.entries.filter(entry => !entry.key.startsWith('$'))) : value,
  }));
  return dictValue(unmarked.filter(({ value }) => value.kind !== 'dict' || value.entries.length > 0));
}

function isEmpty(value: Value | undefined): boolean {
  return (
    (value?.kind === 'dict' && value.entries.length === 0) ||
    (value?.kind === 'list' && value.items.length === 0) ||
    textIn(value) === ''
  );
}

/** The fields that hold the content of a message of a kind, each in another form; such a field of another kind is none. */
export function contentFields(kind: MessageKind): readonly MessageField[] {
  return kind === 'task' ? TASK_CONTENT : REPLY_CONTENT.has(kind) ? DATA_CONTENT : [];
}

const TASK_CONTENT = ['task', 'content'] as const;
const DATA_CONTENT = ['data', 'content'] as const;
const REPLY_CONTENT: ReadonlySet<MessageKind> = new Set(['result', 'chunk', 'value']);

/** The content of a message as parts, and the path of each part in the message. */
export function contentOf({ kind, fields }: Message): {
  readonly parts: readonly Part[];
  readonly pathOf: (index: number) => string;
} {
  const { content, data, task } = fields;
  if (content) {
    const parts = readParts(content) ?? [partOf(content)];
    return { parts, pathOf: index => joinPath('content', index) };
  }
  const name = kind === 'task' ? 'task' : 'data';
  const stated: Value | undefined = kind === 'task' ? task : data;
  return { parts: stated ? [partOf(stated)] : [], pathOf: () => name };
}
