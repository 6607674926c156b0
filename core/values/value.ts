/** A value of a message, whatever its protocol. The order of a dictionary's entries counts; each key stands once. */
export type Value =
  TextValue | IntValue | FloatValue | BoolValue | NullValue | TensorValue | ListValue | DictValue;

export interface TextValue {
  readonly kind: 'text';
  readonly text: string;
}

/** An integer of any size: a bigint where a double does not hold it for certain. */
export interface IntValue {
  readonly kind: 'int';
  readonly int: number | bigint;
}

/** A double; NaN is one value, -0 and 0 are two. */
export interface FloatValue {
  readonly kind: 'float';
  readonly float: number;
  /** The number as JSON had it, where it is printed otherwise, such as `1.50`, or no double is it, such as `1e400`. */
  readonly literal?: string;
}

export interface BoolValue {
  readonly kind: 'bool';
  readonly bool: boolean;
}

export interface NullValue {
  readonly kind: 'null';
}

/** A tensor as LightAICL writes it, `dtype:shape:payload`, without white space in it. It need not be sound. */
export interface TensorValue {
  readonly kind: 'tensor';
  readonly source: string;
}

export interface ListValue {
  readonly kind: 'list';
  readonly items: readonly Value[];
}

export interface DictValue {
  readonly kind: 'dict';
  readonly entries: readonly Entry[];
}

export interface Entry {
  readonly key: string;
  readonly value: Value;
}

export const NULL: NullValue = { kind: 'null' };

export function textValue(text: string): TextValue {
  return { kind: 'text', text };
}

/** An integer; one that a double holds for certain is a number, whichever was given. */
export function intValue(int: number | bigint): IntValue {
  const number = Number(int);
  return { kind: 'int', int: Number.isSafeInteger(number) ? number : BigInt(int) };
}

export function floatValue(float: number): FloatValue {
  return { kind: 'float', float };
}

// eslint-disable-next-line no-restricted-syntax -- the truth value is what it makes a value of
export function boolValue(bool: boolean): BoolValue {
  return { kind: 'bool', bool };
}

export function listValue(items: readonly Value[]): ListValue {
  return { kind: 'list', items };
}

/** A dictionary of entries with different keys; entries without a value are left out. */
export function dictValue(
  entries: readonly { readonly key: string; readonly value: Value | undefined }[],
): DictValue {
  return { kind: 'dict', entries: entries.every(isWhole) ? entries : entries.filter(isWhole) };
}

function isWhole(entry: { readonly key: string; readonly value: Value | undefined }): entry is Entry {
  return entry.value !== undefined;
}

/** The entry of a dictionary by its key; undefined for other values and keys. */
export function findEntry(value: Value | undefined, key: string): Value | undefined {
  if (value?.kind !== 'dict') return undefined;
  for (const entry of value.entries) if (entry.key === key) return entry.value;
  return undefined;
}

/** The text of a text value; undefined for any other. */
export function textIn(value: Value | undefined): string | undefined {
  return value?.kind === 'text' ? value.text : undefined;
}
