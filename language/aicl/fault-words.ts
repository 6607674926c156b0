import { FULL_WIDTH, SEPARATORS } from './characters.ts';
import { quote } from '../../core/text/quote.ts';

/** The ASCII mark that a character stands for. */
export function meantBy(character: string): string {
  return FULL_WIDTH.get(character) ?? SEPARATORS.get(character) ?? character.toLowerCase();
}

/** A literal as JSON writes it, with its type; undefined for other text. */
export function typeLiteral(source: string): string | undefined {
  if (/^-?[0-9]{1,18}$/.test(source)) return `[i:${source}]`;
  if (/^-?[0-9]{1,18}\.[0-9]{1,18}$/.test(source)) return `[f:${source}]`;
  if (/^(true|false)$/.test(source)) return `[b:${source}]`;
  const quoted = /^"([^"\\\][\r\n]{0,60})"$/.exec(source)?.[1];
  return quoted === undefined ? undefined : `[s:${quoted}]`;
}

/** What a reader is told about a bracket too many. */
export const EXTRA_BRACKET = "This ']' closes nothing: remove it";

/** What a reader is told about text that is no part of a message. */
export function foreignMessage(source: string): string {
  return `${quote(source)} is no part of a message: remove it`;
}
