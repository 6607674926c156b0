import fc from 'fast-check';

const SURROGATES = 0xd800;
const BEHIND_SURROGATES = 0xe000;
const LAST = 0x10ffff;
const GAP = BEHIND_SURROGATES - SURROGATES;

/**
 * Any character of Unicode but half of a pair, as `unit` of a text. fast-check's own `binary` is the same, but first writes
 * down each of a million characters, which takes longer than most tests.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.nat(LAST - GAP).map(
  index => String.fromCodePoint(index < SURROGATES ? index : index + GAP),
  character => {
    const code = typeof character === 'string' ? (character.codePointAt(0) ?? SURROGATES) : SURROGATES;
    const isHalf = code >= SURROGATES && code < BEHIND_SURROGATES;
    if (isHalf || String.fromCodePoint(code) !== character) throw new Error('No single character');
    return code < SURROGATES ? code : code - GAP;
  },
);
