import type { TracePart } from '../../../../protocols/reply-parts/part.ts';
import type { TraceCall, TraceModel } from '../model.ts';
import { shareAt, type TimeSpan } from './time-scale.ts';

/** A range in pixels of a chart. It may lie outside of the chart. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** The bar of a call, in pixels from the start of the chart; parts outside are clipped slightly beyond the edges. */
export interface Bar {
  /** From the call to the first byte of its reply, or to its end. */
  readonly waiting: Stretch;
  /** From the first byte of the reply to the end; undefined without a reply. */
  readonly receiving: Stretch | undefined;
  /** The positions of the visible pieces of the reply. */
  readonly ticks: readonly number[];
}

/** The distance of clipping beyond an edge in pixels. Canvases are inexact at coordinates in the millions. */
const BEYOND = 8;

/** The minimum width of a bar in pixels, so that it is visible at any zoom, and the minimum distance of its ticks. */
const LEAST = 2;

/** The bar of a call in a chart of this width in pixels. */
export function barOf(model: TraceModel, call: TraceCall, span: TimeSpan, width: number): Bar {
  const { at, first, ticks = [] } = call.state;
  const place = (time: number): number => placeAt(span, time, width);
  const end = Math.max(model.endOf(call), at);
  const answered = first === undefined ? undefined : Math.max(at, Math.min(first, end));
  const [from, middle, to] = [place(at), place(answered ?? end), place(end)];
  if (answered === undefined)
    return { waiting: { from, to: Math.max(to, from + LEAST) }, receiving: undefined, ticks: [] };
  return {
    waiting: { from, to: middle },
    receiving: { from: middle, to: Math.max(to, middle + LEAST) },
    ticks: thinOut(ticks.map(place), width),
  };
}

/** The place of the label of a bar, in pixels from the start of the chart: after the bar, or before it. */
export interface LabelPlace {
  readonly side: 'after' | 'before';
  readonly x: number;
}

/** Pixels between a bar and its label, and of a character of the label. */
const LABEL_GAP = 6;
const CHARACTER = 7;

/** Places a label of this length after its bar; before it if there is more space, and too little after it. */
export function placeLabel({ from, to }: Stretch, width: number, length: number): LabelPlace {
  const [start, end] = [Math.max(0, from), Math.max(0, Math.min(width, to))];
  const needed = length * CHARACTER + LABEL_GAP;
  const isBefore = width - end < needed && start >= needed;
  return isBefore ? { side: 'before', x: start - LABEL_GAP } : { side: 'after', x: end + LABEL_GAP };
}

/** The visible extent of the bar of a call. */
export function extentOf(model: TraceModel, call: TraceCall, span: TimeSpan, width: number): Stretch {
  const from = placeAt(span, call.state.at, width);
  return { from, to: Math.max(placeAt(span, model.endOf(call), width), from + LEAST) };
}

/** The bar of a part of a reply: from its first byte to its last, with ticks for its pieces. */
export function barOfPart(
  { at, until, ticks, pieces }: TracePart,
  span: TimeSpan,
  width: number,
): { readonly stretch: Stretch; readonly ticks: readonly number[] } {
  const place = (time: number): number => placeAt(span, time, width);
  const from = place(at);
  return {
    stretch: { from, to: Math.max(place(until), from + LEAST) },
    ticks: pieces < 2 ? [] : thinOut(ticks.map(place), width),
  };
}

/** The visible positions, without those that are too close to the previous one. */
function thinOut(places: readonly number[], width: number): readonly number[] {
  let last = -Infinity;
  return places.filter(x => {
    if (x < 0 || x > width || Math.abs(x - last) < LEAST) return false;
    last = x;
    return true;
  });
}

/** The position of a time in pixels, clipped slightly beyond the edges. */
export function placeAt(span: TimeSpan, time: number, width: number): number {
  const x = shareAt(span, time) * width;
  // A time that is not a number is drawn at the start.
  return Number.isNaN(x) ? 0 : Math.max(-BEYOND, Math.min(width + BEYOND, x));
}
