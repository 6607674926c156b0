import fc from 'fast-check';
import {
  boolValue,
  dictValue,
  floatValue,
  intValue,
  listValue,
  textValue,
  type Value,
} from '../../core/values/value.ts';
import { encodeBase85 } from '../../tensor/base85.ts';
import { anyText } from './aicl-arbitrary.ts';

/** Keys that have broken writers before: those of our notation and our envelope, of prototypes, and numbers. */
const NASTY_KEYS = [
  '$int',
  '$$int',
  '$float',
  '$$$float',
  '$tensor',
  '$$tensor',
  '$null',
  '$',
  '$other',
  'parley',
  '__proto__',
  'constructor',
  '2',
  '1',
  '-1',
  '01',
  '',
  'kind',
];

const key = fc.oneof(fc.constantFrom(...NASTY_KEYS), anyText());

const dtype = fc.constantFrom(['uint8', 1] as const, ['float32', 4] as const, ['complex128', 16] as const);

const soundTensor: fc.Arbitrary<string> = fc
  .tuple(dtype, fc.array(fc.nat(3), { maxLength: 3 }), fc.nat(255))
  .map(([[name, size], shape, byte]) => {
    const count = shape.reduce((product, length) => product * length, 1) * size;
    return `${name}:${shape.join(',')}:${encodeBase85(new Uint8Array(count).fill(byte))}`;
  });

const tensor = fc
  .oneof(soundTensor, fc.constantFrom('float32:2,3:9Yq<Q*', 'x', '', 'uint8:1:…', 'uint8:01:00'))
  .map((source): Value => ({ kind: 'tensor', source }));

const atom: fc.Arbitrary<Value> = fc.oneof(
  anyText().map(textValue),
  fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n })).map(intValue),
  fc.constantFrom(2n ** 53n - 1n, 2n ** 53n, -(2n ** 53n), 0).map(intValue),
  fc.double().map(floatValue),
  fc.constantFrom(0, -0, 3, 1e21, 1e20, 5e-324, 1e300, NaN, Infinity, -Infinity, 2 ** 53).map(floatValue),
  fc.boolean().map(boolValue),
  fc.constant(undefined).map((): Value => ({ kind: 'null' })),
  tensor,
);

/** Any value that a message can hold: all kinds, nested, with values that stand where notation does. */
export const anyValue: fc.Arbitrary<Value> = fc.letrec<{ value: Value; list: Value; dict: Value }>(tie => ({
  value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, atom, tie('list'), tie('dict')),
  list: fc.array(tie('value'), { maxLength: 4 }).map(listValue),
  dict: fc
    .uniqueArray(fc.record({ key, value: tie('value') }), { maxLength: 4, selector: entry => entry.key })
    .map(dictValue),
})).value;
