import { DictStack, endOf, type Dict } from './dict.ts';

const MARK = /[{}[\]"\n]/g;
const COLON = /[ \t\r\n]*:/y;
/** Maximum length of the keys that matter for media. */
const LONGEST_KEY = 40;

/**
 * The objects in a text that contains JSON, such as JSON itself, events or lines; inner ones first, invalid
 * and incomplete ones as far as readable. A string ends at the end of its line at the latest. One pass.
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

/** The end of a string whose content starts at `from`: an unescaped quotation mark, or `most`. */
function stringEnd(text: string, from: number, most: number): number {
  for (let at = endOf(text, '"', from); at < most; at = endOf(text, '"', at + 1)) {
    let run = at;
    while (run > from && text[run - 1] === '\\') run--;
    if ((at - run) % 2 === 0) return at;
  }
  return most;
}
