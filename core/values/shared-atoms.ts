import { NULL, type BoolValue, type IntValue, type ListValue, type TextValue, type Value } from './value.ts';

/** Longer texts hardly come again. */
const LONGEST = 16;
const MOST_TEXTS = 4_096;
const MOST_LISTS = 4_096;
const MOST_INT = 1_023;

const TRUE: BoolValue = { kind: 'bool', bool: true };
const FALSE: BoolValue = { kind: 'bool', bool: false };
const INTS: readonly IntValue[] = Array.from({ length: MOST_INT + 1 }, (_, int) => ({ kind: 'int', int }));
const EMPTY_LIST: Value = { kind: 'list', items: [] };
const EMPTY_DICT: Value = { kind: 'dict', entries: [] };

/**
 * Gives values that are alike as one object, where they are small and come often: a hostile text holds millions. Not for who
 * keeps places, which belong to the object.
 */
export class SharedAtoms {
  #texts: Map<string, TextValue> | undefined;
  /** Lists of one item, by the item. */
  #lists: Map<Value, ListValue> | undefined;

  /** The object for a value that was read. */
  share(value: Value): Value {
    switch (value.kind) {
      case 'text':
        return value.text.length > LONGEST ? value : this.#shareText(value);
      case 'int':
        return (typeof value.int === 'number' && INTS[value.int]) || value;
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
    const lists = (this.#lists ??= new Map<Value, ListValue>());
    const known = lists.get(item);
    if (known) return known;
    if (lists.size < MOST_LISTS) lists.set(item, value);
    return value;
  }

  #shareText(value: TextValue): TextValue {
    const texts = (this.#texts ??= new Map<string, TextValue>());
    const known = texts.get(value.text);
    if (known) return known;
    if (texts.size < MOST_TEXTS) texts.set(value.text, value);
    return value;
  }
}
