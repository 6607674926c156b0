import type { ColourMapName } from '../../../tensor/colour-maps.ts';
import { symmetricRange, type ValueRange } from '../../../tensor/heat-map.ts';
import type { Statistics } from '../../../tensor/statistics.ts';

/** Which values the ends of the colours stand for. */
export const RANGE_CHOICES = [
  { name: 'full', title: 'Smallest to largest' },
  { name: 'symmetric', title: 'Symmetric about 0' },
  { name: 'clipped', title: '1 % to 99 %' },
  { name: 'own', title: 'Own numbers' },
] as const;

export type RangeChoice = (typeof RANGE_CHOICES)[number]['name'];

/** The shares of the numbers that lie below the ends of a clipped range. */
export const CLIPPED_SHARES = [0.01, 0.99] as const;

/** What is known of a tensor's values. */
export interface KnownRanges {
  /** Of all finite values; undefined where there is none, or they were not looked at yet. */
  readonly full: ValueRange | undefined;
  readonly clipped: ValueRange | undefined;
  readonly own: ValueRange | undefined;
}

/** The range of all finite numbers; undefined where there is none, or they were not looked at yet. */
export function fullRange(statistics: Statistics | undefined): ValueRange | undefined {
  const { min, max } = statistics ?? {};
  return min === undefined || max === undefined ? undefined : { min, max };
}

/** What to begin with: values on both sides of 0 are told apart by colour, others by lightness. */
export function suggestColours(full: ValueRange | undefined): {
  readonly map: ColourMapName;
  readonly range: RangeChoice;
} {
  const hasBothSigns = full !== undefined && full.min < 0 && full.max > 0;
  return hasBothSigns ? { map: 'diverging', range: 'symmetric' } : { map: 'cool', range: 'full' };
}

/** The range of a choice; as long as it is not known, the full one. */
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

/** A range that was typed, or what is wrong with it. */
export type ParsedRange =
  { readonly ok: true; readonly range: ValueRange } | { readonly ok: false; readonly problem: string };

/** Reads the two ends of a range. */
export function parseRange(low: string, high: string): ParsedRange {
  const min = readEnd(low);
  const max = readEnd(high);
  if (min === undefined) return { ok: false, problem: `The lower end is no number: ${showTyped(low)}.` };
  if (max === undefined) return { ok: false, problem: `The upper end is no number: ${showTyped(high)}.` };
  if (min >= max) return { ok: false, problem: `The upper end has to be greater than ${low.trim()}.` };
  return { ok: true, range: { min, max } };
}

function readEnd(text: string): number | undefined {
  // People write the sign as it is shown to them.
  const value = text.trim() === '' ? Number.NaN : Number(text.trim().replace(/^−/, '-'));
  return Number.isFinite(value) ? value : undefined;
}

function showTyped(text: string): string {
  return text.trim() === '' ? 'it is empty' : `“${text.trim()}”`;
}
