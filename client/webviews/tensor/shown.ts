import { numbersOf } from '../../../tensor/numbers.ts';
import { countElements, placeOf, stridesOf, type Tensor } from '../../../tensor/tensor.ts';
import type { Subject } from '../../../wire/inspector-messages.ts';
import { fitSlicing, planeOf, sliceTo, type Slicing } from './axes.ts';
import type { OtherShown, Shown } from './view.ts';

/** Where a tensor was left: which plane of it was seen, and which element was selected. */
export interface Place {
  readonly slicing: Slicing;
  readonly selected: number;
}

/**
 * What is shown of a tensor that has come: at the place where it was left as far as it fits. Objects of `was` are used
 * again where they say the same, so that nothing is drawn anew for them.
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

/** Selects an element; the plane moves to where it is. */
export function selectShown(shown: Shown, selected: number): Shown {
  const { shape } = shown.tensor;
  const slicing = sliceTo(shape, shown.slicing, selected);
  if (slicing === shown.slicing) return { ...shown, selected };
  return { ...shown, selected, slicing, plane: planeOf(shape, slicing) };
}

/**
 * Shows another plane. Along axes that are not seen the selection goes with the plane; where an axis is hidden that was
 * seen, the plane goes to the selection.
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
