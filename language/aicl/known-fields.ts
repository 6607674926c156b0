import { COMMON_FIELDS, HEADER_FIELDS, MESSAGE_TYPES, type FieldRow } from '../../core/catalog/aicl.ts';
import type { Characters } from '../../core/text/source-text.ts';
import { CONTENT_START, type PairNode } from './ast.ts';

/** The keys that the protocol defines at the top level of a message. */
export type FieldKey =
  | (typeof HEADER_FIELDS)[number]['key']
  | (typeof COMMON_FIELDS)[number]['key']
  | (typeof MESSAGE_TYPES)[number]['fields'][number]['key'];

const TYPES: readonly { readonly fields: readonly { readonly key: FieldKey }[] }[] = MESSAGE_TYPES;
const KEYS: readonly FieldKey[] = [
  ...new Set<FieldKey>(
    [...HEADER_FIELDS, ...COMMON_FIELDS, ...TYPES.flatMap(type => type.fields)].map(row => row.key),
  ),
];
const KEY_SET: ReadonlySet<string> = new Set(KEYS);
const HEADER_KEYS: readonly FieldKey[] = HEADER_FIELDS.map(row => row.key);

/** The keys by length, because most other keys can be excluded by their length. */
const KEYS_BY_LENGTH = groupByLength();

function groupByLength(): readonly (readonly FieldKey[] | undefined)[] {
  const groups: FieldKey[][] = [];
  for (const key of KEYS) (groups[key.length] ??= []).push(key);
  return groups;
}

/**
 * The fields of a message that the protocol defines; of repeated keys the last one. Found in one pass by
 * comparing raw text, because field names have no escapes.
 */
export class KnownFields {
  /** True if the first pairs are the header fields in order. */
  readonly startsWithHeader: boolean;
  /** The number of pairs that are header fields, counting repeated keys. */
  readonly headerCount: number;
  readonly #keys: string[] = [];
  readonly #pairs: PairNode[] = [];

  /** `base` is the unit's start in the text. */
  constructor(text: Characters, base: number, pairs: Iterable<PairNode>) {
    let index = 0;
    let inOrder = 0;
    let headerCount = 0;
    for (const pair of pairs) {
      const key = findKey(text, base, pair);
      if (key !== undefined) {
        this.#keys.push(key);
        this.#pairs.push(pair);
        const place = HEADER_KEYS.indexOf(key);
        if (place >= 0) headerCount++;
        if (place === index) inOrder++;
      }
      index++;
    }
    this.startsWithHeader = inOrder === HEADER_KEYS.length;
    this.headerCount = headerCount;
  }

  /** The pair of a key; undefined if it is missing. */
  get(key: FieldKey): PairNode | undefined {
    return this.#find(key);
  }

  /** The pair of a field of the catalog; undefined if it is missing. */
  of(row: FieldRow): PairNode | undefined {
    return this.#find(row.key);
  }

  /** A message has few known fields, and the stored keys are the catalog's own strings, which compare quickly. */
  #find(key: string): PairNode | undefined {
    return this.#pairs[this.#keys.lastIndexOf(key)];
  }
}

/** True for a key that the protocol defines. */
export function isFieldKey(key: string): boolean {
  return KEY_SET.has(key);
}

function findKey(text: Characters, base: number, { key }: PairNode): FieldKey | undefined {
  const from = base + key.start + CONTENT_START;
  const candidates = KEYS_BY_LENGTH[base + key.contentEnd - from];
  if (candidates) for (const candidate of candidates) if (occursAt(text, from, candidate)) return candidate;
  return undefined;
}

/** True if a text occurs at an offset. */
export function occursAt(text: Characters, at: number, wanted: string): boolean {
  for (let index = 0; index < wanted.length; index++)
    if (text.charCodeAt(at + index) !== wanted.charCodeAt(index)) return false;
  return true;
}
