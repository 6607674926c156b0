import { countOf, showCount } from '../core/text/count.ts';
import { COLOUR_MAPS, type ColourMapName } from './colour-maps.ts';
import { shortNumber } from './describe-number.ts';
import { describeCounts, describeSample } from './describe-statistics.ts';
import type { Cells, ValueRange } from './heat-map.ts';
import type { Histogram } from './histogram.ts';
import type { ImageLayout } from './image-layout.ts';

/** The facts for the text alternative of a heat map. */
export interface HeatMapFacts {
  readonly rows: number;
  readonly columns: number;
  readonly range: ValueRange;
  readonly colourMap: ColourMapName;
  /** The cells that are drawn, to count those that are not finite. */
  readonly cells: Cells;
}

/** `Heat map of 128 rows and 256 columns; −1.2 to 3.4, blue to yellow`. */
export function describeHeatMap({ rows, columns, range, colourMap, cells }: HeatMapFacts): string {
  const title = COLOUR_MAPS.find(map => map.name === colourMap)?.title ?? colourMap;
  const parts = [
    `Heat map of ${countOf(rows, 'row')} and ${countOf(columns, 'column')}`,
    `${shortNumber(range.min)} to ${shortNumber(range.max)}, ${title.toLowerCase()}`,
    describeMarked(cells),
    cells.values.length < cells.looked ? describeBlocks(cells) : undefined,
    describeSample(cells),
  ];
  return parts.filter(part => part !== undefined).join('; ');
}

function describeBlocks({ rows, columns }: Cells): string {
  return `each of ${showCount(columns)} × ${showCount(rows)} points is the mean of its block`;
}

/** Describes cells that have special colours. */
function describeMarked({ values }: Cells): string | undefined {
  const counts = { zeros: 0, nan: 0, positiveInfinity: 0, negativeInfinity: 0 };
  for (const value of values)
    if (value === Infinity) counts.positiveInfinity++;
    else if (value === -Infinity) counts.negativeInfinity++;
    else if (value !== value) counts.nan++;
  const words = describeCounts(counts);
  return words && `points with ${words}`;
}

/** `Image of 224 × 224 pixels, RGB (HWC); black is 0, white is 255`. */
export function describeImage(
  { rows, columns }: Pick<Cells, 'rows' | 'columns'>,
  { name, colours }: ImageLayout,
  scale: ValueRange,
): string {
  const size = `${showCount(columns)} × ${showCount(rows)} pixels`;
  const ends = `black is ${shortNumber(scale.min)}, white is ${shortNumber(scale.max)}`;
  return `Image of ${size}, ${colours} (${name}); ${ends}`;
}

/**
 * Describes a histogram: `Histogram of 1,000 values in 64 bins
 * from −1.2 to 3.4; the fullest has 120, from 0.1 to 0.2; 3 NaN`.
 */
export function describeHistogram(histogram: Histogram): string {
  const { scale, isWhole, edges, counts } = histogram;
  const total = counts.reduce((sum, count) => sum + count, 0);
  const most = counts.reduce((best, count, bin) => (count > (counts[best] ?? 0) ? bin : best), 0);
  const between = (from: number, to: number): string => {
    const [low, high] = [edges[from] ?? 0, (edges[to] ?? 0) - (isWhole ? 1 : 0)];
    return low === high ? `at ${shortNumber(low)}` : `from ${shortNumber(low)} to ${shortNumber(high)}`;
  };
  const what = scale === 'log' ? 'magnitude' : 'value';
  const parts = [
    counts.length === 0
      ? 'Histogram without a value'
      : `Histogram of ${countOf(total, what)} in ${countOf(counts.length, 'bin')} ${between(0, counts.length)}`,
    counts.length > 1
      ? `the fullest has ${showCount(counts[most] ?? 0)}, ${between(most, most + 1)}`
      : undefined,
    describeCounts(histogram),
    describeSample(histogram),
  ];
  return parts.filter(part => part !== undefined).join('; ');
}
