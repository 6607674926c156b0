import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  byteAtColumn,
  bytesRow,
  groupSize,
  hexColumn,
  offsetText,
  ROW_BYTES,
} from '../../../../client/webviews/tensor/bytes-rows.ts';

describe('rows of bytes', () => {
  const bytes = Uint8Array.from({ length: 36 }, (_, at) => at + 0x30);

  it('stand in groups of the size of an element, and in halves of a row otherwise', () => {
    assert.deepEqual([1, 2, 4, 8, 16].map(groupSize), [8, 2, 4, 8, 8]);
    assert.deepEqual(
      [bytesRow(bytes, 0, 4), bytesRow(bytes, 1, 8), bytesRow(bytes, 2, 2)],
      [
        {
          offset: '00000000',
          hex: '30 31 32 33  34 35 36 37  38 39 3a 3b  3c 3d 3e 3f',
          ascii: '0123456789:;<=>?',
        },
        {
          offset: '00000010',
          hex: '40 41 42 43 44 45 46 47  48 49 4a 4b 4c 4d 4e 4f',
          ascii: '@ABCDEFGHIJKLMNO',
        },
        { offset: '00000020', hex: '50 51  52 53', ascii: 'PQRS' },
      ],
    );
  });

  it('show a dot for what is no visible ASCII', () => {
    assert.equal(bytesRow(Uint8Array.of(0x00, 0x1f, 0x20, 0x7e, 0x7f, 0xff), 0, 4).ascii, '.. ~..');
  });

  it('find the byte under each of its characters', () => {
    for (const group of [2, 4, 8]) {
      for (let byte = 0; byte < ROW_BYTES; byte++) {
        const column = hexColumn(byte, group);
        assert.deepEqual([byteAtColumn(column, group), byteAtColumn(column + 1, group)], [byte, byte]);
      }
    }
    assert.deepEqual([byteAtColumn(0, 4), byteAtColumn(1000, 4)], [0, 15]);
  });

  it('have offsets that grow beyond eight digits', () => {
    assert.deepEqual([offsetText(255), offsetText(2 ** 36)], ['000000ff', '1000000000']);
  });
});
