import type { MessageField, MessageKind } from '../../core/catalog/message-kinds.ts';
import { fieldNames, message, withoutField, type Message } from '../../core/message/message.ts';
import {
  dictValue,
  findEntry,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../core/values/value.ts';
import { isSameValue } from '../../language/values/same-value.ts';
import { spokenBy } from '../conversation/items.ts';
import { Members } from '../message/members.ts';
import { joinPath } from '../../core/message/report.ts';
import { readHeld } from './media.ts';
import { isPlain, onlyPlain, partOf, readPart, readParts, textPart, writeParts, type Part } from './part.ts';
import { findPart } from '../../core/catalog/parts.ts';

/**
 * A message in the one form that says what it says: its content in `data` where that is one plain value, in `task` where it
 * is the one plain text of a task, else in `content`, as parts.
 */
export function canonical(given: Message): Message {
  const { kind, fields } = given;
  const spoken = fields.items && onlySpoken(given);
  if (spoken) return canonical(message(kind, { ...fields, items: undefined, content: writeParts(spoken) }));
  if (kind === 'task') return canonicalTask(given);
  if ((kind !== 'result' && kind !== 'chunk') || !fields.content) return given;
  const parts = [...partsOf(fields.content), ...(fields.data ? [partOf(fields.data)] : [])];
  const data = onlyPlain(parts, 'text') ?? onlyPlain(parts, 'data');
  return message(kind, { ...fields, data, content: data ? undefined : writeParts(parts) });
}

/** What the only item of a conversation says, where nothing else does. */
function onlySpoken({ kind, fields }: Message): readonly Part[] | undefined {
  const { items, content, data, task, constraints } = fields;
  if (items?.kind !== 'list' || items.items.length !== 1 || data) return undefined;
  if (saysSomething(content) || saysSomething(task)) return undefined;
  if (kind === 'task' && readInputs(findEntry(constraints, INPUTS))) return undefined;
  return spokenBy(items.items[0], kind === 'task' ? 'user' : 'assistant');
}

/** False for what is missing, and for a text or a list with nothing in it; a dictionary is data even if it is empty. */
function saysSomething(value: Value | undefined): boolean {
  return value !== undefined && (value.kind === 'dict' || !isEmpty(value));
}

function canonicalTask(given: Message): Message {
  const { task, content, constraints } = given.fields;
  const inputs = readInputs(findEntry(constraints, INPUTS));
  const limits = new Members(constraints);
  if (inputs) limits.take(INPUTS);
  const isSimple = !content && !inputs && task?.kind === 'text' && task.text !== '';
  if (isSimple && (!constraints || limits.size > 0)) return given;
  const saysTask = task && !(textIn(task) === '' && (content ?? inputs));
  const parts = [
    ...(saysTask ? [partOf(task)] : []),
    ...(content ? partsOf(content) : []),
    ...(inputs ?? []),
  ];
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

/** Of the constraints of an AICL task: the values that go with its text (reading of AIO-MCP, section 4). */
const INPUTS = 'inputs';

function partsOf(content: Value): readonly Part[] {
  return readParts(content) ?? [partOf(content)];
}

/** Values that go with a task: parts, or values as AIO writes them. */
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

/** The content of a task as AICL says it: its first text, and all else as inputs among its constraints. */
export function splitTask(content: Value): { readonly task: Value; readonly inputs: Value | undefined } {
  const parts = partsOf(content);
  const [first, ...others] = parts;
  const isFirst = first?.type === 'text' && isPlain(first) && textIn(first.value) !== '';
  return isFirst
    ? { task: first.value, inputs: writeParts(others) }
    : { task: textValue(''), inputs: writeParts(parts) };
}

/** Constraints with the inputs that go with a task. */
export function withInputs(constraints: Value | undefined, inputs: Value | undefined): Value | undefined {
  if (!inputs || (constraints && constraints.kind !== 'dict')) return constraints;
  return dictValue([...(constraints?.entries ?? []), { key: INPUTS, value: inputs }]);
}

/**
 * The part of a value `{type, value}`, as AIO has them: a text, base64, or an address. A media type and a name may stand
 * beside. Takes its members; undefined for one of another form.
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

/** The same without what says nothing, for who compares messages. */
export function meaningOf(given: Message): Message {
  return withoutFillers(unmarked(given));
}

/** The same without the marks of the form in which it came. */
export function unmarked(given: Message): Message {
  const { rest, content } = given.fields;
  const parts = readParts(content);
  if (!rest && !parts?.some(part => part.rest)) return canonical(given);
  const fields = { ...given.fields, content: parts ? writeParts(parts.map(withoutMarks)) : content };
  return canonical(message(given.kind, fields, rest && restWithoutMarks(rest)));
}

/** Fields that some protocols want, empty where a message has none. */
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

/** What only protocols know, without the marks of the form in which it came. */
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

/** True for messages that mean the same. */
export function meansSame(one: Message, other: Message): boolean {
  const [left, right] = [meaningOf(one), meaningOf(other)];
  if (left.kind !== right.kind) return false;
  const names = fieldNames(left);
  return (
    names.length === fieldNames(right).length &&
    names.every(name => isSameField(left.fields[name], right.fields[name]))
  );
}

/** True for the same values, and where there is none on both sides. */
export function isSameField(one: Value | undefined, other: Value | undefined): boolean {
  return one && other ? isSameValue(one, other) : one === other;
}

/** What a message says, part by part, and where in it each stands. */
export function contentOf({ fields }: Message): {
  readonly parts: readonly Part[];
  readonly pathOf: (index: number) => string;
} {
  const { content, data, task } = fields;
  if (content) {
    const parts = readParts(content) ?? [partOf(content)];
    return { parts, pathOf: index => joinPath('content', index) };
  }
  const said: Value | undefined = data ?? task;
  return { parts: said ? [partOf(said)] : [], pathOf: () => (data ? 'data' : 'task') };
}
