import type { Plane } from '../../../tensor/heat-map.ts';
import type { NumberSource } from '../../../tensor/numbers.ts';
import type { Statistics } from '../../../tensor/statistics.ts';
import type { Tensor } from '../../../tensor/tensor.ts';
import type { FromInspector, Subject } from '../../../wire/inspector-messages.ts';
import type { View } from '../shared/view.ts';
import type { Slicing } from './axes.ts';

/** The state that every tab of the inspector shows. An unchanged field is the same object as before. */
export interface Shown {
  readonly subject: Subject;
  readonly tensor: Tensor;
  /** The tensor's elements as numbers. */
  readonly numbers: NumberSource;
  /** The axes of rows and columns, and the indices on the others. */
  readonly slicing: Slicing;
  /**
   * The slicing as strides: the element of a row and a column is
   * `offset + row * rowStride + column * columnStride`.
   */
  readonly plane: Plane;
  /** The selected element, by its index in row-major order; undefined only if the tensor is empty. */
  readonly selected: number | undefined;
  /** Statistics of the whole tensor: first of a sample (`looked < count`), later of all elements; undefined before. */
  readonly statistics: Statistics | undefined;
  /** The tensor to compare with. */
  readonly other: OtherShown | undefined;
}

export interface OtherShown {
  readonly subject: Subject;
  readonly tensor: Tensor;
}

/** The services of the page that a tab uses. */
export interface InspectorActions {
  /** Selects an element. The page moves along the hidden axes if necessary, and calls `show` again. */
  select(index: number): void;
  post(message: FromInspector): void;
  /**
   * Stores a choice of a tab, such as a colour map or a zoom, while the panel is hidden or closed. Keys begin
   * with the tab's name.
   */
  keep(key: string, value: string): void;
  /** The stored choice; undefined if there is none. */
  stored(key: string): string | undefined;
  /** The controls of the tab have changed. */
  toolsChanged(): void;
}

export type ViewName = 'grid' | 'picture' | 'histogram' | 'bytes' | 'compare';

/** A tab. Only the page calls it. */
export interface InspectorView {
  readonly name: ViewName;
  /** The label of its tab. */
  readonly title: string;
  /** The element that fills the tab's panel. It observes its size with a ResizeObserver. */
  readonly root: HTMLElement;
  /** The controls of the tab. The page's toolbar shows them after those of the axes while the tab is in front. */
  tools?(shown: Shown): View | undefined;
  /** True if all axes are visible at once, so that there is none to choose. It may change on every `show`. */
  readonly showsAllAxes?: boolean;
  /** Called when the tab comes to the front, and on every change while it is visible. */
  show(shown: Shown): void;
  /** The tab was hidden; unfinished work must stop. */
  hide?(): void;
}
