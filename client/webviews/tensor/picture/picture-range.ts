import type { ColourMapName } from '../../../../tensor/colour-maps.ts';
import { symmetricRange, type ValueRange } from '../../../../tensor/heat-map.ts';
import type { Statistics } from '../../../../tensor/statistics.ts';

/** The values at the ends of the colour map. */
export const RANGE_CHOICES = [
  { name: 'full', title: 'Smallest to largest' },
  { name: 'symmetric', title: 'Symmetric about 0' },
  { name: 'clipped', title: '1 % to 99 %' },
  { name: 'own', title: 'Own numbers' },
] as const;

export type RangeChoice = (typeof RANGE_CHOICES)[number]['name'];

/** The quantiles at the ends of a clipped range. */
export const CLIPPED_SHARES = [0.01, 0.99] as const;

/** The known ranges of a tensor's values. */
export interface KnownRanges {
  /** The range of all finite values; undefined if there are none or it is not computed yet. */
  readonly full: ValueRange | undefined;
  readonly clipped: ValueRange | undefined;
  readonly own: ValueRange | undefined;
}

/** The range of all finite numbers; undefined if there are none or they are not computed yet. */
export function fullRange(statistics: Statistics | undefined): ValueRange | undefined {
  const { min, max } = statistics ?? {};
  return min === undefined || max === undefined ? undefined : { min, max };
}

/** The default colours: a diverging map if there are values on both sides of 0, else a sequential one. */
export function suggestColours(full: ValueRange | undefined): {
  readonly map: ColourMapName;
  readonly range: RangeChoice;
} {
  const hasBothSigns = full !== undefined && full.min < 0 && full.max > 0;
  return hasBothSigns ? { map: 'diverging', range: 'symmetric' } : { map: 'cool', range: 'full' };
}

/** The range of a choice; the full range as long as it is unknown. */
export function chooseRange(
  choice: RangeChoice,
  { full, clipped, own }: KnownRanges,
): ValueRange | undefined {
  switch (choice) {
    case 'full':
      return full;
    case 'symmetric':
      return full && symmetricRange(full);
    case 'clipped':
      return clipped ?? full;
    case 'own':
      return own ?? full;
  }
}

/** A typed range, or the problem with it. */
export type ParsedRange =
  | { readonly ok: true; readonly range: ValueRange }
  | { readonly ok: false; readonly problem: string };

/** Parses the two ends of a range. */
export function parseRange(low: string, high: string): ParsedRange {
  const min = readEnd(low);
  const max = readEnd(high);
  if (min === undefined) return { ok: false, problem: `The lower end is not a number: ${showTyped(low)}.` };
  if (max === undefined) return { ok: false, problem: `The upper end is not a number: ${showTyped(high)}.` };
  if (min >= max) return { ok: false, problem: `The upper end has to be greater than ${low.trim()}.` };
  return { ok: true, range: { min, max } };
}

function readEnd(text: string): number | undefined {
  // Users may type the minus sign that the page displays.
  const value = text.trim() === '' ? Number.NaN : Number(text.trim().replace(/^−/, '-'));
  return Number.isFinite(value) ? value : undefined;
}

function showTyped(text: string): string {
  return text.trim() === '' ? 'it is empty' : `“${text.trim()}”`;
}
