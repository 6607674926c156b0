import { element } from '../shared/element.ts';
import { TimeAxis, type AxisHost } from './axis.ts';
import { Crosshair } from './crosshair.ts';
import { Minimap, type MinimapHost } from './minimap.ts';
import type { CriticalPath, TraceModel } from './model.ts';
import type { Palette } from './palette.ts';
import { listTicks, type AxisTick } from './time-scale.ts';
import type { Zoom } from './zoom.ts';

/** What stands over the bars: a map of the whole trace, and the times of the part that is seen. */
export class TimeHead {
  readonly #axis: TimeAxis;
  readonly #minimap: Minimap;
  /** The line at the pointer, to be put over the bars. */
  readonly crosshair: Crosshair;
  readonly root: HTMLElement;
  /** The map shows all calls, and is drawn anew only where it may be another one. */
  #isMapStale = true;
  #drawnPath: CriticalPath | undefined;

  constructor(host: AxisHost & MinimapHost) {
    this.#axis = new TimeAxis(host);
    this.#minimap = new Minimap(host);
    this.crosshair = new Crosshair(this.#axis);
    this.root = element('div', { class: 'time-head' }, this.#minimap.root, this.#axis.root);
  }

  /** The map is drawn anew with the next drawing. */
  redraw(): void {
    this.#isMapStale = true;
  }

  /** Draws over a chart of so many pixels. Answers the ticks of the axis, which go on through the chart. */
  draw(model: TraceModel, zoom: Zoom, width: number, palette: Palette): readonly AxisTick[] {
    const { span, all, isZoomed } = zoom;
    const ticks = listTicks(span, model.start, width);
    this.#axis.draw(ticks, span, width);
    // A new path is found after every change: with it, the map is another one.
    if (this.#isMapStale || model.path !== this.#drawnPath) this.#minimap.draw(model, all, width, palette);
    this.#isMapStale = false;
    this.#drawnPath = model.path;
    this.#minimap.frame(isZoomed ? span : undefined, all, width);
    return ticks;
  }
}
