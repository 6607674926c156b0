import { dictValue, findEntry, type DictValue, type Entry, type Value } from '../../core/values/value.ts';
import { utf8Length } from '../../core/text/utf8.ts';
import { escapeText } from '../../language/aicl/escapes.ts';
import { readAiclPieces } from '../../language/values/aicl-reader.ts';
import type { Places } from '../../language/values/text-layer.ts';
import { joinValues } from '../event-stream/joined.ts';
import { isSameValue } from '../message/same-value.ts';
import { sliceTensor } from '../../tensor/slice.ts';
import { printTensor, readTensor } from '../../tensor/read-tensor.ts';

/** A message in chunks, or the reason why it cannot be split, as a sentence without a full stop. */
export type ChunkedMessage =
  | { readonly ok: true; readonly chunks: readonly string[] }
  | { readonly ok: false; readonly reason: string };

/** The bytes of `stream_id` and `is_final` without the name of the stream, and of escapes at the ends of a text. */
const MARKS = 120;

/**
 * Splits a message into chunks of at most `most` bytes of UTF-8 (LightAICL 1.0, section 8.2). Its longest text, list or
 * tensor is split, the latter two along the first axis; it is a field of the message, or a member of one. Everything
 * else is in each chunk as it is written. `stream` names the stream. Total, and linear in the text.
 */
export function splitMessage(text: string, most: number, stream: string): ChunkedMessage {
  const places: Places = new Map();
  const [piece, another] = readAiclPieces(text, places).pieces;
  if (!piece || piece.value.kind !== 'dict' || another)
    return { ok: false, reason: 'only one message is split into chunks' };
  if (findEntry(piece.value, 'stream_id'))
    return { ok: false, reason: 'the message is a chunk already, as its stream_id says' };
  const found = findLongest(piece.value);
  const longest = found && locate(found, text, places);
  const room = longest
    ? most - MARKS - utf8Length(stream) - utf8Length(text) + utf8Length(sourceOf(longest, text))
    : 0;
  const parts = longest && room > 0 ? splitValue(longest, text, places, room) : undefined;
  if (!longest || !parts || parts.length < 2)
    return {
      ok: false,
      reason: `no text, list or tensor of it can be split so that chunks have at most ${most} bytes`,
    };
  const before = text.slice(piece.span.start, longest.start);
  const after = withoutComma(text.slice(longest.end, piece.span.end - 1));
  const chunks = parts.map((part, index) => {
    const isFinal = index === parts.length - 1;
    const marks = `[s:stream_id]:[s:${escapeText(stream, 'wire')}_${index + 1}/${parts.length}],[s:is_final]:[b:${isFinal}]`;
    return `${before}${part}${after},${marks}]`;
  });
  const tooLong = chunks.find(chunk => utf8Length(chunk) > most);
  return tooLong === undefined
    ? { ok: true, chunks }
    : { ok: false, reason: `a single element of it has more than ${most} bytes` };
}

/** Removes a comma at the end, which AICL allows. */
function withoutComma(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed.endsWith(',') ? trimmed.slice(0, -1) : trimmed;
}

/** A value with the span of its source. */
interface Located {
  readonly value: Value;
  readonly start: number;
  readonly end: number;
}

function sourceOf({ start, end }: Located, text: string): string {
  return text.slice(start, end);
}

/** Fields of the header, whose texts are never split. */
const HEADER: ReadonlySet<string> = new Set(['protocol', 'session_id', 'msg_type', 'signature', 'tool']);

/** The longest value of a message, or of a dictionary in it, that can be split; undefined if there is none. */
function findLongest(message: DictValue): Value | undefined {
  let longest: Value | undefined;
  let most = 0;
  const search = (entries: readonly Entry[]): void => {
    for (const { value } of entries) {
      const weight = value.kind === 'dict' ? 0 : weigh(value);
      if (weight > most) longest = value;
      most = Math.max(most, weight);
    }
  };
  const fields = message.entries.filter(({ key }) => !HEADER.has(key));
  search(fields);
  for (const { value } of fields) if (value.kind === 'dict') search(value.entries);
  return longest;
}

/** About the length of a value's source; 0 for one that cannot be split. */
function weigh(value: Value): number {
  switch (value.kind) {
    case 'text':
      return value.text.length;
    case 'tensor':
      return value.source.length;
    case 'list':
      return value.items.reduce((sum, item) => sum + 4 + weigh(item), 0);
    case 'dict':
      return value.entries.reduce((sum, entry) => sum + 8 + entry.key.length + weigh(entry.value), 0);
    default:
      return 0;
  }
}

/** The span of the value of an entry, whose place begins at its key. */
function locate(value: Value, text: string, places: Places): Located | undefined {
  const place = places.get(value);
  if (!place) return undefined;
  const colon = text.indexOf(':', text.indexOf(']', place.start));
  const start = text.indexOf('[', colon);
  return { value, start, end: place.end };
}

/** The sources of the parts of a value, each with at most `room` bytes if that is possible. */
function splitValue(
  located: Located,
  text: string,
  places: Places,
  room: number,
): readonly string[] | undefined {
  const { value } = located;
  switch (value.kind) {
    case 'text':
      return group([...value.text], costOf, room - FRAME).map(
        part => `[s:${escapeText(part.join(''), 'wire')}]`,
      );
    case 'list': {
      const items = value.items.map(item => {
        const place = places.get(item);
        return place ? text.slice(place.start, place.end) : undefined;
      });
      const sources = items.filter(item => item !== undefined);
      if (sources.length < items.length) return undefined;
      return group(sources, item => utf8Length(item) + 1, room - FRAME).map(part => `[l:${part.join(',')}]`);
    }
    case 'tensor':
      return splitRows(value.source, room);
    default:
      return undefined;
  }
}

/** The bytes of `[s:]`. */
const FRAME = 4;

/** The bytes of a character in a text; a bracket is written as an escape of six. */
function costOf(character: string): number {
  // A backslash before an escape is doubled.
  return character === ']' ? 6 : character === '\\' ? 2 : utf8Length(character);
}

/** Groups neighbours so that each group costs at most `room`; one that costs more is a group of its own. */
function group(
  items: readonly string[],
  cost: (item: string) => number,
  room: number,
): readonly (readonly string[])[] {
  const groups: string[][] = [];
  let current: string[] = [];
  let left = room;
  for (const item of items) {
    const needed = cost(item);
    if (needed > left && current.length > 0) {
      groups.push(current);
      current = [];
      left = room;
    }
    current.push(item);
    left -= needed;
  }
  if (current.length > 0) groups.push(current);
  return groups;
}

/** Splits a tensor along its first axis; undefined for one that is invalid or a single value. */
function splitRows(source: string, room: number): readonly string[] | undefined {
  const tensor = readTensor(source);
  const [rows = 0, ...others] = tensor?.shape ?? [];
  if (!tensor || rows < 2) return undefined;
  const head = utf8Length(printTensor({ ...tensor, shape: [rows, ...others], bytes: new Uint8Array() }));
  // Base85 writes four bytes as five characters.
  const most = Math.max(1, Math.floor(((room - head) * 4) / 5 / Math.max(1, tensor.bytes.length / rows)));
  const parts: string[] = [];
  for (let from = 0; from < rows; from += most) {
    const sliced = sliceTensor(tensor, [{ start: from, end: Math.min(rows, from + most), step: 1 }]);
    if (sliced.kind !== 'ok') return undefined;
    parts.push(printTensor(sliced.tensor));
  }
  return parts;
}

/**
 * The message that chunks make, in order; the inverse of `splitMessage`. Undefined where their values do not fit. If
 * all chunks are alike but for their numbers, the longest value is joined.
 */
export function joinMessage(chunks: readonly DictValue[]): DictValue | undefined {
  const dicts = chunks.map(({ entries }) => dictValue(entries.filter(({ key }) => !MARK_FIELDS.has(key))));
  const [first] = dicts;
  const areAlike = first && chunks.length > 1 && dicts.every(each => isSameValue(each, first));
  return joinDicts(dicts, areAlike ? findLongest(first) : undefined);
}

const MARK_FIELDS: ReadonlySet<string> = new Set(['stream_id', 'is_final']);

/** `split` is the value of the first dictionary that is joined although all are the same. */
function joinDicts(dicts: readonly DictValue[], split: Value | undefined): DictValue | undefined {
  const [first] = dicts;
  if (!first) return undefined;
  const entries: Entry[] = [];
  for (const { key, value } of first.entries) {
    const values = dicts.map(dict => findEntry(dict, key) ?? value);
    const isSplit =
      value === split || (split === undefined && !values.every(each => isSameValue(each, value)));
    const inner = values.filter(each => each.kind === 'dict');
    const joined =
      inner.length === values.length ? joinDicts(inner, split) : isSplit ? joinValues(values) : value;
    if (!joined) return undefined;
    entries.push({ key, value: joined });
  }
  return dictValue(entries);
}
