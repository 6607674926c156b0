import { COMMON_FIELDS, HEADER_FIELDS, MESSAGE_TYPES, type FieldRow } from '../../core/catalog/aicl.ts';
import type { Characters } from '../../core/text/source-text.ts';
import { CONTENT_START, type PairNode } from './ast.ts';

/** The keys that the protocol gives a meaning at the top of a message. */
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

/** The keys of each length: most other keys are told apart by their length alone. */
const KEYS_BY_LENGTH = groupByLength();

function groupByLength(): readonly (readonly FieldKey[] | undefined)[] {
  const groups: FieldKey[][] = [];
  for (const key of KEYS) (groups[key.length] ??= []).push(key);
  return groups;
}

/**
 * The fields of a message that the protocol knows, the last one where a key stands twice; found in one pass over the
 * pairs, comparing in place. Names of fields hold nothing to unescape.
 */
export class KnownFields {
  /** True where the first pairs are the header's, in their order. */
  readonly startsWithHeader: boolean;
  /** How many pairs are fields of the header: more than are there by name, where one stands twice. */
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

  /** The pair of a key; undefined where it is missing. */
  get(key: FieldKey): PairNode | undefined {
    return this.#find(key);
  }

  /** The pair of a field of the catalog; undefined where it is missing. */
  of(row: FieldRow): PairNode | undefined {
    return this.#find(row.key);
  }

  /** A message has few fields that are known: the same texts as in the catalog, which the engine compares at once. */
  #find(key: string): PairNode | undefined {
    return this.#pairs[this.#keys.lastIndexOf(key)];
  }
}

/** True for a key that the protocol gives a meaning. */
export function isFieldKey(key: string): boolean {
  return KEY_SET.has(key);
}

function findKey(text: Characters, base: number, { key }: PairNode): FieldKey | undefined {
  const from = base + key.start + CONTENT_START;
  const candidates = KEYS_BY_LENGTH[base + key.contentEnd - from];
  if (candidates) for (const candidate of candidates) if (standsAt(text, from, candidate)) return candidate;
  return undefined;
}

/** True where a text stands at an offset. */
export function standsAt(text: Characters, at: number, wanted: string): boolean {
  for (let index = 0; index < wanted.length; index++)
    if (text.charCodeAt(at + index) !== wanted.charCodeAt(index)) return false;
  return true;
}
