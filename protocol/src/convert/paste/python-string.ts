/** A text of Python's, or why it is none; `end` is where what follows begins. */
export interface PythonString {
  readonly text: string;
  readonly end: number;
  readonly problem?: string;
}

const START = /([A-Za-z]{0,2})('''|"""|'|")/y;

const SIMPLE: ReadonlyMap<string, string> = new Map([
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['\n', ''],
  ['\r\n', ''],
]);

/** The string literal at an offset (The Python Language Reference, 2.4.1); undefined where none begins there. */
export function readPythonString(text: string, at: number): PythonString | undefined {
  START.lastIndex = at;
  const start = START.exec(text);
  if (!start) return undefined;
  const [opening, prefix = '', quotes = ''] = start;
  const from = at + opening.length;
  const refusal = refusePrefix(prefix.toLowerCase());
  if (refusal !== undefined) return { text: '', end: from, problem: refusal };
  const end = findEnd(text, from, quotes);
  if (end === undefined) return { text: '', end: text.length, problem: `the quote ${quotes} is not closed` };
  const body = text.slice(from, end);
  const isRaw = /r/i.test(prefix);
  if (!isRaw && /(?:^|[^\\])(?:\\\\)*\\N\{/.test(body))
    return { text: '', end, problem: '\\N{…} names a character: write the character itself' };
  return { text: isRaw ? body : body.replace(ESCAPE, unescape), end: end + quotes.length };
}

function refusePrefix(prefix: string): string | undefined {
  if (prefix === '' || prefix === 'r' || prefix === 'u') return undefined;
  if (prefix.includes('b')) return 'bytes have no place in a message; decode them first';
  if (prefix.includes('f')) return 'an f-string is a text only once Python has run it';
  return `'${prefix}' is no mark of a text`;
}

function findEnd(text: string, from: number, quotes: string): number | undefined {
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '\\') at++;
    else if (quotes.length === 1 && /[\r\n]/.test(character)) return undefined;
    else if (text.startsWith(quotes, at)) return at;
  }
  return undefined;
}

const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3})|(\r\n|[^]))/g;

/** What an escape means; one that Python does not know is itself. */
function unescape(whole: string, ...groups: (string | undefined)[]): string {
  const [byte, short, long, octal, other = ''] = groups;
  const hex = byte ?? short ?? long;
  if (hex === undefined && octal === undefined) return SIMPLE.get(other) ?? whole;
  const code = hex === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(hex, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}
