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

/**
 * The string literal at an offset (The Python Language Reference, 2.4.1); undefined where none begins there. Bytes are a
 * problem but for who asks for any literal, who gets the text that they are in UTF-8.
 */
export function readPythonString(
  text: string,
  at: number,
  wanted: 'text' | 'any' = 'text',
): PythonString | undefined {
  START.lastIndex = at;
  const start = START.exec(text);
  if (!start) return undefined;
  const [opening, prefix = '', quotes = ''] = start;
  const from = at + opening.length;
  const isBytes = wanted === 'any' && /^(?:b|rb|br)$/i.test(prefix);
  const refusal = isBytes ? undefined : refusePrefix(prefix.toLowerCase());
  if (refusal !== undefined) return { text: '', end: from, problem: refusal };
  const end = findEnd(text, from, quotes);
  if (end === undefined) return { text: '', end: text.length, problem: `the quote ${quotes} is not closed` };
  const body = text.slice(from, end);
  const isRaw = /r/i.test(prefix);
  const after = end + quotes.length;
  if (isBytes) return readBytes(isRaw ? body : body.replace(BYTE_ESCAPE, unescape), after);
  if (!isRaw && /(?:^|[^\\])(?:\\\\)*\\N\{/.test(body))
    return { text: '', end, problem: '\\N{…} names a character: write the character itself' };
  return { text: isRaw ? body : body.replace(ESCAPE, unescape), end: after };
}

/** Bytes are characters up to 255 here; other characters cannot stand in a literal of them. */
function readBytes(bytes: string, end: number): PythonString {
  const text = /^[\0-\xff]*$/.test(bytes) ? decodeUtf8(bytes) : undefined;
  return text === undefined ? { text: '', end, problem: 'these bytes are no text in UTF-8' } : { text, end };
}

function decodeUtf8(bytes: string): string | undefined {
  const encoded = bytes.replace(/[^]/g, byte => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
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

/** Bytes have no escapes for characters: the groups of these never match. */
const BYTE_ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u(?!)()|U(?!)()|([0-7]{1,3})|(\r\n|[^]))/g;

/** What an escape means; one that Python does not know is itself. */
function unescape(whole: string, ...groups: (string | undefined)[]): string {
  const [byte, short, long, octal, other = ''] = groups;
  const hex = byte ?? short ?? long;
  if (hex === undefined && octal === undefined) return SIMPLE.get(other) ?? whole;
  const code = hex === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(hex, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}
