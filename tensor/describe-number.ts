/** The number of significant digits. */
const DIGITS = 4;

/**
 * Formats a number for display with four significant digits and a typographic minus: `3.4`, `−0.0021`, `1.235e−7`,
 * `65535`, `∞`, `NaN`. Integers below ten million are not rounded. The exact value must be shown elsewhere.
 */
export function shortNumber(value: number | bigint): string {
  const number = Number(value);
  if (Number.isNaN(number)) return 'NaN';
  if (!Number.isFinite(number)) return number > 0 ? '∞' : '−∞';
  if (Object.is(number, -0)) return '−0';
  return plain(number).replaceAll('-', '−');
}

function plain(value: number): string {
  const size = Math.abs(value);
  if (value === 0 || (Number.isInteger(value) && size < 1e7)) return String(value);
  if (size >= 1e3 && size < 1e7) return String(Math.round(value));
  if (size >= 1e-3 && size < 1e7) return String(Number(value.toPrecision(DIGITS)));
  return (
    value
      .toExponential(DIGITS - 1)
      // oxlint-disable-next-line regexp/no-super-linear-move -- a number has at most 24 characters.
      .replace(/\.?0*e/, 'e')
      .replace('e+', 'e')
  );
}

/** Formats a range: `−1.2…3.4`; a single number if both ends have the same text. */
export function shortRange({ min, max }: { readonly min: number; readonly max: number }): string {
  const [from, to] = [shortNumber(min), shortNumber(max)];
  return from === to ? from : `${from}…${to}`;
}
