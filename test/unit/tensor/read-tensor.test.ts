import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { DTYPES } from '../../../core/catalog/dtypes.ts';
import { printTensor, readTensor } from '../../../tensor/read-tensor.ts';
import type { Tensor } from '../../../tensor/tensor.ts';

/** Written down from Python: struct.pack('<6f', 1, 2, 3, 4, 5, 6) in base64.b85encode. */
const SIX = '004kL0000$002Nh004kM005vs006*1';
const SIX_BYTES = new Uint8Array(Float32Array.of(1, 2, 3, 4, 5, 6).buffer);

const TENSOR: fc.Arbitrary<Tensor> = fc
  .tuple(fc.constantFrom(...DTYPES), fc.array(fc.nat(4), { maxLength: 4 }))
  .chain(([{ name, bytes: size }, shape]) => {
    const length = shape.reduce((product, dimension) => product * dimension, size);
    return fc
      .uint8Array({ minLength: length, maxLength: length })
      .map(bytes => ({ dtype: name, shape, bytes }));
  });

describe('tensors as values', () => {
  const sound: readonly (readonly [string, Tensor])[] = [
    [`float32:2,3:${SIX}`, { dtype: 'float32', shape: [2, 3], bytes: SIX_BYTES }],
    [`float32:"2,3":${SIX}`, { dtype: 'float32', shape: [2, 3], bytes: SIX_BYTES }],
    [`float32:'06':${SIX}`, { dtype: 'float32', shape: [6], bytes: SIX_BYTES }],
    [
      `float32:3,2:\r\n  ${SIX.slice(0, 13)}\r\n  ${SIX.slice(13, 20)} ${SIX.slice(20)}\n`,
      { dtype: 'float32', shape: [3, 2], bytes: SIX_BYTES },
    ],
    ['uint8::{{', { dtype: 'uint8', shape: [], bytes: Uint8Array.of(255) }],
    ['int64:0:', { dtype: 'int64', shape: [0], bytes: new Uint8Array(0) }],
    [
      'complex128:9007199254740991,0,2: \n',
      { dtype: 'complex128', shape: [Number.MAX_SAFE_INTEGER, 0, 2], bytes: new Uint8Array(0) },
    ],
  ];
  for (const [content, tensor] of sound) {
    it(`reads ${JSON.stringify(content)}`, () => assert.deepEqual(readTensor(content), tensor));
  }

  const refused: readonly string[] = [
    '',
    'float32',
    `float32:${SIX}`,
    `float31:2,3:${SIX}`,
    `Float32:2,3:${SIX}`,
    `float32 :2,3:${SIX}`,
    `float32:2, 3:${SIX}`,
    `float32:"2,3':${SIX}`,
    `float32:-6:${SIX}`,
    `float32:6.:${SIX}`,
    'float32:9007199254740992,0:',
    `float32:2,4:${SIX}`,
    `float32:5:${SIX}`,
    `float32::${SIX}`,
    `float32:2,3:${SIX.slice(1)}`,
    `float32:2,3:${SIX}0`,
    `float32:2,3:${SIX.slice(0, 25)}...`,
    `float32:2,3:${SIX.slice(0, 10)}…`,
    'float32:2,3:9Yq<Q*',
    'uint8:4:|NsC1',
    'uint8:1: 0\n',
  ];
  for (const content of refused) {
    it(`refuses ${JSON.stringify(content)}`, () => assert.equal(readTensor(content), undefined));
  }

  it('prints as Python does, on one line', () => {
    const printed = printTensor({ dtype: 'float32', shape: [2, 3], bytes: SIX_BYTES });
    assert.equal(printed, `[t:float32:2,3:${SIX}]`);
    assert.equal(printTensor({ dtype: 'bool', shape: [], bytes: Uint8Array.of(1) }), '[t:bool::0R]');
  });

  it('reads what it printed', () => {
    fc.assert(
      fc.property(TENSOR, tensor => {
        assert.deepEqual(readTensor(printTensor(tensor).slice('[t:'.length, -']'.length)), tensor);
      }),
    );
  });

  it('allocates nothing for what a shape declares and a payload does not hold', () => {
    const before = process.memoryUsage().arrayBuffers;
    for (const shape of ['75000000', '1000000000000', '9007199254740991,9007199254740991'])
      assert.equal(readTensor(`float32:${shape}:${SIX}`), undefined);
    assert.ok(process.memoryUsage().arrayBuffers - before < 1_000_000);
  });
});
