import { valueOfSecret, type NamedSecret, type Secret } from '../text/secret.ts';
import { encodeUtf8 } from '../events/bytes.ts';
import {
  spellCharacter,
  spellDigit,
  type Place,
  type Spelling,
  type StreamUnits,
} from './redact-spellings.ts';

/** One encoding in which a secret may occur: the spellings of its characters, in order. */
export interface Pattern {
  readonly spellings: readonly Spelling[];
  /** The number of leading characters that identify the secret; further ones that match belong to it as well. */
  readonly needed: number;
  /** The secret, if it has a name and this is its plain form; Base64 forms cannot be replaced by a template. */
  readonly named?: NamedSecret;
}

/** The minimum number of Base64 digits to search for: fewer occur in any text. */
const FEWEST_DIGITS = 4;

/**
 * The patterns of secrets: their characters, and the Base64 of their bytes and of their JSON-escaped form (RFC 4648,
 * both alphabets) at each of the three alignments. At the first alignment all digits match. At the others, the first
 * digit also encodes bits of the preceding text, so it is not replaced; it reveals at most four bits of the secret.
 */
export function listPatterns(secrets: readonly Secret[], units: StreamUnits): readonly Pattern[] {
  return secrets.flatMap(secret => {
    const value = valueOfSecret(secret);
    const encoded = new Set([value, JSON.stringify(value).slice(1, -1)]);
    const plain = spellText(value, units);
    return [
      typeof secret === 'string' ? plain : { ...plain, named: secret },
      ...[...encoded].flatMap(text => spellBase64(encodeUtf8(text))),
    ];
  });
}

/** Spellings by character: secrets repeat characters, and each request may bring new secrets. */
const KNOWN = new Map<string, Spelling>();

function spellText(text: string, units: StreamUnits): Pattern {
  const spellings = spellAll([...text], units, (character, place) => spellCharacter(character, units, place));
  return { spellings, needed: spellings.length };
}

/** Each element of `digits` contains the alternatives for one position. */
function spellDigits(digits: readonly string[], needed: number): Pattern {
  return { spellings: spellAll(digits, 'digits', spellDigit), needed };
}

function spellAll(
  all: readonly string[],
  kind: string,
  spell: (each: string, place: Place) => Spelling,
): readonly Spelling[] {
  return all.map((each, at) => {
    const place = at === 0 ? 'first' : 'later';
    const key = `${kind} ${place} ${each}`;
    const spelling = KNOWN.get(key) ?? spell(each, place);
    KNOWN.set(key, spelling);
    return spelling;
  });
}

function spellBase64(bytes: Uint8Array): readonly Pattern[] {
  const patterns = [0, 1, 2].flatMap(before => {
    const { own, shared, padding } = readDigits(bytes, before);
    return own.length < FEWEST_DIGITS ? [] : [spellDigits([...own, ...shared, ...padding], own.length)];
  });
  if (bytes.length >= FEWEST_DIGITS) return patterns;
  // A short secret is found only if it was encoded alone, with its padding if there is any.
  const { own, shared, padding } = readDigits(bytes, 0);
  const whole = [...own, ...shared.map(digits => digits.slice(0, 1)), ...padding];
  return [spellDigits(whole, whole.length), ...(padding.length > 0 ? patterns : [])];
}

/**
 * The Base64 digits that depend on these bytes only (`own`), the last digit if it also encodes bits of the following
 * text (`shared`), and the padding if nothing follows. `before` is the number of preceding bytes in the group of three.
 */
function readDigits(
  bytes: Uint8Array,
  before: number,
): {
  readonly own: readonly string[];
  readonly shared: readonly string[];
  readonly padding: readonly string[];
} {
  const own: string[] = [];
  let value = 0;
  let bits = 0;
  let skipped = (6 - ((before * 8) % 6)) % 6;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xffff;
    bits += 8;
    if (skipped > 0) {
      bits -= skipped;
      value &= (1 << bits) - 1;
      skipped = 0;
    }
    for (; bits >= 6; bits -= 6) own.push(digitsOf((value >> (bits - 6)) & 63, 1));
  }
  if (bits === 0) return { own, shared: [], padding: [] };
  const free = 6 - bits;
  const first = (value << free) & 63;
  return { own, shared: [digitsOf(first, 1 << free)], padding: bits === 2 ? ['=', '='] : ['='] };
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The digits of `count` consecutive values, in both alphabets. */
function digitsOf(first: number, count: number): string {
  if (count === 1 && first < 62) return ALPHABET.charAt(first);
  const digits = ALPHABET.slice(first, first + count);
  return `${digits}${digits.includes('+') ? '-' : ''}${digits.includes('/') ? '_' : ''}`;
}
