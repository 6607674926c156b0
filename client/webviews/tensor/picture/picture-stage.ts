import type { Rgb } from '../../../../tensor/colour-maps.ts';
import { element } from '../../shared/element.ts';
import { Redraw } from '../../shared/redraw.ts';
import type { Cell } from '../axes.ts';
import { contextOf, pixelRatio, resizeCanvas } from '../../shared/canvas.ts';
import { runInSlices, type SlicedWork } from '../../shared/slices.ts';
import { listenToGestures, type ZoomStep } from './picture-gestures.ts';
import { drawLabels } from './picture-labels.ts';
import {
  colourAt,
  paintSteps,
  partSeen,
  placePart,
  type PaintedPart,
  type Painter,
  type PicturePart,
} from './picture-paint.ts';
import {
  ACTUAL_SIZE,
  blockOf,
  boxOf,
  clampViewport,
  extentOf,
  fitZoom,
  panBy,
  printViewport,
  reveal,
  spotAt,
  stepCell,
  stepZoom,
  zoomAt,
  type Block,
  type Point,
  type Room,
  type Spot,
  type Viewport,
  type Zoom,
} from './picture-viewport.ts';

/** The content of a stage: cells with colours and texts. Another object is another picture. */
export interface Picture extends Painter {
  /** The text of a cell, shown if the cell is large enough. */
  label(cell: Cell): string;
  /** True if the picture is transparent; the stage then shows a pattern behind it. */
  readonly hasAlpha: boolean;
  /** The initial zoom if it fits; undefined shows the whole picture. */
  readonly zoom: Zoom | undefined;
}

/** The state that accompanies a picture. */
export interface StageState {
  readonly selected: Cell | undefined;
  /** A description of the picture for screen readers. */
  readonly text: string;
}

/** Callbacks of a stage. */
export interface StageHost {
  onSelect(cell: Cell): void;
  /** The pointer moved to other cells, or left. */
  onPoint(spot: Spot | undefined): void;
  /** The zoom or the position has changed. */
  onView(): void;
}

/** The share of the visible area by which an arrow key moves. */
const PAN_SHARE = 0.15;
/** The minimum size of the frame around the selected cell, in page pixels. */
const LEAST_MARK = 7;

const HELP =
  'Picture: arrow keys move, Shift with arrow keys selects, plus and minus zoom, 0 shows the whole, 1 the actual size';

/** A picture with zoom and pan by pointer and keys, and one selected cell. */
export class PictureStage {
  readonly #host: StageHost;
  readonly #canvas: HTMLCanvasElement;
  readonly #marker = element('div', { class: 'marker', attributes: { 'aria-hidden': 'true' } });
  readonly #context: CanvasRenderingContext2D | undefined;
  readonly #frame = new Redraw(() => this.#draw());
  #picture: Picture | undefined;
  #painted: Painted | undefined;
  #painting: { readonly of: Picture; readonly work: SlicedWork } | undefined;
  #selected: Cell | undefined;
  #room: Room = { width: 0, height: 0 };
  #viewport: Viewport = { zoom: ACTUAL_SIZE, left: 0, top: 0 };
  /** How the view was chosen: by the picture, as a whole, or by the user. The first two adapt to the size. */
  #choice: 'first' | 'whole' | 'hand' = 'first';

  readonly root: HTMLElement;

  /** `name` is the class of the canvas. */
  constructor(name: 'picture' | 'differences', host: StageHost) {
    this.#canvas = element('canvas', { class: name, role: 'img' });
    this.#context = contextOf(this.#canvas);
    const root = { class: 'stage', role: 'application', attributes: { tabindex: '0', 'aria-label': HELP } };
    this.root = element('div', root, this.#canvas, this.#marker);
    this.#host = host;
    listenToGestures(this.root, {
      point: at => host.onPoint(at && this.#spotAt(at)),
      click: at => this.#select(this.#spotAt(at)),
      grab: () => this.#grab(),
      zoom: (to, at) => this.zoom(to, at),
      pan: direction => this.#pan(direction),
      selectNext: direction => this.#selectNext(direction),
    });
    new ResizeObserver(() => this.#resize()).observe(this.root);
  }

  /** The visible part of the picture. */
  get viewport(): Viewport {
    return this.#viewport;
  }

  /** The number of cells per pixel. */
  get block(): Block {
    return this.#picture ? blockOf(this.#viewport.zoom, this.#picture.size) : { rows: 1, columns: 1 };
  }

  /** The visible part if the user chose it; it is worth saving. */
  get chosen(): Viewport | undefined {
    return this.#choice === 'hand' ? this.#viewport : undefined;
  }

  /** Shows a picture. If the size is unchanged, the view stays, and a newly selected cell is scrolled into view. */
  show(picture: Picture, { selected, text }: StageState): void {
    const was = this.#picture?.size;
    const isSameSize = was && was.rows === picture.size.rows && was.columns === picture.size.columns;
    const isOtherCell = selected?.row !== this.#selected?.row || selected?.column !== this.#selected?.column;
    this.#picture = picture;
    this.#selected = selected;
    this.#canvas.setAttribute('aria-label', text);
    this.#canvas.classList.toggle('alpha', picture.hasAlpha);
    this.#canvas.dataset['rows'] = String(picture.size.rows);
    this.#canvas.dataset['columns'] = String(picture.size.columns);
    if (was && !isSameSize) this.#choice = 'first';
    if (!isSameSize) this.#painted = undefined;
    this.#settle();
    if (isSameSize && isOtherCell && selected)
      this.#see(reveal(this.#viewport, selected, picture.size, this.#room));
    this.#frame.ask();
  }

  /** Prepares for another subject, with its saved view if there is one. */
  begin(viewport: Viewport | undefined): void {
    this.#picture = undefined;
    this.#choice = viewport ? 'hand' : 'first';
    if (viewport) this.#viewport = viewport;
  }

  /**
   * Zooms a step, to the whole picture, or to one cell per pixel. The fixed point is `at`, else the selected
   * cell, else the middle.
   */
  zoom(to: ZoomStep, at?: Point): void {
    const size = this.#picture?.size;
    if (!size) return;
    const whole = fitZoom(size, this.#room);
    const { zoom } = this.#viewport;
    const next = to === 'whole' ? whole : to === 'actual' ? ACTUAL_SIZE : stepZoom(zoom, to, whole);
    const selected = at ? undefined : this.#middleOf(this.#selected, size);
    const middle = { x: Math.floor(this.#room.width / 2), y: Math.floor(this.#room.height / 2) };
    const zoomed = zoomAt(this.#viewport, next, size, this.#room, at ?? selected ?? middle);
    this.#see(selected && this.#selected ? reveal(zoomed, this.#selected, size, this.#room) : zoomed);
    if (to === 'whole') this.#choice = 'whole';
  }

  /** The tab was hidden: stops painting. */
  hide(): void {
    this.#frame.cancel();
    this.#painting?.work.stop();
    this.#painting = undefined;
  }

  /** The middle of a visible cell, as the fixed point of a zoom; undefined if it is not visible. */
  #middleOf(cell: Cell | undefined, size: Picture['size']): Point | undefined {
    if (!cell) return undefined;
    const { width, height } = this.#room;
    const box = boxOf(this.#viewport, cell, size);
    const middle = { x: box.x + Math.floor(box.width / 2), y: box.y + Math.floor(box.height / 2) };
    const isSeen = middle.x >= 0 && middle.y >= 0 && middle.x < width && middle.y < height;
    return isSeen ? middle : undefined;
  }

  #see(viewport: Viewport): void {
    if (viewport === this.#viewport) return;
    this.#viewport = viewport;
    this.#choice = 'hand';
    this.#frame.ask();
    this.#host.onView();
  }

  #grab(): (by: Point) => void {
    const start = this.#viewport;
    return ({ x, y }) => {
      const size = this.#picture?.size;
      if (size) this.#see(panBy(start, { x: -x, y: -y }, size, this.#room));
    };
  }

  #pan(direction: Point): void {
    const { width, height } = this.#room;
    const size = this.#picture?.size;
    const by = { x: direction.x * width * PAN_SHARE, y: direction.y * height * PAN_SHARE };
    if (size) this.#see(panBy(this.#viewport, by, size, this.#room));
  }

  #selectNext(direction: Point): void {
    const size = this.#picture?.size;
    const from = this.#selected ?? { row: 0, column: 0 };
    if (size) this.#select(stepCell(this.#viewport.zoom, from, direction, size));
  }

  #select(cell: Cell | undefined): void {
    const size = this.#picture?.size;
    if (!cell || !size || size.rows === 0 || size.columns === 0) return;
    // Stored immediately, so that a quickly following key continues from this cell.
    this.#selected = { row: cell.row, column: cell.column };
    this.#see(reveal(this.#viewport, this.#selected, size, this.#room));
    this.#host.onSelect(this.#selected);
  }

  #spotAt(point: Point): Spot | undefined {
    return this.#picture && spotAt(this.#viewport, point, this.#picture.size);
  }

  #resize(): void {
    const ratio = pixelRatio();
    const width = Math.floor(this.root.clientWidth * ratio);
    const height = Math.floor(this.root.clientHeight * ratio);
    // A hidden panel has no size. The view stays unchanged until it has one again.
    if (width === 0 || height === 0) return;
    this.#room = { width, height };
    this.#settle();
    this.#frame.ask();
  }

  /** Fits the view to the size and the picture. */
  #settle(): void {
    const picture = this.#picture;
    if (!picture || this.#room.width === 0) return;
    const whole = fitZoom(picture.size, this.#room);
    const first = picture.zoom && whole.cells === 1 ? picture.zoom : whole;
    const zoom = this.#choice === 'first' ? first : whole;
    const wanted = this.#choice === 'hand' ? this.#viewport : { zoom, left: 0, top: 0 };
    const settled = clampViewport(wanted, picture.size, this.#room);
    if (printViewport(settled) === printViewport(this.#viewport)) return;
    this.#viewport = settled;
    this.#host.onView();
  }

  #draw(): void {
    const picture = this.#picture;
    const context = this.#context;
    if (!picture || !context || this.#room.width === 0) return;
    const extent = extentOf(this.#viewport.zoom, picture.size);
    const room = {
      width: Math.min(this.#room.width, extent.width),
      height: Math.min(this.#room.height, extent.height),
    };
    this.#canvas.hidden = room.width === 0 || room.height === 0;
    this.#mark(picture);
    if (this.#canvas.hidden) return;
    resizeCanvas(this.#canvas, room);
    context.clearRect(0, 0, room.width, room.height);
    this.#paint(picture, partSeen(picture.size, this.#viewport, room));
    const painted = this.#painted;
    if (!painted) return;
    // Until the visible part is painted, the last painted part is drawn at its position.
    const { x, y, width, height } = placePart(painted.part, picture.size, this.#viewport);
    context.imageSmoothingEnabled = false;
    context.drawImage(painted.canvas, x, y, width, height);
    const font = getComputedStyle(this.root).fontFamily;
    const label = (cell: Cell): string => picture.label(cell);
    const colourOf = (cell: Cell): Rgb | undefined => colourAt(painted, cell);
    drawLabels(context, { size: picture.size, viewport: this.#viewport, room, colourOf, font, label });
  }

  /**
   * Paints the visible part unless it is already painted. A running paint is finished first, so that
   * something is visible meanwhile.
   */
  #paint(picture: Picture, part: PicturePart): void {
    if (this.#painted?.of === picture && JSON.stringify(this.#painted.part) === JSON.stringify(part)) return;
    if (this.#painting?.of === picture) return;
    this.#painting?.work.stop();
    const work = runInSlices(paintSteps(picture, part), {
      onEnd: painted => {
        this.#painting = undefined;
        this.#painted = { ...painted, of: picture, canvas: drawPart(painted) };
        this.#frame.ask();
      },
    });
    this.#painting = { of: picture, work };
  }

  /** Draws a frame around the selected cell, however small the cell is. */
  #mark({ size }: Picture): void {
    this.#marker.hidden = !this.#selected || size.rows === 0 || size.columns === 0;
    if (!this.#selected) return;
    const ratio = pixelRatio();
    const box = boxOf(this.#viewport, this.#selected, size);
    const width = Math.max(box.width / ratio, LEAST_MARK);
    const height = Math.max(box.height / ratio, LEAST_MARK);
    const x = (box.x + box.width / 2) / ratio - width / 2;
    const y = (box.y + box.height / 2) / ratio - height / 2;
    this.#marker.style.width = `${width}px`;
    this.#marker.style.height = `${height}px`;
    this.#marker.style.transform = `translate(${x}px, ${y}px)`;
  }
}

/** The last painted part of a picture. */
interface Painted extends PaintedPart {
  readonly of: Picture;
  readonly canvas: OffscreenCanvas;
}

function drawPart({ width, height, rgba }: PaintedPart): OffscreenCanvas {
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d')?.putImageData(new ImageData(rgba, width, height), 0, 0);
  return canvas;
}
