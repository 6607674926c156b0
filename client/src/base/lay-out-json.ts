import { findQuote } from '../../../core/text/json.ts';
import { runAtOnce, SliceMeter } from '../../../core/text/slices.ts';

/** The beginning of a JSON token, or any other run of characters. */
const TOKENS = /["[\]{},:]|[^\s"[\]{},:]+/g;
/** Values below this depth are not indented further, so that lines keep some width. */
const DEEPEST = 40;

/** Lays out JSON with one line per member. Only white space between tokens changes; invalid JSON stays invalid. */
export function layOutJson(text: string): string {
  return runAtOnce(layOutSteps(text));
}

/** The same in slices. */
export function* layOutSteps(text: string): Generator<undefined, string> {
  const meter = new SliceMeter();
  const parts: string[] = [];
  let depth = 0;
  let last = '';
  const tokens = new RegExp(TOKENS);
  for (let match = tokens.exec(text); match; match = tokens.exec(text)) {
    const { index } = match;
    if (meter.isPast(index)) yield;
    // A string may be too long for a regular expression, so its end is searched separately; an unterminated
    // one extends to the end of the text.
    const quote = match[0] === '"' ? findQuote(text, index) : -1;
    const end = match[0] !== '"' ? tokens.lastIndex : quote < 0 ? text.length : quote + 1;
    const token = text.slice(index, end);
    tokens.lastIndex = end;
    const opens = token === '{' || token === '[';
    const closes = token === '}' || token === ']';
    if (closes) depth = Math.max(0, depth - 1);
    const isEmpty = closes && (last === '{' || last === '[');
    const begins = last === ',' || last === '{' || last === '[' || (closes && !isEmpty);
    if (last !== '' && begins && !isEmpty) parts.push(`\n${'  '.repeat(Math.min(depth, DEEPEST))}`);
    else if (last === ':' || (last !== '' && !',:]}'.includes(token) && !'{['.includes(last)))
      parts.push(' ');
    parts.push(token);
    if (opens) depth++;
    last = token;
  }
  return parts.join('');
}
