import type { DtypeName } from '../../../../core/catalog/dtypes.ts';
import { readElement, type Element } from '../../../../tensor/elements.ts';
import { readNumbers } from '../../../../tensor/numbers.ts';
import { parseElement } from '../../../../tensor/parse-element.ts';
import { elementSize, type Tensor } from '../../../../tensor/tensor.ts';
import { quote } from '../../../../core/text/quote.ts';

/** The test of a search. */
export interface Matcher {
  /**
   * A fast test on an element as a number. It may accept elements that do not match, because 64-bit integers
   * are rounded.
   */
  readonly mayMatch: (value: number) => boolean;
  /** The exact test of an element by its index; absent if `mayMatch` is exact. */
  readonly matches?: (index: number) => boolean;
}

export type ParsedQuery =
  | { readonly kind: 'ok'; readonly matcher: Matcher }
  | { readonly kind: 'fault'; readonly problem: string };

const COMPARISON = /^(<=|>=|!=|==|≤|≥|≠|[<>=])\s*(.*)/s;

/**
 * Parses a query: a value (`3.5`, or `0x7fc00001` for these bits), `nan`, `inf` for both infinities, `+inf`,
 * `-inf`, or a comparison: `> 3.5`, `<=`, `!=`. A value is rounded to the tensor's type as in editing;
 * comparisons are exact. `!=` never matches NaN; complex numbers are compared by magnitude.
 */
export function parseQuery(tensor: Tensor, text: string): ParsedQuery {
  const typed = text.trim().replaceAll('−', '-');
  const [, operator = '=', operand = typed] = COMPARISON.exec(typed) ?? [];
  if (operand === '')
    return { kind: 'fault', problem: 'Write a value, nan, inf, or a comparison such as > 3.5.' };
  if (/^nan$/i.test(operand) && isEquality(operator)) return ok(value => Number.isNaN(value));
  if (/^inf$/i.test(operand) && isEquality(operator))
    return ok(value => value === Infinity || value === -Infinity);
  if (isEquality(operator)) return parseEquality(tensor, operand);
  if (operator === '!=' || operator === '≠') return invert(parseEquality(tensor, operand));
  return parseOrder(tensor, operator, operand);
}

function isEquality(operator: string): boolean {
  return operator === '=' || operator === '==';
}

function ok(mayMatch: Matcher['mayMatch'], matches?: Matcher['matches']): ParsedQuery {
  return { kind: 'ok', matcher: matches ? { mayMatch, matches } : { mayMatch } };
}

function parseEquality(tensor: Tensor, operand: string): ParsedQuery {
  const { dtype } = tensor;
  const parsed = parseElement(dtype, operand);
  if (parsed.kind === 'fault') return parsed;
  const wanted = numberOf(dtype, parsed.bytes);
  const mayMatch = (value: number): boolean => value === wanted || (wanted !== wanted && value !== value);
  const areBits = /^0x/i.test(operand);
  if (areBits) return ok(mayMatch, index => hasBytes(tensor, index, parsed.bytes));
  if (!isRounded(dtype)) return ok(mayMatch);
  const element = readElement({ dtype, shape: [], bytes: parsed.bytes }, 0);
  return ok(mayMatch, index => isEqual(readElement(tensor, index), element));
}

function invert(parsed: ParsedQuery): ParsedQuery {
  if (parsed.kind === 'fault') return parsed;
  const { mayMatch, matches } = parsed.matcher;
  const isOther = (value: number): boolean => !Number.isNaN(value) && !mayMatch(value);
  if (!matches) return ok(isOther);
  // Elements that differ can have equal numbers, so the exact test decides.
  return ok(
    value => !Number.isNaN(value),
    index => !matches(index),
  );
}

const ORDERS: Readonly<Record<string, (one: number | bigint, other: number | bigint) => boolean>> = {
  '<': (one, other) => one < other,
  '<=': (one, other) => one <= other,
  '≤': (one, other) => one <= other,
  '>': (one, other) => one > other,
  '>=': (one, other) => one >= other,
  '≥': (one, other) => one >= other,
};

function parseOrder(tensor: Tensor, operator: string, operand: string): ParsedQuery {
  const isNumber = /^[+-]?((\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?|inf)$/i.test(operand);
  const compare = ORDERS[operator];
  if (!isNumber || !compare)
    return { kind: 'fault', problem: `${quote(operand)} is not a number to compare with, such as > 3.5.` };
  const limit = Number(operand.replace(/inf/i, 'Infinity'));
  if (tensor.dtype !== 'int64' && tensor.dtype !== 'uint64') return ok(value => compare(value, limit));
  // Elements that round to the limit are compared exactly, with an exact limit if it is whole.
  const exact = /^[+-]?\d+$/.test(operand) ? BigInt(operand.replace('+', '')) : limit;
  return ok(
    value => value === limit || compare(value, limit),
    index => {
      const element = readElement(tensor, index);
      return typeof element === 'bigint' && compare(element, exact);
    },
  );
}

/** True for types whose elements are not fully represented by a number. */
function isRounded(dtype: DtypeName): boolean {
  return dtype.endsWith('int64') || dtype.startsWith('complex');
}

function numberOf(dtype: DtypeName, bytes: Uint8Array): number {
  const into = new Float64Array(1);
  readNumbers(dtype, bytes, into);
  return into[0] ?? Number.NaN;
}

function isEqual(one: Element, other: Element): boolean {
  if (typeof one === 'object' && typeof other === 'object')
    return isSame(one.re, other.re) && isSame(one.im, other.im);
  return one === other;
}

function isSame(one: number, other: number): boolean {
  return one === other || (Number.isNaN(one) && Number.isNaN(other));
}

function hasBytes({ dtype, bytes }: Tensor, index: number, wanted: Uint8Array): boolean {
  const start = index * elementSize(dtype);
  return wanted.every((byte, at) => bytes[start + at] === byte);
}
