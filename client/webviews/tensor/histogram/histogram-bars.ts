import { shortNumber } from '../../../../tensor/describe-number.ts';
import type { Histogram } from '../../../../tensor/histogram.ts';
import { showCount } from '../../../../core/text/count.ts';

/**
 * The height of a bar for its count: proportional, or the logarithm of the count plus one, so that a single
 * element is visible.
 */
export const COUNT_SCALES = [
  { name: 'linear', title: 'Linear' },
  { name: 'log', title: 'Logarithmic' },
] as const;

export type CountScale = (typeof COUNT_SCALES)[number]['name'];

/** A bin of the histogram as a bar. */
export interface Bar {
  /** From 0 to 1. */
  readonly height: number;
  /** Such as `−1.2 up to −1.1`. */
  readonly range: string;
  /** Such as `1,234`. */
  readonly count: string;
  /** The share of all counted elements, such as `3.1 %`. */
  readonly share: string;
}

/** A mark of an axis. Its position goes from 0 to 1, upwards or to the right. */
export interface Tick {
  readonly at: number;
  readonly text: string;
}

export interface BarChart {
  readonly bars: readonly Bar[];
  /** Ticks of the counts, from bottom to top. */
  readonly ticks: readonly Tick[];
  /** Ticks of the values: the first edge, the edge nearest to the middle, and the last edge. */
  readonly edges: readonly Tick[];
}

/** The maximum number of ticks above 0. */
const MAX_TICKS = 5;

/** The minimum distance between ticks. */
const TICK_DISTANCE = 0.12;

/** Lays out a histogram. Bins of whole numbers are labelled with the numbers that they contain. */
export function layOutBars(histogram: Histogram, scale: CountScale): BarChart {
  const { edges, isWhole, counts, looked } = histogram;
  if (counts.length === 0) return { bars: [], ticks: [], edges: [] };
  const most = counts.reduce((high, count) => Math.max(high, count), 0);
  const height = HEIGHTS[scale];
  const texts = showEdges(edges);
  const rangeOf = (bin: number): string => {
    if (isWhole) return showWhole(edges[bin] ?? 0, (edges[bin + 1] ?? 0) - 1);
    const join = bin === counts.length - 1 ? 'to' : 'up to';
    return `${texts[bin] ?? ''} ${join} ${texts[bin + 1] ?? ''}`;
  };
  return {
    bars: counts.map((count, bin) => ({
      height: height.of(count) / height.of(most),
      range: rangeOf(bin),
      count: showCount(count),
      share: showShare(count, looked),
    })),
    ticks: ticksOf(most, scale),
    edges: isWhole ? wholeMarks(edges) : edgeMarks(texts),
  };
}

/** The smallest and the largest number; a single mark if they are the same. */
function wholeMarks(edges: readonly number[]): readonly Tick[] {
  const [first = 0, end = 0] = [edges[0], edges.at(-1)];
  if (end - 1 === first) return [{ at: 0.5, text: showInteger(first) }];
  return [
    { at: 0, text: showInteger(first) },
    { at: 1, text: showInteger(end - 1) },
  ];
}

function edgeMarks(texts: readonly string[]): readonly Tick[] {
  const last = texts.length - 1;
  const marks = [...new Set([0, Math.round(last / 2), last])];
  return marks.map(edge => ({ at: edge / last, text: texts[edge] ?? '' }));
}

/** Describes a bar: `−1.2 up to −1.1: 1,234 elements, 3.1 %`. */
export function describeBar({ range, count, share }: Bar): string {
  return `${range}: ${count} ${count === '1' ? 'element' : 'elements'}, ${share}`;
}

/** The counts of values that are in no bin. */
export function listApart(histogram: Histogram): readonly string[] {
  const { zeros, nan, negativeInfinity, positiveInfinity, looked, scale } = histogram;
  const words = [
    ...(scale === 'log' ? [{ word: 'zeros', count: zeros }] : []),
    { word: 'NaN', count: nan },
    { word: '−Inf', count: negativeInfinity },
    { word: '+Inf', count: positiveInfinity },
  ];
  return words.map(({ word, count }) =>
    count === 0 ? `${word} 0` : `${word} ${showCount(count)} (${showShare(count, looked)})`,
  );
}

const HEIGHTS = {
  linear: { of: (count: number) => count },
  log: { of: (count: number) => Math.log1p(count) },
} as const;

/** Round counts up to that of the highest bar, spaced far enough apart for their labels. */
function ticksOf(most: number, scale: CountScale): readonly Tick[] {
  const { of } = HEIGHTS[scale];
  const ticks = scale === 'log' ? powersOfTen(most) : roundSteps(most);
  const spread: Tick[] = [];
  for (const count of ticks) {
    const at = of(count) / of(most);
    if (at - (spread.at(-1)?.at ?? -1) >= TICK_DISTANCE) spread.push({ at, text: showCount(count) });
  }
  return spread;
}

/** 0 and the multiples of a step, which is 1, 2 or 5 times a power of ten. */
function roundSteps(most: number): readonly number[] {
  const power = 10 ** Math.floor(Math.log10(most));
  const steps = [power / 10, power / 5, power / 2, power, power * 2];
  const step = steps.find(wanted => wanted >= 1 && most / wanted <= MAX_TICKS) ?? power;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, at) => at * step);
}

function powersOfTen(most: number): readonly number[] {
  const powers = Math.floor(Math.log10(most)) + 1;
  const stride = Math.ceil(powers / MAX_TICKS);
  return [0, ...Array.from({ length: Math.ceil(powers / stride) }, (_, at) => 10 ** (at * stride))];
}

/** The share of all elements; it is 0 only for a count of 0. */
function showShare(count: number, looked: number): string {
  const share = looked === 0 ? 0 : (count / looked) * 100;
  if (share > 0 && share < 0.05) return 'under 0.1 %';
  return share < 100 && share >= 99.95 ? 'over 99.9 %' : `${Number(share.toFixed(1))} %`;
}

function showWhole(from: number, to: number): string {
  return from === to ? showInteger(from) : `${showInteger(from)} to ${showInteger(to)}`;
}

function showInteger(value: number): string {
  return String(value).replace('-', '−');
}

/** The edges with enough digits to distinguish each from the next. */
function showEdges(edges: readonly number[]): readonly string[] {
  const short = edges.map(shortNumber);
  if (new Set(short).size === short.length) return short;
  for (let digits = 5; digits < 17; digits++) {
    const texts = edges.map(edge => String(Number(edge.toPrecision(digits))).replaceAll('-', '−'));
    if (new Set(texts).size === texts.length) return texts;
  }
  return edges.map(edge => String(edge).replaceAll('-', '−'));
}
