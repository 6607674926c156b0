/** A field of a CSV file as a number. */
export interface CsvValue {
  readonly kind: 'bool' | 'int' | 'float' | 'complex';
  /** The nearest double, or the real part of a complex number; 1 and 0 for true and false. */
  readonly re: number;
  readonly im: number;
  /** The exact value of an integer that a double may round. */
  readonly exact?: bigint;
}

const BOOL = /^(?:(true)|false)$/i;
const INTEGER = /^[+-]?[0-9]+$/;
const REAL = String.raw`(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|nan|inf(?:inity)?)`;
const FLOAT = new RegExp(`^[+-]?${REAL}$`, 'i');
/** The notations of Python, MATLAB and NumPy, the latter in brackets. */
const COMPLEX = new RegExp(String.raw`^\(?([+-]?${REAL})([+-]${REAL})[ij]\)?$`, 'i');
/** The maximum number of digits before the decimal point of a double. */
const MAX_DIGITS = 309;

/**
 * Parses a field: `true`, an integer, a decimal, `nan`, `inf`, `1.0+2.0i`; undefined for any other text and
 * for decimals outside the range of doubles.
 */
export function readCsvValue(field: string): CsvValue | undefined {
  if (INTEGER.test(field)) return readInteger(field);
  if (FLOAT.test(field)) {
    const re = readReal(field);
    return re === undefined ? undefined : { kind: 'float', re, im: 0 };
  }
  const bool = BOOL.exec(field);
  if (bool) return { kind: 'bool', re: bool[1] === undefined ? 0 : 1, im: 0 };
  const [, real = '', imaginary = ''] = COMPLEX.exec(field) ?? [];
  if (real === '') return undefined;
  const re = readReal(real);
  const im = readReal(imaginary);
  return re === undefined || im === undefined ? undefined : { kind: 'complex', re, im };
}

function readInteger(field: string): CsvValue | undefined {
  const re = Number(field);
  if (Number.isSafeInteger(re)) return { kind: 'int', re, im: 0 };
  const digits = field.replace(/^[+-]?0*/, '');
  if (digits.length > MAX_DIGITS || !Number.isFinite(re)) return undefined;
  return { kind: 'int', re, im: 0, exact: re < 0 ? -BigInt(digits) : BigInt(digits) };
}

function readReal(text: string): number | undefined {
  const name = /nan|inf/i.exec(text)?.[0].toLowerCase();
  if (name === 'nan') return Number.NaN;
  if (name === 'inf') return text.startsWith('-') ? -Infinity : Infinity;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}
