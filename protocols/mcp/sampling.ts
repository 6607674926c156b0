import type { MessageField } from '../../core/catalog/message-kinds.ts';
import { message, type Message } from '../../core/message/message.ts';
import {
  boolValue,
  dictValue,
  findEntry,
  intValue,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../core/values/value.ts';
import { isSameValue } from '../message/same-value.ts';
import { canonical, contentOf } from '../content/canonical.ts';
import { decodePart, decodeParts, encodeParts, type LoseAt } from '../content/codec.ts';
import { readParts, writeParts, type Part } from '../content/part.ts';
import { spokenBy } from '../conversation/items.ts';
import { dictOf } from '../message/dicts.ts';
import { Members } from '../message/members.ts';
import type { Writing } from '../message/shape.ts';
import { mcpParts, samplingParts } from './parts.ts';

/** A server's request to its client for a model's answer: the only MCP message that is a task. */
export const SAMPLING = 'sampling/createMessage';

/** The default of the required `maxTokens`. */
const MAX_TOKENS = intValue(4096);

/** Reads the messages for a model from the parameters: one of a user is a task, several are a conversation. */
export function readSampling(params: Members): Sampling {
  const most = params.peek('maxTokens');
  if (most && isSameValue(most, MAX_TOKENS)) params.take('maxTokens');
  const messages = params.peek('messages');
  const items = messages?.kind === 'list' ? messages.items.map(readMessage) : undefined;
  const read = items?.filter(item => item !== undefined) ?? [];
  if (!items || read.length < items.length) return { fields: {} };
  params.take('messages');
  const [only, ...others] = read;
  const own = new Members(only);
  const isSingle = findEntry(findEntry(own.take('rest'), 'mcp'), SINGLE);
  const parts = others.length === 0 ? spokenBy(own.left(), 'user') : undefined;
  if (!parts || hasMore(only)) return { fields: { items: listValue(read) } };
  const { task, content } = canonical(message('task', { content: writeParts(parts) })).fields;
  return { fields: { task, content }, single: isSingle };
}

/** The content of a request to a model. */
interface Sampling {
  readonly fields: Partial<Record<MessageField, Value | undefined>>;
  /** The mark of the only message, if its one block was in a list. */
  readonly single?: Value | undefined;
}

/** True for a message with further members that only MCP has. */
function hasMore(item: Value | undefined): boolean {
  const own = findEntry(findEntry(item, 'rest'), 'mcp');
  return own?.kind === 'dict' && own.entries.some(({ key }) => key !== SINGLE);
}

/** Marks a message whose one block was in a list. */
export const SINGLE = '$single';

function readMessage(given: Value): DictValue | undefined {
  const members = new Members(given);
  const role = members.takeKind('role', 'text');
  const content = members.take('content');
  const parts = content?.kind === 'dict' ? [decodePart(content, mcpParts)] : decodeParts(content, mcpParts);
  if (!role || !parts) return undefined;
  const isList = content?.kind === 'list' && parts.length === 1;
  const left = dictValue([
    ...members.entries(),
    { key: SINGLE, value: isList ? boolValue(false) : undefined },
  ]);
  return dictOf({
    type: textValue('message'),
    role,
    content: writeParts(parts) ?? listValue([]),
    rest: left.entries.length > 0 ? dictOf({ mcp: left }) : undefined,
  });
}

/** Writes a task as the parameters for a model. */
export function writeSampling(sent: Message, rest: Members, { report }: Writing): DictValue {
  const { items } = sent.fields;
  const lose: (at: (index: number) => string) => LoseAt = at => (index, kind, reported) =>
    report.lose(kind, at(index), reported);
  const own = contentOf(sent);
  const messages =
    items?.kind === 'list'
      ? items.items.map((item, index) => {
          const given = findEntry(findEntry(item, 'rest'), 'mcp');
          const parts = readParts(findEntry(item, 'content')) ?? [];
          return writeMessage(
            textIn(findEntry(item, 'role')) ?? 'user',
            parts,
            lose(() => `items[${index}]`),
            given,
          );
        })
      : [writeMessage('user', own.parts, lose(own.pathOf), singleMark(rest))];
  const hasMost = findEntry(rest.peek('params'), 'maxTokens') !== undefined;
  return dictOf({ messages: listValue(messages), maxTokens: hasMost ? undefined : MAX_TOKENS });
}

function singleMark(rest: Members): Value {
  return dictValue([{ key: SINGLE, value: rest.take(SINGLE) }]);
}

function writeMessage(role: string, parts: readonly Part[], lose: LoseAt, given?: Value): DictValue {
  const blocks = encodeParts(parts, samplingParts, lose);
  const left = new Members(given);
  const isList = left.take(SINGLE) !== undefined;
  const [only] = blocks.kind === 'list' ? blocks.items : [];
  const content = only && parts.length === 1 && !isList ? only : blocks;
  return dictValue([
    { key: 'role', value: textValue(role) },
    { key: 'content', value: content },
    ...left.entries(),
  ]);
}
