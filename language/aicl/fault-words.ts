import { FULL_WIDTH, SEPARATORS } from './characters.ts';
import { quote } from '../../core/text/quote.ts';

/** The ASCII mark for which a character was mistaken. */
export function meantBy(character: string): string {
  return FULL_WIDTH.get(character) ?? SEPARATORS.get(character) ?? character.toLowerCase();
}

/** The AICL value for a literal in JSON notation; undefined for other text. */
export function typeLiteral(source: string): string | undefined {
  if (/^-?[0-9]{1,18}$/.test(source)) return `[i:${source}]`;
  if (/^-?[0-9]{1,18}\.[0-9]{1,18}$/.test(source)) return `[f:${source}]`;
  if (/^(true|false)$/.test(source)) return `[b:${source}]`;
  const quoted = /^"([^"\\\][\r\n]{0,60})"$/.exec(source)?.[1];
  return quoted === undefined ? undefined : `[s:${quoted}]`;
}

/** Advice for text outside of messages; `text` applies if it is the rest of a text. */
const REMOVE = {
  one: 'remove it',
  many: 'remove them',
  text: "write '\\u005D' for the bracket in the text before",
};

/** The message about unmatched closing brackets; `isText` if they are the rest of a text. */
export function extraBrackets(source: string, isText = false): string {
  return source.length === 1
    ? `This ']' closes nothing: ${isText ? REMOVE.text : REMOVE.one}`
    : `These brackets close nothing: ${isText ? REMOVE.text : REMOVE.many}`;
}

/** The message about foreign text; `isText` if it is the rest of a text. */
export function foreignMessage(source: string, isText = false): string {
  return `${quote(source)} is not part of a message: ${isText ? REMOVE.text : REMOVE.one}`;
}
