import {
  boolValue,
  dictValue,
  findEntry,
  intValue,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type Entry,
  type Value,
} from '../../core/values/value.ts';
import { spokenBy, withoutOwnMembers } from '../conversation/items.ts';
import { decodeParts, encodeParts, type LoseAt } from '../content/codec.ts';
import { messageItem } from '../content/flatten.ts';
import { readParts, textPart, writeParts, type Part } from '../content/part.ts';
import { dictOf, nullEntries, takeDefaults } from '../message/dicts.ts';
import { Members } from '../message/members.ts';
import { partsOfRole, readGenerated, writeGenerated } from './parts.ts';

/** The required members of a response, with their default values. No clock is read, so the time is 0. */
export const RESPONSE_DEFAULTS: readonly Entry[] = [
  { key: 'id', value: textValue('resp_1') },
  { key: 'object', value: textValue('response') },
  { key: 'created_at', value: intValue(0) },
  { key: 'status', value: textValue('completed') },
  ...nullEntries('error', 'incomplete_details', 'instructions'),
  { key: 'metadata', value: dictValue([]) },
  { key: 'model', value: textValue('') },
  { key: 'output', value: listValue([]) },
  { key: 'parallel_tool_calls', value: boolValue(true) },
  ...nullEntries('temperature'),
  { key: 'tool_choice', value: textValue('auto') },
  { key: 'tools', value: listValue([]) },
  ...nullEntries('top_p'),
];

/** A response with all required members. */
export function responseFrame(more: Readonly<Record<string, Value | undefined>>): DictValue {
  const frame = new Members(dictValue(RESPONSE_DEFAULTS));
  for (const [key, value] of Object.entries(more)) frame.put(key, value);
  return dictValue(frame.entries());
}

/** Takes the members of a response with default values. */
export function takeResponseDefaults(members: Members, status: string): void {
  takeDefaults(members, [
    { key: 'status', value: textValue(status) },
    ...RESPONSE_DEFAULTS.filter(({ key }) => key !== 'status' && key !== 'id'),
    ...nullEntries('metadata', 'output'),
  ]);
}

/** Reads the items of a reply, without the ids and statuses that writing adds. */
export function readOutputItems(given: readonly Value[]): readonly Value[] {
  return readItems(given.map(withoutOwnMembers));
}

/** Reads the items of a conversation. A generated image is joined with the message next to it. */
export function readItems(given: readonly Value[]): readonly Value[] {
  const items = given.map(readItem);
  const joined: Value[] = [];
  for (const [index, item] of items.entries()) {
    const before = joined.at(-1);
    const isNext = isGenerated(given[index]) || isGenerated(given[index - 1]);
    const parts = isNext && before ? joinParts(before, item) : undefined;
    if (parts) joined[joined.length - 1] = messageItem('assistant', parts);
    else joined.push(item);
  }
  return joined;
}

function isGenerated(item: Value | undefined): boolean {
  return textIn(findEntry(item, 'type')) === GENERATED;
}

function joinParts(one: Value, other: Value): Value | undefined {
  const [before, after] = [spokenBy(one, 'assistant'), spokenBy(other, 'assistant')];
  return before && after && writeParts([...before, ...after]);
}

const GENERATED = 'image_generation_call';

/** Reads a neutral item: its content as parts, and the members of a message that only Responses has in `rest`. */
function readItem(given: Value): Value {
  if (given.kind !== 'dict') return given;
  const members = new Members(given);
  const [id, status] = [members.takeKind('id', 'text'), members.takeKind('status', 'text')];
  const type = members.take('type') ?? (members.peek('role') && textValue('message'));
  const spoken = readSpoken(textIn(type), members);
  if (spoken) return dictOf({ id, status, type: textValue('message'), ...spoken });
  // The output of a call is a text, or a list of parts in the form of a user's.
  const output = decodeParts(members.peek('output'), partsOfRole('user')) ?? [];
  if (textIn(type) === 'function_call_output') members.put('output', writeParts(output));
  return dictValue([...dictOf({ id, status, type }).entries, ...members.entries()]);
}

/** Reads a message, or a generated image as a message of the assistant; takes the members that it reads. */
function readSpoken(
  type: string | undefined,
  members: Members,
): Readonly<Record<string, Value | undefined>> | undefined {
  const part = type === GENERATED ? readGenerated(members) : undefined;
  if (part) {
    const content = writeParts([{ ...part, rest: ofResponses(members.left()) }]);
    return { role: textValue('assistant'), content };
  }
  const role = members.peek('role');
  const content =
    type === 'message' && role?.kind === 'text' ? readContent(members.peek('content'), role.text) : undefined;
  if (!content) return undefined;
  members.take('role');
  members.take('content');
  return { role, content, rest: ofResponses(members.left()) };
}

function ofResponses(left: DictValue | undefined): DictValue | undefined {
  return left && dictOf({ responses: left });
}

function readContent(content: Value | undefined, role: string): Value | undefined {
  if (content?.kind === 'text') return writeParts([textPart(content)]);
  const parts = decodeParts(content, partsOfRole(role));
  return parts && (writeParts(parts) ?? listValue([]));
}

/**
 * Writes a neutral item for Responses. A message of the assistant may have only texts and refusals, so an
 * image in it becomes an item of its own, as if it had been generated.
 */
export function writeItem(item: Value, lose: LoseAt): readonly Value[] {
  const members = new Members(item);
  const own = findEntry(members.take('rest'), 'responses');
  const left = own?.kind === 'dict' ? own.entries : [];
  const type = textIn(members.peek('type')) ?? '';
  const role = textIn(members.peek('role'));
  const parts = readParts(members.peek('content'));
  const output = type === 'function_call_output' ? readParts(members.peek('output')) : undefined;
  if (output && output.length > 0)
    members.put(
      'output',
      encodeParts(output, partsOfRole('user'), (_, kind, reported) => lose(0, kind, reported)),
    );
  if (type !== 'message' || !parts) return [dictValue([...members.entries(), ...left])];
  const groups = role === 'assistant' ? splitGenerated(parts) : [parts];
  return groups.map((group, at) => {
    const start = groups.slice(0, at).reduce((sum, { length }) => sum + length, 0);
    const [only] = group;
    const generated = role === 'assistant' && only && writeGenerated(only);
    if (generated) {
      const more = findEntry(only.rest, 'responses');
      const head = dictOf({
        id: members.peek('id'),
        type: textValue(GENERATED),
        status: members.peek('status'),
        ...generated,
      });
      return dictValue([...head.entries, ...(more?.kind === 'dict' ? more.entries : [])]);
    }
    const content = encodeParts(group, partsOfRole(role), (index, kind, reported) =>
      lose(start + index, kind, reported),
    );
    const message = new Members(dictValue(members.entries()));
    message.put('content', content);
    return dictValue([...message.entries(), ...left]);
  });
}

/** Groups parts in order: each image alone, adjacent others together. */
function splitGenerated(parts: readonly Part[]): readonly (readonly Part[])[] {
  const groups: Part[][] = [];
  for (const part of parts) {
    const last = groups.at(-1)?.[0];
    if (last && !writeGenerated(last) && !writeGenerated(part)) groups.at(-1)?.push(part);
    else groups.push([part]);
  }
  return groups.length === 0 ? [parts] : groups;
}
