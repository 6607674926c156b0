import type { MessageField } from '../../core/catalog/message-kinds.ts';
import { fieldNames, message, type Message } from '../../core/message/message.ts';
import { findEntry, listValue, textIn, textValue, type Value } from '../../core/values/value.ts';
import { isSameField, isSameValue } from '../message/same-value.ts';
import { canonical, contentOf } from '../content/canonical.ts';
import { isPlain, writeParts, type Part } from '../content/part.ts';
import type { Report } from '../../core/message/report.ts';
import { joinTensors } from '../../tensor/join.ts';
import { joinDicts } from '../message/rest.ts';

/** True for two parts of one reply: they have the same session, stream and id. */
export function areOfOneReply(one: Message, other: Message): boolean {
  return (['session', 'stream', 'id'] as const).every(name => {
    const [before, after] = [one.fields[name], other.fields[name]];
    return before && after ? isSameValue(before, after) : before === after;
  });
}

/** True for a chunk of the answer whose value is no text. */
export function isOfValue({ kind, fields: { data, content, event } }: Message): boolean {
  const value = data ?? content;
  return kind === 'chunk' && event === undefined && value !== undefined && value.kind !== 'text';
}

/** The parts of a stream in the order of their numbers, where all chunks have one; otherwise in that of arrival. */
function inOrder(parts: readonly Message[]): readonly Message[] {
  const numberOf = ({ kind, fields: { index } }: Message): number =>
    kind !== 'chunk' ? Infinity : index?.kind === 'int' ? Number(index.int) : NaN;
  if (parts.some(part => Number.isNaN(numberOf(part)))) return parts;
  // The difference of two ends is no number.
  return parts.toSorted((one, other) => numberOf(one) - numberOf(other) || 0);
}

/** The messages with each stream that has other values than texts as one reply; other streams in order. */
export function joinStreamsOfValues(messages: readonly Message[], report: Report): readonly Message[] {
  const joined: Message[] = [];
  let run: Message[] = [];
  const close = (): void => {
    for (const each of run.some(isOfValue) ? [joinReply(run, report)] : inOrder(run)) joined.push(each);
    run = [];
  };
  for (const read of messages) {
    const [before] = run;
    const isPart = read.kind === 'chunk' || (read.kind === 'end' && before !== undefined);
    if (before && !(isPart && areOfOneReply(before, read))) close();
    if (isPart) run.push(read);
    else joined.push(read);
    if (read.kind !== 'chunk') close();
  }
  close();
  return joined;
}

/**
 * Joins the parts of a stream into one reply: texts and lists are joined, other values follow each other. If
 * an error ends the stream, the error is the reply, and the content before it is reported as lost.
 */
export function joinReply(arrived: readonly Message[], report: Report): Message {
  const parts = inOrder(arrived);
  const last = parts.at(-1);
  const joined = contentsOf(
    parts.filter(part => part.kind === 'chunk' && isAnswerPart(part)),
    report,
  );
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

/** False for chunks of several pieces, or of one that was sent again: their texts do not follow each other. */
export function isOnePiece(parts: readonly Message[]): boolean {
  const chunks = parts.filter(part => part.kind === 'chunk' && isAnswerPart(part));
  return !chunks.some(isAnew) && new Set(chunks.map(pieceOf)).size <= 1;
}

/** The contents of parts, grouped by piece. */
function contentsOf(parts: readonly Message[], report: Report): readonly Part[] {
  const pieces = new Map<string, Part[]>();
  for (const part of parts) {
    const name = pieceOf(part);
    const piece = pieces.get(name) ?? [];
    if (isAnew(part)) piece.length = 0;
    for (const each of contentOf(canonical(part)).parts) piece.push(each);
    pieces.set(name, piece);
  }
  const joins = parts.some(({ fields }) => fields.stream) ? 'values' : 'texts';
  return [...pieces.values()].flatMap(piece => {
    const joined = joinContents(piece, joins);
    if (joins === 'values' && joined.length > 1 && joined.every(isPlain)) report.note(NOT_JOINED);
    return joined;
  });
}

/** The piece of a reply that a part belongs to; empty if the reply has only one. */
export function pieceOf(part: Message): string {
  return textIn(markOf(part, PIECE)) ?? '';
}

/** True for a part that replaces what its piece had before. */
export function isAnew(part: Message): boolean {
  return markOf(part, ANEW) !== undefined;
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

const NOT_JOINED =
  'Only texts, lists, and tensors that differ in their first axis alone are joined; the other values of the stream follow each other in order';

/** Chunks of a named stream are pieces of one value; other parts of a reply are texts, or values of their own. */
type Joins = 'texts' | 'values';

/** Joins adjacent plain texts, lists and tensors; other parts follow each other. */
function joinContents(parts: readonly Part[], joins: Joins): readonly Part[] {
  const joined: Part[] = [];
  for (let from = 0, to = 0; from < parts.length; from = to) {
    const first = parts[from];
    while (first && isAlike(first, parts[to], joins)) to++;
    const run = parts.slice(from, Math.max(to, from + 1));
    const whole = run.length > 1 ? joinValues(run.map(({ value }) => value)) : undefined;
    if (first && whole) joined.push({ ...first, value: whole });
    else for (const part of run) joined.push(part);
    to = Math.max(to, from + 1);
  }
  return joined;
}

/** True for two texts of one media type and, if `joins` says so, two values of one kind; media are never joined. */
function isAlike(one: Part, other: Part | undefined, joins: Joins): boolean {
  if (other?.type !== one.type) return false;
  if (one.type === 'text') return ABOUT.every(name => isSameField(one[name], other[name]));
  const isValue = one.type === 'data' && isPlain(one) && isPlain(other);
  return isValue && joins === 'values' && one.value.kind === other.value.kind;
}

const ABOUT = ['mimeType', 'name', 'uri', 'rest'] as const;

/** Joins texts, lists, or tensors along their first axis; undefined for values that cannot be joined. */
export function joinValues(values: readonly Value[]): Value | undefined {
  const [first] = values;
  if (!first || values.some(({ kind }) => kind !== first.kind)) return undefined;
  switch (first.kind) {
    case 'text':
      return textValue(values.map(value => textIn(value) ?? '').join(''));
    case 'list':
      return listValue(values.flatMap(value => (value.kind === 'list' ? value.items : [])));
    case 'tensor': {
      const source = joinTensors(values.map(value => (value.kind === 'tensor' ? value.source : '')));
      return source === undefined ? undefined : { kind: 'tensor', source };
    }
    default:
      return undefined;
  }
}
