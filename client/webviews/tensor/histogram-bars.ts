import { findDtype, type DtypeName } from '../../../protocol/src/catalog/dtypes.ts';
import { shortNumber } from '../../../protocol/src/tensor/describe-number.ts';
import type { Histogram } from '../../../protocol/src/tensor/histogram.ts';
import { showCount } from '../../../protocol/src/text/count.ts';

/** As many bars as are told apart side by side, and read in a table. */
export const MOST_BARS = 64;

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

/** A mark at the side of the bars: its height from 0 to 1. */
export interface Tick {
  readonly height: number;
  readonly text: string;
}

export interface BarChart {
  readonly bars: readonly Bar[];
  /** From the bottom to the top. */
  readonly ticks: readonly Tick[];
  /** The first edge, the one in the middle and the last. */
  readonly edges: readonly string[];
}

/** Lays a histogram out. Bins of whole numbers are told by the numbers in them. */
export function layOutBars(histogram: Histogram, dtype: DtypeName, scale: CountScale): BarChart {
  const { edges, counts, looked } = histogram;
  if (counts.length === 0) return { bars: [], ticks: [], edges: [] };
  const most = counts.reduce((high, count) => Math.max(high, count), 0);
  const height = HEIGHTS[scale];
  const texts = showEdges(edges);
  const isWhole = histogram.scale === 'linear' && isWholeType(dtype) && edges.every(Number.isSafeInteger);
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
    edges: isWhole
      ? [edges[0] ?? 0, (edges.at(-1) ?? 0) - 1].map(edge => shortNumber(edge))
      : [0, Math.floor(edges.length / 2), edges.length - 1].map(at => texts[at] ?? ''),
  };
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
  linear: { of: (count: number) => count, back: (height: number) => height },
  log: { of: (count: number) => Math.log1p(count), back: (height: number) => Math.expm1(height) },
} as const;

function ticksOf(most: number, scale: CountScale): readonly Tick[] {
  const { of, back } = HEIGHTS[scale];
  const middle = Math.round(back(of(most) / 2));
  const ticks = [...new Set([0, middle, most])];
  return ticks.map(count => ({ height: of(count) / of(most), text: showCount(count) }));
}

/** A share of all elements, which is 0 only where there is none. */
function showShare(count: number, looked: number): string {
  const share = looked === 0 ? 0 : (count / looked) * 100;
  if (share > 0 && share < 0.05) return 'under 0.1 %';
  return share < 100 && share >= 99.95 ? 'over 99.9 %' : `${Number(share.toFixed(1))} %`;
}

function isWholeType(dtype: DtypeName): boolean {
  return ['int', 'bigint', 'bool'].includes(findDtype(dtype)?.kind ?? '');
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
