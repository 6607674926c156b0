import { shortNumber } from '../../../tensor/describe-number.ts';
import type { Histogram } from '../../../tensor/histogram.ts';
import { showCount } from '../../../core/text/count.ts';

/** How high a bar is for its count: in proportion, or by the logarithm of one more, so that a single element is seen. */
export const COUNT_SCALES = [
  { name: 'linear', title: 'Linear' },
  { name: 'log', title: 'Logarithmic' },
] as const;

export type CountScale = (typeof COUNT_SCALES)[number]['name'];

/** A bin as a bar. */
export interface Bar {
  /** From 0 to 1. */
  readonly height: number;
  /** `−1.2 up to −1.1`. */
  readonly range: string;
  /** `1,234` */
  readonly count: string;
  /** `3.1 %` of all elements that were looked at. */
  readonly share: string;
}

/** A mark of an axis: its place from 0 to 1, upwards or to the right. */
export interface Tick {
  readonly at: number;
  readonly text: string;
}

export interface BarChart {
  readonly bars: readonly Bar[];
  /** Of the counts, from the bottom to the top. */
  readonly ticks: readonly Tick[];
  /** Of the values: the first edge, the one nearest to the middle, and the last. */
  readonly edges: readonly Tick[];
}

/** So many ticks stand above 0 at most. */
const MOST_TICKS = 5;

/** So far from each other ticks stand at least. */
const TICK_DISTANCE = 0.12;

/** Lays a histogram out. Bins of whole numbers are told by the numbers in them. */
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

/** The smallest and the largest number; one where there is no other. */
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

/** `−1.2 up to −1.1: 1,234 elements, 3.1 %`. */
export function describeBar({ range, count, share }: Bar): string {
  return `${range}: ${count} ${count === '1' ? 'element' : 'elements'}, ${share}`;
}

/** What is in no bin, each with how often it is there. */
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

/** Round counts up to that of the highest bar, as far from each other as words need. */
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

/** 0 and the multiples of 1, 2 or 5 times a power of ten. */
function roundSteps(most: number): readonly number[] {
  const power = 10 ** Math.floor(Math.log10(most));
  const steps = [power / 10, power / 5, power / 2, power, power * 2];
  const step = steps.find(wanted => wanted >= 1 && most / wanted <= MOST_TICKS) ?? power;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, at) => at * step);
}

function powersOfTen(most: number): readonly number[] {
  const powers = Math.floor(Math.log10(most)) + 1;
  const stride = Math.ceil(powers / MOST_TICKS);
  return [0, ...Array.from({ length: Math.ceil(powers / stride) }, (_, at) => 10 ** (at * stride))];
}

/** A share of all elements, which is 0 only where there is none. */
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

/** Edges in so many digits that each is told from the next. */
function showEdges(edges: readonly number[]): readonly string[] {
  const short = edges.map(shortNumber);
  if (new Set(short).size === short.length) return short;
  for (let digits = 5; digits < 17; digits++) {
    const texts = edges.map(edge => String(Number(edge.toPrecision(digits))).replaceAll('-', '−'));
    if (new Set(texts).size === texts.length) return texts;
  }
  return edges.map(edge => String(edge).replaceAll('-', '−'));
}
