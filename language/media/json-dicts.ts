import { DictStack, endOf, type Dict } from './dict.ts';

const MARK = /[{}[\]"\n]/g;
const COLON = /[ \t\r\n]*:/y;
/** No key of a medium is longer, nor of what stands around it. */
const LONGEST_KEY = 40;

/**
 * The objects in a text in which JSON stands, such as JSON itself, events or lines, those inside first; broken and open
 * ones as far as they go. A string ends at its line's end at the latest. One pass.
 */
export function* listJsonDicts(text: string): Generator<Dict> {
  const stack = new DictStack();
  let lineEnd = -1;
  MARK.lastIndex = 0;
  for (let at = nextMark(text, 0); at < text.length;) {
    const mark = text[at];
    let next = at + 1;
    if (mark === '{' || mark === '[') stack.open(mark === '{' ? 'dict' : 'list');
    else if (mark === '}' || mark === ']') {
      const dict = stack.close();
      if (dict) yield dict;
    } else if (mark === '"') {
      if (lineEnd < at) lineEnd = endOf(text, '\n', at);
      const end = stringEnd(text, at + 1, lineEnd);
      next = end + 1;
      COLON.lastIndex = next;
      if (COLON.test(text)) stack.key(text.slice(at + 1, Math.min(end, at + 1 + LONGEST_KEY)));
      else stack.text({ start: at + 1, end });
    }
    at = nextMark(text, next);
  }
  yield* stack.closeAll();
}

function nextMark(text: string, from: number): number {
  MARK.lastIndex = from;
  return MARK.exec(text)?.index ?? text.length;
}

/** Where a string ends that starts before `from`: at a quotation mark that no backslash escapes, or at `most`. */
function stringEnd(text: string, from: number, most: number): number {
  for (let at = endOf(text, '"', from); at < most; at = endOf(text, '"', at + 1)) {
    let run = at;
    while (run > from && text[run - 1] === '\\') run--;
    if ((at - run) % 2 === 0) return at;
  }
  return most;
}
