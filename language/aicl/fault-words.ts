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

/** What is to be done about text that is no part of a message, or where it is the rest of a text. */
const REMOVE = {
  one: 'remove it',
  many: 'remove them',
  text: "write '\\u005D' for the bracket in the text before",
};

/** What a reader is told about brackets too many; `isText` where they are the rest of a text. */
export function extraBrackets(source: string, isText = false): string {
  return source.length === 1
    ? `This ']' closes nothing: ${isText ? REMOVE.text : REMOVE.one}`
    : `These brackets close nothing: ${isText ? REMOVE.text : REMOVE.many}`;
}

/** What a reader is told about text that is no part of a message; `isText` where it is the rest of a text. */
export function foreignMessage(source: string, isText = false): string {
  return `${quote(source)} is no part of a message: ${isText ? REMOVE.text : REMOVE.one}`;
}
