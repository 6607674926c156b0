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
import { ENVELOPE } from '../message/envelope.ts';
import { mapEntries, showValue } from '../conversation/items.ts';
import { Members } from '../message/members.ts';
import { readJsonValue } from '../../language/values/json-reader.ts';
import type { Writing } from '../message/shape.ts';
import { dictOf, nullEntries, takeDefaults } from '../conversation/verified.ts';

/** The members that a response has to have, with the values that say nothing. No clock is read, so the time is 0. */
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

/** A response with all members that it has to have. */
export function responseFrame(more: Readonly<Record<string, Value | undefined>>): DictValue {
  const frame = new Members(dictValue(RESPONSE_DEFAULTS));
  for (const [key, value] of Object.entries(more)) frame.put(key, value);
  return dictValue(frame.entries());
}

/** Takes what a response says beside its output and error only because it has to. */
export function takeResponseDefaults(members: Members, status: string): void {
  takeDefaults(members, [
    { key: 'status', value: textValue(status) },
    ...RESPONSE_DEFAULTS.filter(({ key }) => key !== 'status' && key !== 'id'),
    ...nullEntries('metadata', 'output'),
  ]);
}

/** Takes the envelope out of the metadata: the value of the text there, or the text itself where it is not JSON. */
export function takeMetadata(members: Members): Value | undefined {
  const metadata = members.peek('metadata');
  const text = metadata && findEntry(metadata, ENVELOPE);
  if (metadata?.kind !== 'dict' || !text) return undefined;
  const left = metadata.entries.filter(({ key }) => key !== ENVELOPE);
  members.take('metadata');
  if (left.length > 0) members.put('metadata', dictValue(left));
  return text.kind === 'text' ? (readJsonValue(text.text) ?? text) : text;
}

/** The longest value that metadata may have, in characters. */
const LONGEST_METADATA = 512;

/** Metadata with the envelope in it, as a text of JSON. */
export function writeMetadata(
  metadata: Value | undefined,
  envelope: Value | undefined,
  writing: Writing,
): Value | undefined {
  if (!envelope) return metadata;
  const text = showValue(envelope);
  if (text.length > LONGEST_METADATA)
    writing.report.note(
      `What Responses has no place for takes more than the ${LONGEST_METADATA} characters that a value of metadata may have; OpenAI refuses it`,
    );
  const members = new Members(metadata);
  members.put(ENVELOPE, textValue(text));
  return members.left();
}

/** An item without the members of its texts that say nothing: no annotations, no probabilities. */
export function readItem(given: Value): Value {
  const item = withType(given);
  if (item.kind !== 'dict' || textIn(findEntry(item, 'type')) !== 'message') return item;
  return mapEntries(item, ({ key, value }) => (key === 'content' ? readContent(value, item) : value));
}

/** A message may leave its type out, and say its only text without a part around it. */
function withType(item: Value): Value {
  if (item.kind !== 'dict' || findEntry(item, 'type') || !findEntry(item, 'role')) return item;
  return dictValue([{ key: 'type', value: textValue('message') }, ...item.entries]);
}

function readContent(content: Value, item: DictValue): Value {
  if (content.kind === 'text') {
    const type = textIn(findEntry(item, 'role')) === 'assistant' ? 'output_text' : 'input_text';
    return listValue([dictOf({ type: textValue(type), text: content })]);
  }
  return content.kind === 'list' ? listValue(content.items.map(readPart)) : content;
}

function readPart(part: Value): Value {
  if (part.kind !== 'dict' || textIn(findEntry(part, 'type')) !== 'output_text') return part;
  return mapEntries(part, ({ key, value }) => {
    const saysNothing = SILENT.has(key) && value.kind === 'list' && value.items.length === 0;
    return saysNothing ? undefined : value;
  });
}

const SILENT = new Set(['annotations', 'logprobs']);

/** An item with the annotations that a text of the assistant has to have. */
export function writeItem(item: Value): Value {
  if (item.kind !== 'dict' || textIn(findEntry(item, 'type')) !== 'message') return item;
  return mapEntries(item, ({ key, value }) => {
    if (key !== 'content' || value.kind !== 'list') return value;
    const parts = value.items.map(writePart);
    return parts.every((part, index) => part === value.items[index]) ? value : listValue(parts);
  });
}

function writePart(part: Value): Value {
  if (part.kind !== 'dict' || textIn(findEntry(part, 'type')) !== 'output_text') return part;
  if (findEntry(part, 'annotations')) return part;
  return dictValue([...part.entries, { key: 'annotations', value: listValue([]) }]);
}
