import { valueOfSecret, type NamedSecret, type Secret } from '../text/secret.ts';
import { encodeUtf8 } from '../events/bytes.ts';
import { LINE_BREAK, listSpellings, Spelling, type StreamUnits } from './redact-spellings.ts';

/** One encoding in which a secret may occur: the spellings of its characters, in order. */
export interface Pattern {
  readonly spellings: readonly Spelling[];
  /** The number of leading spellings that identify the secret; further ones that match belong to it as well. */
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
    const spellings = [...value].map(character =>
      spell(`${units} ${character}`, () => listSpellings(character, units)),
    );
    const plain = { spellings, needed: spellings.length };
    const encoded = new Set([value, JSON.stringify(value).slice(1, -1)]);
    return [
      typeof secret === 'string' ? plain : { ...plain, named: secret },
      ...[...encoded].flatMap(text => spellBase64(encodeUtf8(text))),
    ];
  });
}

/** Spellings that were made before: secrets repeat characters, and each request may bring new secrets. */
const KNOWN = new Map<string, Spelling>();

function spell(key: string, list: () => readonly string[]): Spelling {
  const spelling = KNOWN.get(key) ?? Spelling.of(list());
  KNOWN.set(key, spelling);
  return spelling;
}

function spellBase64(bytes: Uint8Array): readonly Pattern[] {
  const bits = [...bytes].map(byte => byte.toString(2).padStart(8, '0')).join('');
  // A short secret is found only if it was encoded alone, with its padding if there is any.
  if (bytes.length < FEWEST_DIGITS) {
    const { own, rest } = readDigits(bits);
    const whole = [...own, ...rest.map(digits => digits.slice(0, 1))];
    return [spellDigits(whole, whole.length)];
  }
  // At the second and third alignment, the first bits belong to a digit of the preceding text.
  return [0, 4, 2].flatMap(skipped => {
    const { own, rest } = readDigits(bits.slice(skipped));
    return own.length < FEWEST_DIGITS ? [] : [spellDigits([...own, ...rest], own.length)];
  });
}

/** The pattern of digits between which a line may break. Each text has the alternatives for one digit. */
function spellDigits(digits: readonly string[], needed: number): Pattern {
  const spellings = digits.flatMap(each => [
    LINE_BREAK,
    spell(`digits ${each}`, () =>
      [...each].flatMap(digit => (/[+/=]/.test(digit) ? listSpellings(digit, 'text') : [digit])),
    ),
  ]);
  return { spellings: spellings.slice(1), needed: needed * 2 - 1 };
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * The Base64 digits that depend on these bits only (`own`), and then (`rest`) the digit that also encodes bits of the
 * following text, if there is one, with the padding if nothing follows.
 */
function readDigits(bits: string): { readonly own: readonly string[]; readonly rest: readonly string[] } {
  const groups = bits.match(/.{1,6}/g) ?? [];
  const last = groups.at(-1) ?? '';
  const own = groups.filter(group => group.length === 6).map(group => digitsOf(group));
  return { own, rest: last.length === 6 ? [] : [digitsOf(last), ...(last.length === 2 ? '==' : '=')] };
}

/** The digits that begin with some bits, in both alphabets. */
function digitsOf(bits: string): string {
  const first = parseInt(bits.padEnd(6, '0'), 2);
  const digits = ALPHABET.slice(first, first + 2 ** (6 - bits.length));
  return `${digits}${digits.includes('+') ? '-' : ''}${digits.includes('/') ? '_' : ''}`;
}
