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
/** Each key by its name: the catalog's own string, so that messages share it. */
const KEY_OF: ReadonlyMap<string, FieldKey> = new Map(KEYS.map(key => [key, key]));
const LONGEST = Math.max(...KEYS.map(key => key.length));
const HEADER_KEYS: readonly FieldKey[] = HEADER_FIELDS.map(row => row.key);

/**
 * The fields of a message that the protocol defines; of repeated keys the last one. Found in one pass by
 * comparing raw text, because field names have no escapes.
 */
export class KnownFields {
  /** True if the first pairs are the header fields in order. */
  readonly startsWithHeader: boolean;
  /** The number of pairs that are header fields, counting repeated keys. */
  readonly headerCount: number;
  readonly #pairs = new Map<string, PairNode>();

  /** `base` is the unit's start in the text. */
  constructor(text: Characters, base: number, pairs: Iterable<PairNode>) {
    let index = 0;
    let inOrder = 0;
    let headerCount = 0;
    for (const pair of pairs) {
      const key = findKey(text, base, pair);
      if (key !== undefined) {
        this.#pairs.set(key, pair);
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
    return this.#pairs.get(key);
  }

  /** The pair of a field of the catalog; undefined if it is missing. */
  of(row: FieldRow): PairNode | undefined {
    return this.#pairs.get(row.key);
  }
}

/** True for a key that the protocol defines. */
export function isFieldKey(key: string): boolean {
  return KEY_OF.has(key);
}

function findKey(text: Characters, base: number, { key }: PairNode): FieldKey | undefined {
  const [start, end] = [base + key.start + CONTENT_START, base + key.contentEnd];
  return end - start > LONGEST ? undefined : KEY_OF.get(text.slice(start, end));
}
