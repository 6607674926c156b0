import { numbersOf } from '../../../tensor/numbers.ts';
import { countElements, placeOf, stridesOf, type Tensor } from '../../../tensor/tensor.ts';
import type { Subject } from '../../../wire/inspector-messages.ts';
import { fitSlicing, planeOf, sliceTo, type Slicing } from './axes.ts';
import type { OtherShown, Shown } from './view.ts';

/** The saved view of a tensor: the visible plane and the selected element. */
export interface Place {
  readonly slicing: Slicing;
  readonly selected: number;
}

/**
 * The state for a received tensor, with the saved view as far as it fits. Unchanged objects of `was` are
 * reused, so that nothing is redrawn for them.
 */
export function showTensor(
  { subject, tensor }: { readonly subject: Subject; readonly tensor: Tensor },
  place: Place,
  was: Shown | undefined,
  other: OtherShown | undefined,
): Shown {
  const count = countElements(tensor.shape);
  const isSameShape = was !== undefined && was.tensor.shape.join() === tensor.shape.join();
  const slicing = isSameShape ? was.slicing : fitSlicing(place.slicing, tensor.shape);
  const shown: Shown = {
    subject,
    tensor,
    numbers: numbersOf(tensor),
    slicing,
    plane: isSameShape ? was.plane : planeOf(tensor.shape, slicing),
    selected: undefined,
    statistics: undefined,
    other,
  };
  return count === 0 ? shown : selectShown(shown, Math.min(place.selected, count - 1));
}

/** Selects an element and moves the plane to it. */
export function selectShown(shown: Shown, selected: number): Shown {
  const { shape } = shown.tensor;
  const slicing = sliceTo(shape, shown.slicing, selected);
  if (slicing === shown.slicing) return { ...shown, selected };
  return { ...shown, selected, slicing, plane: planeOf(shape, slicing) };
}

/**
 * Shows another plane. Along axes that stay hidden the selection moves with the plane; along an axis that
 * becomes hidden the plane moves to the selection.
 */
export function sliceShown(shown: Shown, slicing: Slicing): Shown {
  const { shape } = shown.tensor;
  if (shown.selected === undefined) return { ...shown, slicing, plane: planeOf(shape, slicing) };
  const isHidden = (axis: number, { rows, columns }: Slicing): boolean => axis !== rows && axis !== columns;
  const place = placeOf(shape, shown.selected).map((at, axis) =>
    isHidden(axis, slicing) && isHidden(axis, shown.slicing) ? (slicing.at[axis] ?? 0) : at,
  );
  const strides = stridesOf(shape);
  const selected = place.reduce((sum, at, axis) => sum + at * (strides[axis] ?? 0), 0);
  const moved = { ...slicing, at: place };
  return { ...shown, selected, slicing: moved, plane: planeOf(shape, moved) };
}
