import { countOf, showCount } from '../core/text/count.ts';

const UNITS = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

/** Formats a number of bytes: `24 bytes`, `128 KiB`, `1.5 MiB`. Exact below one kibibyte. */
export function showBytes(bytes: number): string {
  if (bytes < 1024) return countOf(bytes, 'byte');
  let size = bytes / 1024;
  let unit = 0;
  while (size >= 1024 && unit < UNITS.length - 1) {
    size /= 1024;
    unit++;
  }
  return `${size < 10 ? Math.round(size * 10) / 10 : showCount(Math.round(size))} ${UNITS[unit]}`;
}
