import type { TracePart } from '../../../protocols/reply-parts/part.ts';
import type { TraceCall, TraceModel } from './model.ts';
import { shareAt, type TimeSpan } from './time-scale.ts';

/** A stretch in pixels of a chart, of which it may lie outside. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** The bar of a call, in pixels from the start of the chart; parts outside of it are cut a little beyond its edges. */
export interface Bar {
  /** From the call to the first of its reply, or to its end. */
  readonly waiting: Stretch;
  /** From the first of the reply to the end; undefined where nothing came. */
  readonly receiving: Stretch | undefined;
  /** Where pieces of the reply came, those that are seen. */
  readonly ticks: readonly number[];
}

/** Nothing is drawn further beyond an edge than this: canvases count inexactly in the millions. */
const BEYOND = 8;

/** Pixels that a bar is wide at least, so that it is seen however far the zoom is out, and between two of its ticks. */
const LEAST = 2;

/** The bar of a call in a chart of so many pixels. */
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

/** The bar of a part of a reply: from its first byte to its last, and where its pieces came. */
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

/** The places that are seen, without those that would run into the one before. */
function thinOut(places: readonly number[], width: number): readonly number[] {
  let last = -Infinity;
  return places.filter(x => {
    if (x < 0 || x > width || Math.abs(x - last) < LEAST) return false;
    last = x;
    return true;
  });
}

/** Where a time is drawn, cut a little beyond the edges. */
export function placeAt(span: TimeSpan, time: number, width: number): number {
  const x = shareAt(span, time) * width;
  // A time that is no number stands at the start.
  return Number.isNaN(x) ? 0 : Math.max(-BEYOND, Math.min(width + BEYOND, x));
}
