import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { encodeBase85 } from '../../../tensor/base85.ts';
import { joinTensors } from '../../../tensor/join.ts';

const tensor = (head: string, ...bytes: readonly number[]): string =>
  `${head}:${encodeBase85(Uint8Array.from(bytes))}`;

describe('joinTensors', () => {
  const cases: readonly (readonly [name: string, sources: readonly string[], joined: string | undefined])[] =
    [
      ['vectors', [tensor('uint8:2', 1, 2), tensor('uint8:1', 3)], tensor('uint8:3', 1, 2, 3)],
      [
        'rows of a matrix, one of them empty',
        [tensor('int16:1,2', 1, 0, 2, 0), tensor('int16:0,2'), tensor('int16:1,2', 3, 0, 4, 0)],
        tensor('int16:2,2', 1, 0, 2, 0, 3, 0, 4, 0),
      ],
      ['another data type', [tensor('uint8:1', 1), tensor('int8:1', 1)], undefined],
      ['another row length', [tensor('uint8:1,2', 1, 2), tensor('uint8:1,3', 1, 2, 3)], undefined],
      ['another number of axes', [tensor('uint8:2', 1, 2), tensor('uint8:1,2', 1, 2)], undefined],
      ['single values', [tensor('uint8:', 1), tensor('uint8:', 2)], undefined],
      ['an invalid one', [tensor('uint8:1', 1), 'uint8:1:0'], undefined],
    ];
  for (const [name, sources, joined] of cases) it(name, () => assert.equal(joinTensors(sources), joined));
});
