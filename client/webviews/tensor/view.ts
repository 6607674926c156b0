import type { Plane } from '../../../tensor/heat-map.ts';
import type { NumberSource } from '../../../tensor/numbers.ts';
import type { Statistics } from '../../../tensor/statistics.ts';
import type { Tensor } from '../../../tensor/tensor.ts';
import type { FromInspector, Subject } from '../../../wire/inspector-messages.ts';
import type { Slicing } from './axes.ts';

/** What every tab of the inspector shows. A field that did not change is the same object as before. */
export interface Shown {
  readonly subject: Subject;
  readonly tensor: Tensor;
  /** The tensor's elements as numbers. */
  readonly numbers: NumberSource;
  /** Which axes are rows and columns, and where on the others. */
  readonly slicing: Slicing;
  /** The same as strides: the element of a row and a column is `offset + row * rowStride + column * columnStride`. */
  readonly plane: Plane;
  /** The selected element, by its index in row-major order; undefined only where the tensor is empty. */
  readonly selected: number | undefined;
  /** Of the whole tensor; first of a sample (`looked < count`), later of all, undefined until there is either. */
  readonly statistics: Statistics | undefined;
  /** The tensor that this one is compared with. */
  readonly other: OtherShown | undefined;
}

export interface OtherShown {
  readonly subject: Subject;
  readonly tensor: Tensor;
}

/** What a tab asks of the page. */
export interface InspectorActions {
  /** Selects an element; the page moves along the other axes where it lies elsewhere, and shows again. */
  select(index: number): void;
  /** Sends a message to the extension. */
  post(message: FromInspector): void;
  /** Remembers a choice of a tab while the panel is hidden or closed: a colour map, a zoom. Keys begin with the tab's name. */
  keep(key: string, value: string): void;
  /** What was kept, or undefined. */
  kept(key: string): string | undefined;
}

export type ViewName = 'grid' | 'picture' | 'histogram' | 'bytes' | 'compare';

/** A tab. The page alone calls it. */
export interface InspectorView {
  readonly name: ViewName;
  /** The label of its tab. */
  readonly title: string;
  /** It fills its panel; its own sizes come from a ResizeObserver. */
  readonly root: HTMLElement;
  /** Its controls: the page's toolbar shows them, after those of the axes, while the tab is in front. */
  readonly tools?: HTMLElement;
  /** True where all axes are seen at once, so that there is none to choose. It may change whenever the tab is shown. */
  readonly showsAllAxes?: boolean;
  /** Called while the tab is seen: when it comes to the front, and whenever something changed. */
  show(shown: Shown): void;
  /** The tab went to the back: unfinished work ends. */
  hide(): void;
}
