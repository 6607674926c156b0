import type { TracePart } from '../../../../protocols/reply-parts/part.ts';
import type { ImageSize } from '../../shared/canvas.ts';
import { barOf, barOfPart, placeAt, type Bar, type Stretch } from './bars.ts';
import type { TraceCall, TraceModel } from '../model.ts';
import { colourOf, type Palette } from '../palette.ts';
import type { AxisTick, TimeSpan } from './time-scale.ts';

/** Pixels per row, and the offsets of its bar and of the line of the critical path. */
export const ROW_HEIGHT = 22;
const BAR = { top: 6, height: 10 } as const;
const PATH = { top: 18, height: 2 } as const;
/** The bar of a part of a reply, which is thinner than that of a call. */
const PART = { top: 9, height: 4 } as const;
/** The size of ticks that extend beyond the bar, if they are far enough apart to distinguish. */
const TICK = { top: 4, height: 14 } as const;

/** A row of the chart. */
export interface ChartRow {
  readonly call: TraceCall;
  /** The part of the reply, if the row shows one instead of the call. */
  readonly part?: TracePart | undefined;
  /** Pixels from the top of the chart. */
  readonly top: number;
}

/** The input of the chart. */
export interface ChartContent {
  readonly model: TraceModel;
  readonly span: TimeSpan;
  readonly rows: readonly ChartRow[];
  readonly axis: readonly AxisTick[];
}

/** Draws the bars of the visible rows. The rows contain the same information as text. */
export function drawChart(
  context: CanvasRenderingContext2D,
  content: ChartContent,
  size: ImageSize,
  palette: Palette,
): void {
  drawLines(context, content, size, palette);
  for (const row of content.rows) {
    if (row.part) drawPart(context, row.part, row.top, { content, width: size.width, palette });
    else drawRow(context, row, content, size.width, palette);
  }
}

function drawLines(
  context: CanvasRenderingContext2D,
  { axis, span }: ChartContent,
  { width, height }: ImageSize,
  palette: Palette,
): void {
  context.fillStyle = palette.line;
  for (const { at } of axis) context.fillRect(Math.round(placeAt(span, at, width)), 0, 1, height);
}

function drawRow(
  context: CanvasRenderingContext2D,
  { call, top }: ChartRow,
  { model, span }: ChartContent,
  width: number,
  palette: Palette,
): void {
  const bar = barOf(model, call, span, width);
  const end = bar.receiving?.to ?? bar.waiting.to;
  if (end < 0 || bar.waiting.from > width) return;
  const colour = colourOf(palette, call.state);
  const y = top + BAR.top;
  context.fillStyle = colour;
  context.globalAlpha = call.state.isView ? palette.waiting / 2 : palette.waiting;
  fill(context, bar.waiting, y, BAR.height);
  context.globalAlpha = call.state.isView ? 0.5 : 1;
  // A call without a reply gets a narrow mark at its end.
  fill(context, bar.receiving ?? { from: bar.waiting.to - 2, to: bar.waiting.to }, y, BAR.height);
  context.globalAlpha = 1;
  drawTicks(context, bar, top, palette);
  context.fillStyle = palette.path;
  for (const { from, to } of model.path.get(call) ?? []) {
    const stretch = { from: placeAt(span, from, width), to: placeAt(span, to, width) };
    fill(context, stretch, top + PATH.top, PATH.height);
  }
}

/** Draws a part from its first byte to its last, with a notch for each piece. */
function drawPart(
  context: CanvasRenderingContext2D,
  part: TracePart,
  top: number,
  {
    content,
    width,
    palette,
  }: { readonly content: ChartContent; readonly width: number; readonly palette: Palette },
): void {
  const { stretch, ticks } = barOfPart(part, content.span, width);
  if (stretch.to < 0 || stretch.from > width) return;
  context.fillStyle = colourOf(palette, part);
  context.globalAlpha = 0.75;
  fill(context, stretch, top + PART.top, PART.height);
  const isApart = (stretch.to - stretch.from) / Math.max(1, ticks.length) >= 5;
  context.globalAlpha = 1;
  if (isApart) for (const x of ticks) context.fillRect(Math.round(x), top + PART.top - 2, 1, PART.height + 4);
}

/** Draws a tick for each piece of a reply: taller than the bar if they are far apart, else as notches in it. */
function drawTicks(
  context: CanvasRenderingContext2D,
  { ticks, receiving }: Bar,
  top: number,
  palette: Palette,
): void {
  if (!receiving || ticks.length === 0) return;
  const isApart = (receiving.to - receiving.from) / ticks.length >= 5;
  const { top: offset, height } = isApart ? TICK : BAR;
  context.fillStyle = isApart ? palette.text : palette.background;
  context.globalAlpha = isApart ? 0.9 : 0.6;
  for (const x of ticks) context.fillRect(Math.round(x), top + offset, 1, height);
  context.globalAlpha = 1;
}

function fill(context: CanvasRenderingContext2D, { from, to }: Stretch, y: number, height: number): void {
  const x = Math.round(from);
  context.fillRect(x, y, Math.max(1, Math.round(to) - x), height);
}
