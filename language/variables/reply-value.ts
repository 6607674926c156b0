import type { LanguageId } from '../../core/catalog/languages.ts';
import { readAiclPieces } from '../values/aicl-reader.ts';
import { listSseData } from '../../core/text/event-stream.ts';
import { printFloat } from '../../core/text/exact-decimal.ts';
import { compactJson } from '../values/json-printer.ts';
import { readJsonValue } from '../values/json-reader.ts';
import { foldAicfReply } from '../aicf/reply-stream.ts';
import { dictValue, findEntry, textValue, type Value } from '../../core/values/value.ts';
import { countOf } from '../../core/text/count.ts';
import { quote } from '../../core/text/quote.ts';

/** The reply to a named request, in the language in which it was displayed. */
export interface NamedReply {
  readonly language: LanguageId;
  readonly text: string;
}

/** A part of a reply as text, or the reason why it is missing, worded to follow the variable's name. */
export type ReplyPart =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string };

/**
 * The part of a reply at a path of keys and indexes (reading of requests in files, section 9). In AICL the path starts
 * in a message; later messages are tried first. In AICF `data` is the data of `OK` or of the stream, `code` and
 * `message` are those of `ERR`. In JSON it starts in the reply or in an event of its stream. A list or dictionary is returned as JSON. Linear in the reply.
 */
export function findReplyPart(reply: NamedReply, path: readonly string[]): ReplyPart {
  let reason = 'its reply holds no message';
  for (const message of MESSAGES[reply.language](reply.text).toReversed()) {
    const found = follow(message, path);
    if (found.ok) return write(found.value);
    reason = found.reason;
  }
  return { ok: false, reason };
}

const MESSAGES: Readonly<Record<LanguageId, (text: string) => readonly Value[]>> = {
  aicl: text => readAiclPieces(text).pieces.map(({ value }) => value),
  aicf: readAicf,
  'agent-json': readJsonMessages,
};

/** A reply in the JSON of its agent: one value, or the events of a stream. */
function readJsonMessages(text: string): readonly Value[] {
  const whole = readJsonValue(text);
  if (whole) return [whole];
  return listSseData(text).flatMap(data => readJsonValue(data) ?? []);
}

function readAicf(text: string): readonly Value[] {
  const { command, data, error } = foldAicfReply(text);
  if (command === undefined) return [];
  if (error)
    return [
      dictValue([
        { key: 'code', value: textValue(error.code) },
        { key: 'message', value: textValue(error.message) },
      ]),
    ];
  const value = data === undefined ? undefined : (readJsonValue(data) ?? textValue(data));
  return [dictValue([{ key: 'data', value }])];
}

type Followed =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reason: string };

function follow(message: Value, path: readonly string[]): Followed {
  let value = message;
  for (const [index, step] of path.entries()) {
    const next = value.kind === 'list' ? itemOf(value.items, step) : findEntry(value, step);
    if (!next) {
      const where = index === 0 ? 'its reply' : quote(path.slice(0, index).join('.'));
      return { ok: false, reason: `${where} has no ${quote(step)}${describeMembers(value)}` };
    }
    value = next;
  }
  return { ok: true, value };
}

/** The maximum number of names in a reason. */
const MAX_NAMES = 5;

/** What a value has instead of a missing member. */
function describeMembers(value: Value): string {
  if (value.kind === 'list') return `; it is a list of ${countOf(value.items.length, 'item')}`;
  if (value.kind !== 'dict' || value.entries.length === 0) return '';
  const names = value.entries.slice(0, MAX_NAMES).map(({ key }) => quote(key));
  const more = value.entries.length > MAX_NAMES ? ', …' : '';
  return `; it has ${names.join(', ')}${more}`;
}

function itemOf(items: readonly Value[], step: string): Value | undefined {
  return /^\d{1,15}$/.test(step) ? items[Number(step)] : undefined;
}

function write(value: Value): ReplyPart {
  switch (value.kind) {
    case 'text':
      return { ok: true, text: value.text };
    case 'int':
      return { ok: true, text: String(value.int) };
    case 'float':
      return { ok: true, text: printFloat(value.float) };
    case 'bool':
      return { ok: true, text: String(value.bool) };
    case 'null':
      return { ok: true, text: 'null' };
    case 'tensor':
      return { ok: false, reason: 'it is a tensor, which cannot be part of a text' };
    default:
      return { ok: true, text: compactJson(value) };
  }
}
