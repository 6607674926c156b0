import { escapeControlsInJson } from '../../../core/text/quote.ts';

/** Prints one indented JSON document. Control characters are escaped, so that a terminal does not interpret them. */
export function printJson(value: unknown): string {
  return `${escapeControlsInJson(JSON.stringify(value, undefined, 2))}\n`;
}
