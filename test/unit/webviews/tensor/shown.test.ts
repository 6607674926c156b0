import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { firstSlicing, planeOf } from '../../../../client/webviews/tensor/axes.ts';
import { selectShown, showTensor, sliceShown } from '../../../../client/webviews/tensor/shown.ts';
import type { Shown } from '../../../../client/webviews/tensor/view.ts';
import type { Tensor } from '../../../../tensor/tensor.ts';

const SUBJECT = { id: 'a', name: 'data', place: 'hello.aicl, message 3', canEdit: true };

function bytesOf(...shape: readonly number[]): Tensor {
  return { dtype: 'uint8', shape, bytes: new Uint8Array(shape.reduce((count, size) => count * size, 1)) };
}

function first(tensor: Tensor): Shown {
  const place = { slicing: firstSlicing(tensor.shape), selected: 0 };
  return showTensor({ subject: SUBJECT, tensor }, place, undefined, undefined);
}

/** What is seen of it. */
function viewOf({ slicing, plane, selected, tensor }: Shown): object {
  assert.deepEqual(plane, planeOf(tensor.shape, slicing));
  return { ...slicing, selected };
}

describe('what is shown of a tensor', () => {
  it('comes at the place where it was left', () => {
    const place = { slicing: { rows: 0, columns: 2, at: [0, 1, 0] }, selected: 7 };
    const shown = showTensor({ subject: SUBJECT, tensor: bytesOf(2, 3, 4) }, place, undefined, undefined);
    assert.deepEqual(viewOf(shown), { rows: 0, columns: 2, at: [0, 1, 0], selected: 7 });
  });

  it('keeps the very same plane when values change', () => {
    const was = selectShown(first(bytesOf(2, 3, 4)), 17);
    const place = { slicing: was.slicing, selected: 17 };
    const now = showTensor({ subject: SUBJECT, tensor: bytesOf(2, 3, 4) }, place, was, undefined);
    assert.equal(now.plane, was.plane);
    assert.equal(now.slicing, was.slicing);
    assert.equal(now.selected, 17);
    assert.notEqual(now.tensor, was.tensor);
  });

  it('keeps the selection as far as another shape goes', () => {
    const was = selectShown(first(bytesOf(2, 3, 4)), 23);
    const place = { slicing: was.slicing, selected: 23 };
    const smaller = showTensor({ subject: SUBJECT, tensor: bytesOf(5) }, place, was, undefined);
    const empty = showTensor({ subject: SUBJECT, tensor: bytesOf(0, 3) }, place, was, undefined);
    assert.deepEqual(
      [viewOf(smaller), viewOf(empty)],
      [
        { rows: 0, columns: undefined, at: [0], selected: 4 },
        { rows: 0, columns: 1, at: [0, 0], selected: undefined },
      ],
    );
  });

  it('goes to the plane of an element that is selected', () => {
    const shown = first(bytesOf(2, 3, 4));
    assert.deepEqual(viewOf(selectShown(shown, 17)), { rows: 1, columns: 2, at: [1, 1, 1], selected: 17 });
    assert.equal(selectShown(shown, 5).plane, shown.plane);
  });

  it('takes the selection along a hidden axis', () => {
    const shown = selectShown(first(bytesOf(2, 3, 4)), 5);
    const moved = sliceShown(shown, { rows: 1, columns: 2, at: [1, 0, 0] });
    assert.deepEqual(viewOf(moved), { rows: 1, columns: 2, at: [1, 1, 1], selected: 17 });
  });

  it('stays at the selection when other axes are chosen', () => {
    const shown = selectShown(first(bytesOf(2, 3, 4)), 17);
    const turned = sliceShown(shown, { rows: 0, columns: 1, at: [0, 0, 0] });
    assert.deepEqual(viewOf(turned), { rows: 0, columns: 1, at: [1, 1, 1], selected: 17 });
  });
});
