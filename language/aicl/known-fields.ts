import { COMMON_FIELDS, HEADER_FIELDS, MESSAGE_TYPES, type FieldRow } from '../../core/catalog/aicl.ts';
import type { Characters } from '../../core/text/source-text.ts';
import { CONTENT_START, isWord, type PairNode } from './ast.ts';

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
const KEYS_BY_LENGTH: readonly (readonly FieldKey[])[] = Array.from({ length: 16 }, (_, length) =>
  KEYS.filter(key => key.length === length),
);
const NONE: readonly FieldKey[] = [];
const HEADER_KEYS: readonly string[] = HEADER_FIELDS.map(row => row.key);

/**
 * The fields of a message that the protocol defines; of repeated keys the last one. Found in one pass by
 * comparing raw text, because field names have no escapes.
 */
export class KnownFields {
  /** True if the first pairs are the header fields in order. */
  readonly startsWithHeader: boolean;
  readonly #keys: string[] = [];
  readonly #pairs: PairNode[] = [];

  /** `base` is the unit's start in the text. */
  constructor(text: Characters, base: number, pairs: Iterable<PairNode>) {
    let index = 0;
    let inOrder = 0;
    for (const pair of pairs) {
      const key = findKey(text, base, pair);
      if (key !== undefined) {
        this.#keys.push(key);
        this.#pairs.push(pair);
        if (key === HEADER_KEYS[index]) inOrder++;
      }
      index++;
    }
    this.startsWithHeader = inOrder === HEADER_KEYS.length;
  }

  /** The number of pairs that are header fields, counting repeated keys. */
  get headerCount(): number {
    return this.#keys.filter(key => HEADER_KEYS.includes(key)).length;
  }

  /** The pair of a key; undefined if it is missing. */
  get(key: FieldKey): PairNode | undefined {
    return this.#find(key);
  }

  /** The pair of a field of the catalog; undefined if it is missing. */
  of(row: FieldRow): PairNode | undefined {
    return this.#find(row.key);
  }

  /** A message has few fields, so comparing their keys is faster than a map. */
  #find(key: string): PairNode | undefined {
    for (let index = this.#keys.length - 1; index >= 0; index--)
      if (this.#keys[index] === key) return this.#pairs[index];
    return undefined;
  }
}

/** True for a key that the protocol defines. */
export function isFieldKey(key: string): boolean {
  return KEYS.some(candidate => candidate === key);
}

function findKey(text: Characters, base: number, { key }: PairNode): FieldKey | undefined {
  for (const name of KEYS_BY_LENGTH[key.contentEnd - key.start - CONTENT_START] ?? NONE)
    if (isWord(text, base, key, name)) return name;
  return undefined;
}
