import type { MessageField, MessageKind } from '../../core/catalog/message-kinds.ts';
import {
  dictValue,
  findEntry,
  intValue,
  textIn,
  textValue,
  type Entry,
  type IntValue,
  type TextValue,
  type Value,
} from '../../core/values/value.ts';
import type { Members } from '../message/members.ts';
import type { Reading } from '../message/shape.ts';
import { compactJson } from '../../language/values/json-printer.ts';
import { readJsonValue } from '../../language/values/json-reader.ts';

/**
 * What stands as a text in a conversation and is none. An agent reads its JSON, and a mark in the envelope says which
 * field of the message it is: so it stands once.
 */
export interface Shown {
  readonly text: TextValue;
  /** The mark, as an entry of the envelope; undefined for a text that follows from the envelope. */
  readonly mark: Entry | undefined;
}

/** The member of an envelope that says what a text stands for. */
const BLOCK = 'block';
/** The mark of a call whose empty arguments stand there only because its protocol wants some. */
const NO_ARGUMENTS = 'no-arguments';

/** Fields that a text shows as they are. */
const BARE = ['data', 'content', 'query', 'task'] as const;
/** Fields that a text shows with their names. */
const NAMED = ['tools', 'declaration', 'supported', 'selected'] as const;

/** The fields of each kind that a text may show, the first one that the message has. */
const SHOWN_FIELDS: Partial<Readonly<Record<MessageKind, readonly MessageField[]>>> = {
  task: ['task'],
  query: ['query'],
  negotiate: ['supported', 'selected'],
};
const REPLY_FIELDS: readonly MessageField[] = ['data', 'content', 'tools', 'declaration'];

/** Takes the field of a message that a text shows; undefined for a message that has none. */
export function takeShown(kind: MessageKind, fields: Members<MessageField>): Shown | undefined {
  const words = wordsOf(kind, fields.peek('tool'));
  if (words) return { text: words, mark: undefined };
  const name = (SHOWN_FIELDS[kind] ?? REPLY_FIELDS).find(field => fields.peek(field) !== undefined);
  const value = name && fields.take(name);
  if (!value) return undefined;
  const isNamed = NAMED.some(field => field === name);
  if (value.kind === 'text' && !isNamed) return { text: value, mark: markOf(`${name}-text`) };
  const shown = isNamed ? dictValue([{ key: name, value }]) : value;
  return { text: textValue(compactJson(shown)), mark: markOf(`${name}-json`) };
}

/** The mark of a call without arguments. */
export const NO_ARGUMENTS_MARK: Entry = markOf(NO_ARGUMENTS);

function markOf(text: string): Entry {
  return { key: BLOCK, value: textValue(text) };
}

/** What a request says that is all in its envelope, for agents that do not read that. */
function wordsOf(kind: MessageKind, tool: Value | undefined): TextValue | undefined {
  if (kind === 'list') return textValue('List the tools');
  return kind === 'describe' ? textValue(`Describe the tool ${textIn(tool) ?? ''}`.trimEnd()) : undefined;
}

/** The fields that a marked text stands for; undefined for a text that stands for itself. Takes the mark. */
export function readShown(text: Value, envelope: Members): Partial<Record<MessageField, Value>> | undefined {
  const kind = textIn(envelope.peek('kind'));
  const words = kind === 'list' || kind === 'describe' ? wordsOf(kind, envelope.peek('tool')) : undefined;
  if (words && words.text === textIn(text)) return {};
  const mark = textIn(envelope.peek(BLOCK));
  for (const name of [...BARE, ...NAMED]) {
    const value = mark === undefined ? undefined : readMarked(text, mark, name);
    if (!value) continue;
    envelope.take(BLOCK);
    return { [name]: value };
  }
  return undefined;
}

function readMarked(text: Value, mark: string, name: string): Value | undefined {
  if (mark === `${name}-text`) return text;
  const source = mark === `${name}-json` ? textIn(text) : undefined;
  const value = source === undefined ? undefined : readJsonValue(source);
  // Two keys that are the same, say, would go without a word.
  if (!value || compactJson(value) !== source) return undefined;
  if (!NAMED.some(field => field === name)) return value;
  return value.kind === 'dict' && value.entries.length === 1 ? findEntry(value, name) : undefined;
}

/** Takes the mark of a call without arguments. */
export function takeNoArguments(envelope: Members): boolean {
  return envelope.takeWord(BLOCK, NO_ARGUMENTS);
}

/**
 * What a reply is called by the number that its request has, `resp_2`: nothing here is made up by chance. An id that is no
 * such number stays for the envelope, and so does one beside the name that the reply's own API gave it.
 */
export function takeReplyName(
  prefix: string,
  fields: Members<MessageField>,
  rest: Members,
  own: number,
): TextValue {
  const id = fields.peek('id');
  const number = !rest.peek('id') && id?.kind === 'int' && NUMBER.test(String(id.int)) ? id.int : undefined;
  if (number !== undefined) fields.take('id');
  return textValue(`${prefix}_${number ?? own}`);
}

const NUMBER = /^(?:0|[1-9]\d{0,14})$/;

/** The number in such a name, which is taken; undefined where the envelope says the id, or the name is not ours. */
export function takeReplyNumber(
  prefix: string,
  { members, envelope }: { readonly members: Members; readonly envelope: Value | undefined },
  { hasForeignNames = false }: Pick<Reading, 'hasForeignNames'>,
): IntValue | undefined {
  if (hasForeignNames) return undefined;
  const name = textIn(members.peek('id'));
  const number = name?.startsWith(`${prefix}_`) ? name.slice(prefix.length + 1) : '';
  if (!NUMBER.test(number)) return undefined;
  members.take('id');
  return findEntry(envelope, 'id') ? undefined : intValue(Number(number));
}
