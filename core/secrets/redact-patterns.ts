import { valueOfSecret, type NamedSecret, type Secret } from '../text/secret.ts';
import { encodeUtf8 } from '../events/bytes.ts';
import {
  spellCharacter,
  spellDigit,
  type Place,
  type Spelling,
  type StreamUnits,
} from './redact-spellings.ts';

/** One way in which a secret may travel: the spellings of its characters, in order. */
export interface Pattern {
  readonly spellings: readonly Spelling[];
  /** So many characters are the secret; what follows of the others belongs to it, too. */
  readonly needed: number;
  /** The secret, where it has a name and these are its characters: what Base64 makes of it cannot be put back. */
  readonly named?: NamedSecret;
}

/** Digits of Base64 are searched for where there are so many: fewer are found in any text. */
const FEWEST_DIGITS = 4;

/**
 * The patterns of secrets: their characters, and the Base64 of their bytes (RFC 4648, both alphabets) at each of the three
 * alignments, also of what JSON makes of them. At its first alignment Base64 is found whole. At the others the first digit,
 * which also holds bits of what stands before the secret, is left: it tells at most four bits.
 */
export function listPatterns(secrets: readonly Secret[], units: StreamUnits): readonly Pattern[] {
  const speller = SPELLERS[units];
  return secrets.flatMap(secret => {
    const value = valueOfSecret(secret);
    const encoded = new Set([value, JSON.stringify(value).slice(1, -1)]);
    const plain = speller.spellText(value);
    return [
      typeof secret === 'string' ? plain : { ...plain, named: secret },
      ...[...encoded].flatMap(text => spellBase64(encodeUtf8(text), speller)),
    ];
  });
}

/** Spells each character once: secrets repeat theirs, and each request may bring new ones. */
class Speller {
  readonly #units: StreamUnits;
  readonly #characters: Spelled = { first: new Map(), later: new Map() };
  readonly #digits: Spelled = { first: new Map(), later: new Map() };

  constructor(units: StreamUnits) {
    this.#units = units;
  }

  spellText(text: string): Pattern {
    const spellings = spellAll([...text], this.#characters, (character, place) =>
      spellCharacter(character, this.#units, place),
    );
    return { spellings, needed: spellings.length };
  }

  /** Each of `digits` holds the digits that will do in its place. */
  spellDigits(digits: readonly string[], needed: number): Pattern {
    return { spellings: spellAll(digits, this.#digits, spellDigit), needed };
  }
}

type Spelled = Readonly<Record<Place, Map<string, Spelling>>>;

function spellAll(
  all: readonly string[],
  known: Spelled,
  spell: (each: string, place: Place) => Spelling,
): readonly Spelling[] {
  return all.map((each, at) => {
    const place = at === 0 ? 'first' : 'later';
    const spelling = known[place].get(each) ?? spell(each, place);
    known[place].set(each, spelling);
    return spelling;
  });
}

const SPELLERS: Readonly<Record<StreamUnits, Speller>> = {
  text: new Speller('text'),
  bytes: new Speller('bytes'),
};

function spellBase64(bytes: Uint8Array, speller: Speller): readonly Pattern[] {
  const patterns = [0, 1, 2].flatMap(before => {
    const { own, shared, padding } = readDigits(bytes, before);
    return own.length < FEWEST_DIGITS
      ? []
      : [speller.spellDigits([...own, ...shared, ...padding], own.length)];
  });
  if (bytes.length >= FEWEST_DIGITS) return patterns;
  // A short secret is found where it is all that was encoded, with its padding if it has any.
  const { own, shared, padding } = readDigits(bytes, 0);
  const whole = [...own, ...shared.map(digits => digits.slice(0, 1)), ...padding];
  return [speller.spellDigits(whole, whole.length), ...(padding.length > 0 ? patterns : [])];
}

/**
 * The digits that are of these bytes alone, the one that holds bits of what follows, if there is one, and the padding
 * where nothing follows. `before` is the number of bytes before them in their group of three.
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

/** The digits of so many values in a row, in both alphabets. */
function digitsOf(first: number, count: number): string {
  if (count === 1 && first < 62) return ALPHABET.charAt(first);
  const digits = ALPHABET.slice(first, first + count);
  return `${digits}${digits.includes('+') ? '-' : ''}${digits.includes('/') ? '_' : ''}`;
}
