import { countOf, countPoints } from '../../../core/text/count.ts';
import { exactDecimal, isSameDecimal, readDecimal, showDecimal } from '../../../core/text/exact-decimal.ts';
import { fenceCode } from '../../../core/text/markdown.ts';
import { utf8Length } from '../../../core/text/utf8.ts';

/** A value's source with more characters than this is counted and not shown. */
const MOST_SHOWN = 400;
const INT64_FIRST = -(2n ** 63n);
const INT64_LAST = 2n ** 63n - 1n;
/** Integers beyond this are near enough to the end of the range to say how far it is. */
const NEAR_END = 2n ** 62n;
const HEX_FROM = 1n << 16n;

/** What is to be known of a text: its length, and what it reads as where it holds escapes. */
export function textFacts(source: string, text: string): string {
  const length = `**string**, ${countOf(countPoints(text), 'character')}, ${countOf(utf8Length(text), 'byte')} in UTF-8.`;
  if (source === text) return length;
  const shown = text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
  return `${length} Without its escapes it reads:\n\n${fenceCode(shown, 'text')}`;
}

/**
 * What is to be known of an integer (reading of LightAICL 3.2): whether 64 bits hold it, how far the end of their range
 * is from a large one, its bits, whether a double holds it, and the time that it may stand for.
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

/** Seconds or milliseconds since 1970 of the years 2001 to 2286, which is what such numbers mostly are. */
function showTime(value: bigint): string | undefined {
  const number = Number(value);
  if (number >= 1e9 && number < 1e10) return new Date(number * 1000).toISOString();
  return number >= 1e12 && number < 1e13 ? new Date(number).toISOString() : undefined;
}

/** The value that the double of a literal has, exactly, and whether the literal says the same. */
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
  return `**float**, IEEE 754 double. It holds\n\n${fenceCode(showDecimal(exact, MOST_DIGITS), 'text')}\n\nthe nearest one to the literal.`;
}

const MOST_DIGITS = 80;
const FLOAT_WORDS: ReadonlyMap<string, string> = new Map([
  ['inf', 'infinity'],
  ['-inf', 'minus infinity'],
  ['nan', 'not a number'],
]);
