import type { MessageField } from '../../core/catalog/message-kinds.ts';
import { fieldNames, message, type Message } from '../../core/message/message.ts';
import { findEntry, listValue, textIn, textValue, type Value } from '../../core/values/value.ts';
import { isSameValue } from '../message/same-value.ts';
import { canonical, contentOf } from '../content/canonical.ts';
import { isPlain, writeParts, type Part } from '../content/part.ts';
import type { Report } from '../../core/message/report.ts';
import { joinDicts } from '../message/rest.ts';

/** True for two parts of one reply: they have the same session, stream and id. */
export function areOfOneReply(one: Message, other: Message): boolean {
  return (['session', 'stream', 'id'] as const).every(name => {
    const [before, after] = [one.fields[name], other.fields[name]];
    return before && after ? isSameValue(before, after) : before === after;
  });
}

/**
 * Joins the parts of a stream into one reply: texts and lists are joined, other values follow each other. If
 * an error ends the stream, the error is the reply, and the content before it is reported as lost.
 */
export function joinReply(parts: readonly Message[], report: Report): Message {
  const last = parts.at(-1);
  const joined = contentsOf(parts.filter(part => part.kind === 'chunk' && isAnswerPart(part)));
  reportAside(parts, report);
  const rest = parts.reduce<Value | undefined>((all, { fields }) => joinRests(all, fields.rest), undefined);
  if (last?.kind === 'error') {
    if (joined.length > 0)
      report.lose(
        'dropped',
        '',
        'The reply ended with an error; its earlier content cannot be written with it',
      );
    else if (parts.length > 1)
      report.lose('moved', '', 'An empty stream that ended with an error is written as the error alone');
    return last;
  }
  report.note(
    'A stream was written as one complete reply; its division into chunks and their times are not carried',
  );
  const others = joinOthers(parts, report);
  if (joined.length === 0 && !others.items)
    report.lose('moved', '', 'An empty stream is written as an empty reply');
  return canonical(message('result', { ...others, content: writeParts(joined) }, rest));
}

/**
 * The other fields of all parts: the first value of each, and all items in order; other values are reported
 * as lost.
 */
function joinOthers(parts: readonly Message[], report: Report): Message['fields'] {
  const others: Partial<Record<MessageField, Value>> = {};
  for (const part of parts) {
    for (const name of fieldNames(part)) {
      const value = part.fields[name];
      const before = others[name];
      if (!value || JOINED.has(name) || (part.fields.event && name === 'items')) continue;
      if (!before) others[name] = value;
      else if (name === 'items' && before.kind === 'list' && value.kind === 'list')
        others.items = listValue([...before.items, ...value.items]);
      else if (!isSameValue(before, value))
        report.lose('dropped', name, `A reply that is whole has one value for the field ${name}`, value);
    }
  }
  return others;
}

/** Fields that are joined, or that describe how a reply is cut into parts. */
const JOINED: ReadonlySet<MessageField> = new Set([
  'data',
  'content',
  'event',
  'rest',
  'stream',
  'index',
  'total',
  'final',
]);

/** False for a part that reports progress and has nothing of the answer. */
function isAnswerPart({ fields: { event } }: Message): boolean {
  return event === undefined;
}

/** Marks which piece of a reply a part belongs to, if the reply has several that grow separately. */
export const PIECE = '$piece';
/** Marks a part that replaces what its piece had before. */
export const ANEW = '$anew';

/** The contents of parts, grouped by piece. */
function contentsOf(parts: readonly Message[]): readonly Part[] {
  const pieces = new Map<string, Part[]>();
  for (const part of parts) {
    const name = textIn(markOf(part, PIECE)) ?? '';
    const piece = pieces.get(name) ?? [];
    if (markOf(part, ANEW)) piece.length = 0;
    for (const each of contentOf(canonical(part)).parts) piece.push(each);
    pieces.set(name, piece);
  }
  return [...pieces.values()].flatMap(joinContents);
}

function markOf({ fields: { rest } }: Message, mark: string): Value | undefined {
  const own = rest?.kind === 'dict' ? rest.entries : [];
  return own.map(({ value }) => findEntry(value, mark)).find(found => found !== undefined);
}

/** Reports the parts that a whole reply cannot hold. Status parts are dropped silently: the reply is complete. */
function reportAside(parts: readonly Message[], report: Report): void {
  for (const { kind, fields } of parts) {
    const event = textIn(fields.event);
    if (kind !== 'chunk' || !fields.event || event === 'status') continue;
    const name = event ?? 'of another kind';
    report.lose('dropped', 'event', `A reply that is whole has no place for the part ${name}`, fields.event);
  }
}

function joinRests(one: Value | undefined, other: Value | undefined): Value | undefined {
  return one && other ? joinDicts(one, other) : (one ?? other);
}

/** Joins adjacent plain texts, and adjacent plain lists. */
function joinContents(parts: readonly Part[]): readonly Part[] {
  const texts: string[] = [];
  const joined: Part[] = [];
  const flush = (): void => {
    if (texts.length > 0) joined.push({ type: 'text', holds: 'text', value: textValue(texts.join('')) });
    texts.length = 0;
  };
  for (const part of parts) {
    const text = part.type === 'text' && isPlain(part) ? textIn(part.value) : undefined;
    if (text !== undefined) {
      texts.push(text);
      continue;
    }
    flush();
    const before = joined.at(-1);
    if (before?.value.kind === 'list' && part.value.kind === 'list' && isPlain(part) && isPlain(before))
      joined[joined.length - 1] = {
        ...before,
        value: listValue([...before.value.items, ...part.value.items]),
      };
    else joined.push(part);
  }
  flush();
  return joined;
}
