import { MESSAGE_TYPES, TYPE_TAGS, type ValueKind } from '../../core/catalog/aicl.ts';
import {
  CONTENT_START,
  findPair,
  isWord,
  textOf,
  type AiclNode,
  type AtomNode,
  type PairNode,
  type Children,
} from './ast.ts';
import { isLineEnd } from './characters.ts';
import type { UnitReading } from './document.ts';
import type { FieldKey, KnownFields } from './known-fields.ts';
import { parseStreamId, type ChunkSummary, type MessageSummary } from './unit.ts';

export const EMPTY_SUMMARY: MessageSummary = {
  messageType: '',
  session: '',
  title: '',
  typeAt: -1,
  wantedKind: undefined,
  dataKind: undefined,
  dataAt: -1,
  isSigned: false,
  chunk: undefined,
};

/** The title is the first of these fields that has a value. */
const TITLES = ['tool', 'query', 'task', 'reason'] as const satisfies readonly FieldKey[];

/** The data of a unit for lists and for its relations to other units. */
export function summarize(
  reading: Pick<UnitReading, 'text' | 'base' | 'tree'>,
  fields: KnownFields,
): MessageSummary {
  if (pairsOf(reading).length === 0) return EMPTY_SUMMARY;
  const { text, base } = reading;
  const type = fields.get('msg_type')?.value;
  const messageType = type?.kind === 'text' ? typeOf(text, base, type) : '';
  const data = fields.get('data')?.value ?? fields.get('content')?.value;
  return {
    messageType,
    session: textAt(reading, fields, 'session_id'),
    title: findTitle(reading, fields),
    typeAt: type?.start ?? -1,
    wantedKind: messageType === 'data_query' ? findWantedKind(reading, fields) : undefined,
    dataKind: data?.kind,
    dataAt: data?.start ?? -1,
    isSigned: fields.get('signature') !== undefined,
    chunk: findChunk(reading, fields),
  };
}

/** The top-level pairs of a unit; none for a value. */
export function pairsOf({ tree }: Pick<UnitReading, 'tree'>): Children<PairNode> {
  if (tree?.kind === 'message') return tree.root.pairs;
  return tree?.kind === 'pairs' ? tree.pairs : [];
}

type Source = Pick<UnitReading, 'text' | 'base'>;

/** Returns the catalog's own string for a known type, so that thousands of messages share it. */
function typeOf(text: Source['text'], base: number, type: AtomNode): string {
  for (const { name } of MESSAGE_TYPES) if (isWord(text, base, type, name)) return name;
  return textOf(text, base, type);
}

function textAt({ text, base }: Source, fields: KnownFields, key: FieldKey): string {
  const value = fields.get(key)?.value;
  return value?.kind === 'text' ? textOf(text, base, value) : '';
}

function findTitle(source: Source, fields: KnownFields): string {
  for (const key of TITLES) {
    const title = textAt(source, fields, key);
    if (title !== '') return shorten(title);
  }
  return '';
}

function findChunk(source: Source, fields: KnownFields): ChunkSummary | undefined {
  const value = fields.get('stream_id')?.value;
  if (value?.kind !== 'text') return undefined;
  const id = parseStreamId(textOf(source.text, source.base, value));
  return id && { ...id, start: value.start + CONTENT_START, end: value.contentEnd };
}

/** The names by which `data_format` may refer to a type: name, title or letter. */
const KINDS: ReadonlyMap<string, ValueKind> = new Map(
  TYPE_TAGS.flatMap(({ name, title, tag }) => [name, title, tag].map(word => [word, name] as const)),
);

/** The type that a query's `data_format` requests, as a text or in its `type`; undefined for other formats. */
function findWantedKind({ text, base }: Source, fields: KnownFields): ValueKind | undefined {
  const format = fields.get('data_format')?.value;
  const named: AiclNode | undefined =
    format?.kind === 'dict' ? findPair(text, base, format.pairs, 'type')?.value : format;
  return named?.kind === 'text' ? KINDS.get(textOf(text, base, named)) : undefined;
}

/** The maximum length of a text in lists. */
const LONGEST = 60;

/** Shortens a text for lists: its first line, at most 60 characters. */
export function shorten(text: string): string {
  let end = 0;
  while (end < text.length && end <= LONGEST && !isLineEnd(text.charCodeAt(end))) end++;
  return end > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text.slice(0, end);
}
