/** The RFC 1924 alphabet in digit order, as used by Python's `base64.b85encode`. */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';

const ALPHABET_CODES = Uint8Array.from(ALPHABET, character => character.charCodeAt(0));

/** The first value that does not fit in four bytes. */
export const GROUP_LIMIT = 0x1_0000_0000;
/** The table entry for characters outside the alphabet. */
export const NO_DIGIT = 255;

const DIGITS = new Uint8Array(256).fill(NO_DIGIT);
for (const [digit, code] of ALPHABET_CODES.entries()) DIGITS[code] = digit;

/** The digit of a character; NO_DIGIT for one that is not in the alphabet. */
export function digitOf(code: number): number {
  return DIGITS[code] ?? NO_DIGIT;
}

/**
 * The contribution of each character to the value of a group, one table for each position. A character
 * outside the alphabet contributes so much that the group exceeds four bytes, so one comparison detects both
 * faults. Sums of doubles are exact up to 2^53.
 */
const [FIRST, SECOND, THIRD, FOURTH, FIFTH] = [
  tabulatePlace(85 ** 4),
  tabulatePlace(85 ** 3),
  tabulatePlace(85 ** 2),
  tabulatePlace(85),
  tabulatePlace(1),
];

function tabulatePlace(weight: number): Float64Array {
  return Float64Array.from(DIGITS, digit => (digit === NO_DIGIT ? GROUP_LIMIT : digit * weight));
}

/** The value of the five characters at `at`; `GROUP_LIMIT` or more if they are not a valid group. */
export function groupAt(codes: Uint8Array, at: number): number {
  return (
    (FIRST[codes[at] ?? 0] ?? 0) +
    (SECOND[codes[at + 1] ?? 0] ?? 0) +
    ((THIRD[codes[at + 2] ?? 0] ?? 0) + (FOURTH[codes[at + 3] ?? 0] ?? 0) + (FIFTH[codes[at + 4] ?? 0] ?? 0))
  );
}

/** The two characters of each two-digit value, the first one in the low byte. */
const PAIRS = Uint16Array.from({ length: 85 * 85 }, (_, pair) => {
  const [first, second] = [ALPHABET_CODES[Math.floor(pair / 85)] ?? 0, ALPHABET_CODES[pair % 85] ?? 0];
  return first | (second << 8);
});

/** Writes the five characters of a group at a byte offset. */
export function putGroup(codes: DataView, at: number, group: number): void {
  // `>>> 0` marks the values as integers, so that the engine divides by multiplication.
  const four = (group / 85) >>> 0;
  const high = (four / 7225) >>> 0;
  const low = four - high * 7225;
  codes.setUint32(at, (PAIRS[high] ?? 0) | ((PAIRS[low] ?? 0) << 16), true);
  codes.setUint8(at + 4, ALPHABET_CODES[group - four * 85] ?? 0);
}
