import { element } from '../../shared/element.ts';
import { Redraw } from '../../shared/redraw.ts';
import { TimeAxis, type AxisHost } from './axis.ts';
import { Minimap, type MinimapHost } from './minimap.ts';
import type { CriticalPath, TraceModel } from '../model.ts';
import type { Palette } from '../palette.ts';
import { formatOffset, listTicks, timeAt, type AxisTick } from './time-scale.ts';
import type { Zoom } from './zoom.ts';

/** Drawing the minimap of a trace that grows takes at most one part in this number of the total time. */
const MAP_SHARE = 50;

/** The place of the chart in the rows, in pixels. */
interface ChartPlace {
  readonly left: number;
  readonly width: number;
}

/** The head of the chart: a minimap of the whole trace, and the time axis of the visible part. */
export class TimeHead {
  readonly #axis: TimeAxis;
  readonly #minimap: Minimap;
  /** The vertical line through all rows at the pointer, to be placed over the bars. */
  readonly crosshair = element('div', { class: 'crosshair', attributes: { 'aria-hidden': 'true' } });
  readonly root: HTMLElement;
  /** True if the minimap must be redrawn with the next drawing. */
  #isMapStale = true;
  #drawnPath: CriticalPath | undefined;
  #drawMap = (): void => undefined;
  readonly #mapping = new Redraw(() => this.#drawMap(), { share: MAP_SHARE });

  constructor(host: AxisHost & MinimapHost) {
    this.#axis = new TimeAxis(host);
    this.#minimap = new Minimap(host);
    this.crosshair.hidden = true;
    this.root = element('div', { class: 'time-head' }, this.#minimap.root, this.#axis.root);
  }

  /** Redraws the minimap with the next drawing. */
  redraw(): void {
    this.#isMapStale = true;
  }

  /** Shows the line and its time at a share of the chart; hides them without one. `left` is where the chart begins. */
  point(share: number | undefined, { from, to }: Zoom['span'], start: number, chart: ChartPlace): void {
    this.crosshair.hidden = share === undefined;
    if (share === undefined) return this.#axis.point(undefined);
    const at = Math.round(share * chart.width);
    // The precision of the label is the duration of one pixel.
    const step = (to - from) / Math.max(1, chart.width);
    this.#axis.point({ at, label: formatOffset(timeAt({ from, to }, share) - start, step) });
    this.crosshair.style.transform = `translateX(${chart.left + at}px)`;
  }

  /** Draws for a chart of this width in pixels. Returns the ticks of the axis, which continue through the chart. */
  draw(model: TraceModel, zoom: Zoom, width: number, palette: Palette): readonly AxisTick[] {
    const { span, all, isZoomed } = zoom;
    const ticks = listTicks(span, model.start, width);
    this.#axis.draw(ticks, span, width);
    this.#drawMap = () => this.#minimap.draw(model, all, width, palette);
    // A new path is computed after every change, so it also signals that the minimap is outdated.
    if (this.#isMapStale) this.#mapping.now();
    else if (model.path !== this.#drawnPath) this.#mapping.ask();
    this.#isMapStale = false;
    this.#drawnPath = model.path;
    this.#minimap.frame(isZoomed ? span : undefined, all, width);
    return ticks;
  }
}
