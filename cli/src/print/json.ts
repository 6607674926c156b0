import { escapeControlsInJson } from '../../../core/text/quote.ts';

/** One JSON document, indented for people. Characters that a terminal would obey are written as escapes. */
export function printJson(value: unknown): string {
  return `${escapeControlsInJson(JSON.stringify(value, undefined, 2))}\n`;
}
