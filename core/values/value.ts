/**
 * A value in a message, in the neutral form of all protocols. The order
 * of dictionary entries is significant, and each key occurs once.
 */
export type Value =
  | TextValue
  | IntValue
  | FloatValue
  | BoolValue
  | NullValue
  | TensorValue
  | ListValue
  | DictValue;

export interface TextValue {
  readonly kind: 'text';
  readonly text: string;
}

/** An integer of any size: a bigint unless it is a safe integer. */
export interface IntValue {
  readonly kind: 'int';
  readonly int: number | bigint;
}

/** A double. NaN equals NaN; -0 and 0 differ. */
export interface FloatValue {
  readonly kind: 'float';
  readonly float: number;
  /**
   * The number as it was written in JSON, if it would be printed
   * differently (`1.50`) or no double represents it (`1e400`).
   */
  readonly literal?: string;
}

export interface BoolValue {
  readonly kind: 'bool';
  readonly bool: boolean;
}

export interface NullValue {
  readonly kind: 'null';
}

/** A tensor in LightAICL notation, `dtype:shape:payload`, without white space. It may be invalid. */
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

/** An integer value; a safe integer is stored as a number, even if a bigint was passed. */
export function intValue(int: number | bigint): IntValue {
  const number = Number(int);
  return { kind: 'int', int: Number.isSafeInteger(number) ? number : BigInt(int) };
}

export function floatValue(float: number): FloatValue {
  return { kind: 'float', float };
}

// oxlint-disable-next-line parley/restricted-syntax -- the truth value is what it makes a value of
export function boolValue(bool: boolean): BoolValue {
  return { kind: 'bool', bool };
}

export function listValue(items: readonly Value[]): ListValue {
  return { kind: 'list', items };
}

/** A dictionary value. Keys must be distinct; entries without a value are left out. */
export function dictValue(
  entries: readonly { readonly key: string; readonly value: Value | undefined }[],
): DictValue {
  return { kind: 'dict', entries: entries.every(isWhole) ? entries : entries.filter(isWhole) };
}

function isWhole(entry: { readonly key: string; readonly value: Value | undefined }): entry is Entry {
  return entry.value !== undefined;
}

/** The value of a dictionary entry by its key; undefined if there is none or the value is not a dictionary. */
export function findEntry(value: Value | undefined, key: string): Value | undefined {
  if (value?.kind !== 'dict') return undefined;
  for (const entry of value.entries) if (entry.key === key) return entry.value;
  return undefined;
}

/** The text of a text value; undefined for any other. */
export function textIn(value: Value | undefined): string | undefined {
  return value?.kind === 'text' ? value.text : undefined;
}
