import { findQuote } from '../../core/text/json.ts';

/**
 * Splits concatenated JSON objects and lists. Each result includes the text between it and the previous one;
 * an incomplete value at the end is the last result. Linear in the text.
 */
export function* splitDocuments(text: string): Generator<string, void> {
  let depth = 0;
  let start = 0;
  for (let at = findBracket(text, 0); at >= 0; at = findBracket(text, at + 1)) {
    const character = text.charAt(at);
    if (character === '"') {
      at = findQuote(text, at);
      if (at < 0) break;
    } else if (character === '{' || character === '[') depth++;
    else if (--depth <= 0) {
      yield text.slice(start, at + 1);
      start = at + 1;
      depth = 0;
    }
  }
  const rest = text.slice(start);
  if (rest.trim() !== '') yield rest;
}

function findBracket(text: string, from: number): number {
  BRACKET.lastIndex = from;
  return BRACKET.exec(text)?.index ?? -1;
}

const BRACKET = /["{}[\]]/g;
