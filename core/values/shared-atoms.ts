import { NULL, type BoolValue, type IntValue, type ListValue, type TextValue, type Value } from './value.ts';

/** The length of the longest text that is shared: a longer one takes no more memory for its length than other values. */
const LONGEST = 3;
const MAX_TEXTS = 4_096;
const MAX_LISTS = 4_096;
const MAX_INT = 1_023;

const TRUE: BoolValue = { kind: 'bool', bool: true };
const FALSE: BoolValue = { kind: 'bool', bool: false };
const INTS: readonly IntValue[] = Array.from({ length: MAX_INT + 1 }, (_, int) => ({ kind: 'int', int }));
const EMPTY_LIST: Value = { kind: 'list', items: [] };
const EMPTY_DICT: Value = { kind: 'dict', entries: [] };

/**
 * Shares one object among equal small values, to save memory: a hostile text may contain millions. Not for
 * readers that record the position of a value by its object.
 */
export class SharedAtoms {
  #texts: Map<string, TextValue> | undefined;
  /** Lists of one item by that item. */
  #lists: Map<Value, ListValue> | undefined;

  /** The shared object that equals this value, or the value itself. */
  share(value: Value): Value {
    switch (value.kind) {
      case 'text':
        return value.text.length > LONGEST ? value : this.#shareText(value);
      case 'int':
        // Only integers in range: a lookup of any other one is slow.
        return value.int >= 0 && value.int <= MAX_INT ? (INTS[Number(value.int)] ?? value) : value;
      case 'bool':
        return value.bool ? TRUE : FALSE;
      case 'null':
        return NULL;
      case 'list':
        return value.items.length > 1 ? value : this.#shareList(value);
      case 'dict':
        return value.entries.length === 0 ? EMPTY_DICT : value;
      default:
        return value;
    }
  }

  #shareList(value: ListValue): Value {
    const [item] = value.items;
    if (!item) return EMPTY_LIST;
    if (item.kind === 'dict') return value;
    const lists = (this.#lists ??= new Map<Value, ListValue>());
    const known = lists.get(item);
    if (known) return known;
    if (lists.size < MAX_LISTS) lists.set(item, value);
    return value;
  }

  #shareText(value: TextValue): TextValue {
    const texts = (this.#texts ??= new Map<string, TextValue>());
    const known = texts.get(value.text);
    if (known) return known;
    if (texts.size < MAX_TEXTS) texts.set(value.text, value);
    return value;
  }
}
