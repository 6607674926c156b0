import type { Activity, SequenceStep } from '../../../../trace/graph/sequence-diagram.ts';
import type { ImageSize } from '../../shared/canvas.ts';
import type { TraceCall } from '../model.ts';
import { colourOf, type Palette } from '../palette.ts';

/** Pixels per step, and the offset of its arrow. */
export const STEP_HEIGHT = 32;
const ARROW = 23;

/** Pixels of the bar of an active lane, of an arrow head, and of an arrow to its own lane. */
const BAR = 8;
const HEAD = { length: 8, width: 8 } as const;
const OWN = { width: 28, height: 7 } as const;

/** The positions of the lanes: the middle of each in chart pixels. */
export interface LanePlaces {
  readonly count: number;
  xOf(lane: number): number;
}

/** The input of the chart. */
export interface SequenceContent {
  readonly lanes: LanePlaces;
  readonly steps: readonly { readonly step: SequenceStep<TraceCall>; readonly top: number }[];
  readonly activity: readonly Activity[];
  /** The position of a step in pixels from the top of the chart. */
  readonly topOf: (step: number) => number;
  readonly selected: TraceCall | undefined;
}

/** Draws the lanes and arrows of the visible steps. The rows contain the same information as text. */
export function drawSequence(
  context: CanvasRenderingContext2D,
  content: SequenceContent,
  size: ImageSize,
  palette: Palette,
): void {
  drawLanes(context, content, size, palette);
  drawActivity(context, content, size.height, palette);
  for (const { step, top } of content.steps) drawStep(context, step, top + ARROW, content, palette);
}

function drawLanes(
  context: CanvasRenderingContext2D,
  { lanes }: SequenceContent,
  { width, height }: ImageSize,
  palette: Palette,
): void {
  context.fillStyle = palette.line;
  for (let lane = 0; lane < lanes.count; lane++) {
    const x = Math.round(lanes.xOf(lane));
    if (x >= -1 && x <= width) context.fillRect(x, 0, 1, height);
  }
}

function drawActivity(
  context: CanvasRenderingContext2D,
  { lanes, activity, topOf }: SequenceContent,
  height: number,
  palette: Palette,
): void {
  for (const { lane, first, last } of activity) {
    const top = Math.max(-BAR, topOf(first) + ARROW);
    const bottom = Math.min(height + BAR, topOf(last) + ARROW);
    const x = Math.round(lanes.xOf(lane)) - BAR / 2;
    // Clears the background, which would show through the translucent bar.
    context.fillStyle = palette.background;
    context.fillRect(x, top, BAR + 1, bottom - top);
    context.globalAlpha = palette.waiting;
    context.fillStyle = palette.usual;
    context.fillRect(x, top, BAR + 1, bottom - top);
    context.globalAlpha = 1;
  }
}

function drawStep(
  context: CanvasRenderingContext2D,
  { kind, call, from, to }: SequenceStep<TraceCall>,
  y: number,
  { lanes, selected }: SequenceContent,
  palette: Palette,
): void {
  const isReply = kind === 'reply';
  const isUsual = !isReply || call.state.status === 'ok';
  const colour =
    call.state.cycle && !isReply ? palette.cycle : isUsual ? palette.text : colourOf(palette, call.state);
  context.strokeStyle = colour;
  context.fillStyle = colour;
  context.lineWidth = call === selected ? 2 : 1;
  // Replies are dashed, and requests of an agent to its caller are dotted.
  context.setLineDash(isReply ? [5, 4] : call.state.isBack ? [2, 3] : []);
  const [start, end] = [lanes.xOf(from), lanes.xOf(to)];
  const right = end > start;
  const edge = BAR / 2 + 1;
  context.beginPath();
  if (from === to) {
    context.moveTo(start + edge, y - OWN.height);
    context.lineTo(start + OWN.width, y - OWN.height);
    context.lineTo(start + OWN.width, y + 0.5);
    context.lineTo(start + edge + HEAD.length, y + 0.5);
  } else {
    context.moveTo(right ? start + edge : start - edge, y + 0.5);
    context.lineTo(right ? end - edge - HEAD.length : end + edge + HEAD.length, y + 0.5);
  }
  context.stroke();
  context.setLineDash([]);
  const tip = from === to ? start + edge : right ? end - edge : end + edge;
  const back = from === to || !right ? tip + HEAD.length : tip - HEAD.length;
  drawHead(context, tip, back, y + 0.5, kind);
}

function drawHead(
  context: CanvasRenderingContext2D,
  tip: number,
  back: number,
  y: number,
  kind: SequenceStep<TraceCall>['kind'],
): void {
  context.beginPath();
  context.moveTo(back, y - HEAD.width / 2);
  context.lineTo(tip, y);
  context.lineTo(back, y + HEAD.width / 2);
  if (kind === 'reply') context.stroke();
  else {
    context.closePath();
    context.fill();
  }
}
