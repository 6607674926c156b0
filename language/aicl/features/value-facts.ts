import { countOf, countPoints } from '../../../core/text/count.ts';
import { exactDecimal, isSameDecimal, readDecimal, showDecimal } from '../../../core/text/exact-decimal.ts';
import { fenceCode } from '../../../core/text/markup.ts';
import { utf8Length } from '../../../core/text/utf8.ts';

/** Maximum number of characters of a decoded text that are shown. */
const MAX_SHOWN = 400;
const INT64_FIRST = -(2n ** 63n);
const INT64_LAST = 2n ** 63n - 1n;
/** From this magnitude on, the distance to the end of the range is shown. */
const NEAR_END = 2n ** 62n;
const HEX_FROM = 1n << 16n;

/** Facts about a text: its length and, if it has escapes, the decoded text. */
export function textFacts(source: string, text: string): string {
  const length = `**string**, ${countOf(countPoints(text), 'character')}, ${countOf(utf8Length(text), 'byte')} in UTF-8.`;
  if (source === text) return length;
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  return `${length} Without its escapes it reads:\n\n${fenceCode(shown, 'text')}`;
}

/**
 * Facts about an integer (reading of LightAICL 3.2): whether it fits into 64 bits, the distance to the end of
 * the range for large values, its bits, whether a double can represent it, and the time that it may encode.
 */
export function intFacts(source: string): string | undefined {
  if (!/^[+-]?\d{1,400}$/.test(source)) return undefined;
  const value = BigInt(source.replace('+', ''));
  const size = value < 0n ? -value : value;
  if (value > INT64_LAST)
    return `**integer**, ${value - INT64_LAST} above the largest of 64 bits, ${INT64_LAST}.`;
  if (value < INT64_FIRST)
    return `**integer**, ${INT64_FIRST - value} below the smallest of 64 bits, ${INT64_FIRST}.`;
  const facts = ['**integer**, 64 bits with a sign.'];
  if (size >= HEX_FROM) facts.push(`\`0x${BigInt.asUintN(64, value).toString(16).toUpperCase()}\`.`);
  if (size >= NEAR_END) facts.push(describeEnd(value));
  if (BigInt(Number(value)) !== value)
    facts.push(`A double cannot hold it: the nearest one is ${BigInt(Number(value))}.`);
  const time = showTime(value);
  if (time !== undefined) facts.push(`As a Unix time: ${time}.`);
  return facts.join(' ');
}

function describeEnd(value: bigint): string {
  if (value === INT64_LAST) return 'The largest there is.';
  if (value === INT64_FIRST) return 'The smallest there is.';
  return value > 0n
    ? `${INT64_LAST - value} below the largest, ${INT64_LAST}.`
    : `${value - INT64_FIRST} above the smallest, ${INT64_FIRST}.`;
}

/** Interprets seconds or milliseconds since 1970 for the years 2001 to 2286, which numbers of that size usually are. */
function showTime(value: bigint): string | undefined {
  const number = Number(value);
  if (number >= 1e9 && number < 1e10) return new Date(number * 1000).toISOString();
  return number >= 1e12 && number < 1e13 ? new Date(number).toISOString() : undefined;
}

/** The exact value of the double for a literal, and whether it equals the literal. */
export function floatFacts(source: string): string | undefined {
  if (/^(?:inf|-inf|nan)$/i.test(source))
    return `**float**, IEEE 754 double: ${FLOAT_WORDS.get(source.toLowerCase())}.`;
  const written = readDecimal(source);
  if (!written) return undefined;
  const value = Number(source);
  const exact = exactDecimal(value);
  if (!exact) return '**float**: larger than a double can be.';
  if (exact.digits === '' && written.digits !== '') return '**float**: so small that the double is zero.';
  if (isSameDecimal(exact, written)) return '**float**, IEEE 754 double: it holds this value exactly.';
  return `**float**, IEEE 754 double. It holds\n\n${fenceCode(showDecimal(exact, MAX_DIGITS), 'text')}\n\nthe nearest one to the literal.`;
}

const MAX_DIGITS = 80;
const FLOAT_WORDS: ReadonlyMap<string, string> = new Map([
  ['inf', 'infinity'],
  ['-inf', 'minus infinity'],
  ['nan', 'not a number'],
]);
