import { DEEPEST } from '../../core/text/json.ts';
import { quote } from '../../core/text/quote.ts';
import { printFloat } from './float-text.ts';
import { LONGEST_INT } from './notation.ts';

/** The message for a value that is nested too deep. */
export const DEEP_MESSAGE = `Values are nested deeper than ${DEEPEST} levels here; what is deeper is kept as a text of JSON`;

/** The message for a repeated key. */
export function twinMessage(key: string): string {
  return `The key ${quote(key)} comes twice; its earlier value is dropped`;
}

/** The message for an integer that becomes a text. */
export function longIntMessage(literal: string): string {
  return `The integer ${quote(literal)} has more than ${LONGEST_INT} digits; it is kept as a text`;
}

/** The message for a number that does not fit a double. */
export function roundedMessage(literal: string, float: number): string {
  const value = Number.isFinite(float) ? printFloat(float) : float > 0 ? 'infinity' : 'minus infinity';
  return `The number ${quote(literal)} does not fit a double; it is read as ${value}`;
}
