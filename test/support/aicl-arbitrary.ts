import fc from 'fast-check';
import { escapeText } from '../../language/aicl/escapes.ts';
import { encodeBase85 } from '../../tensor/base85.ts';

/** Texts that have broken parsers before: our own brackets, escapes, line ends, prototype keys, lone surrogates. */
const NASTY = [
  '',
  ']',
  '\\',
  '\\]',
  '[s:',
  '[d:',
  ':',
  ',',
  '\n',
  '\r\n',
  '\n[d:',
  '# x',
  '{{v}}',
  'constructor',
  '__proto__',
  '\ud800',
  '\u0000',
  '，',
  '\ufeff',
  '…',
  '界',
];

/** Any text that a message can hold. */
export const anyText = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...NASTY),
    fc.string({ maxLength: 8 }),
    fc.array(fc.constantFrom(...NASTY), { maxLength: 5 }).map(parts => parts.join('')),
  );

const blank = fc.constantFrom('', '', '', ' ', '\n', '\r\n  ', '\t');

const atom: fc.Arbitrary<string> = fc.oneof(
  anyText().map(text => `[s:${escapeText(text)}]`),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(value => `[i:${value}]`),
  fc.double().map(value => `[f:${Number.isFinite(value) ? value : 'nan'}]`),
  fc.boolean().map(value => `[b:${value}]`),
  fc.uint8Array({ maxLength: 12 }).map(bytes => `[t:uint8:${bytes.length}:${encodeBase85(bytes)}]`),
);

/** Source that the grammar accepts: one value, nested, with white space and trailing commas wherever they may stand. */
export const validValue: fc.Arbitrary<string> = fc.letrec<{
  value: string;
  list: string;
  dict: string;
  pair: string;
}>(tie => ({
  value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, atom, tie('list'), tie('dict')),
  list: fc
    .tuple(fc.array(fc.tuple(blank, tie('value'), blank), { maxLength: 4 }), fc.boolean(), blank)
    .map(printGroup('l')),
  dict: fc
    .tuple(fc.array(fc.tuple(blank, tie('pair'), blank), { maxLength: 4 }), fc.boolean(), blank)
    .map(printGroup('d')),
  pair: fc
    .tuple(anyText(), blank, blank, tie('value'))
    .map(([key, before, after, value]) => `[s:${escapeText(key)}]${before}:${after}${value}`),
})).value;

function printGroup(tag: 'l' | 'd'): (parts: [[string, string, string][], boolean, string]) => string {
  return ([children, hasTrailing, end]) => {
    const inner = children.map(child => child.join('')).join(',');
    return `[${tag}:${inner}${hasTrailing && children.length > 0 ? ',' : ''}${end}]`;
  };
}

/** Pieces of which broken source is made. */
const PIECES = [
  '[s:',
  '[i:',
  '[f:',
  '[b:',
  '[t:uint8:',
  '[l:',
  '[d:',
  '[x:',
  '[',
  ']',
  ']',
  ']',
  ':',
  ',',
  ' ',
  '\n',
  '\n[d:',
  '\r\n',
  '\\',
  '# c\n',
  'a',
  '1',
  '2:',
  '00',
  '，',
  '：',
  '［',
  '］',
  '...',
  '\u3000',
];

/** Any text at all: pieces of the grammar in any order, valid source with one place damaged, and noise. */
export const anySource: fc.Arbitrary<string> = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map(pieces => pieces.join('')),
  fc
    .tuple(validValue, fc.nat(), fc.nat(3), fc.constantFrom(...PIECES))
    .map(([source, at, removed, piece]) => {
      const place = source.length === 0 ? 0 : at % source.length;
      return source.slice(0, place) + piece + source.slice(place + removed);
    }),
  fc.string({ maxLength: 30 }),
  fc.array(anyText(), { maxLength: 8 }).map(parts => parts.join('')),
);
