import type { Span } from '../../core/text/span.ts';
import { DictStack, endOf, type Dict } from './dict.ts';
import { listJsonDicts } from './json-dicts.ts';

/** A bracket, or the start of a container line. */
const MARK = /[[\]]|^[ \t]*#/gm;
const COLON = /[ \t\r\n]*:/y;
/** Maximum length of the keys that matter for media. */
const LONGEST_KEY = 40;

/**
 * The dictionaries in a LightAICL text, inner ones first; invalid and incomplete ones as far as readable.
 * Also searches texts that look like JSON. Each text is read once for AICL and once for JSON.
 */
export function* listAiclDicts(text: string): Generator<Dict> {
  const stack = new DictStack();
  for (let at = nextMark(text, 0); at < text.length;) {
    let next = at + 1;
    const head = text.slice(at, at + 3);
    if (head === '[d:' || head === '[l:') {
      // `[d:` at the start of a line starts a message, as for the parser.
      if (head === '[d:' && isLineStart(text, at)) yield* stack.closeAll();
      stack.open(head === '[d:' ? 'dict' : 'list');
      next = at + 3;
    } else if (text[at] === ']') {
      const dict = stack.close();
      if (dict) yield dict;
    } else if (text[at] !== '[') {
      // Inside a message it is part of a text.
      if (stack.isEmpty) next = endOf(text, '\n', at);
    } else if (head === '[s:') {
      const span = { start: at + 3, end: endOf(text, ']', at + 3) };
      next = span.end + 1;
      COLON.lastIndex = next;
      if (COLON.test(text)) stack.key(text.slice(span.start, Math.min(span.end, span.start + LONGEST_KEY)));
      else {
        stack.text(span);
        yield* listInnerJson(text, span);
      }
    } else if (/^\[[a-z]:/.test(head)) next = endOf(text, ']', at) + 1;
    at = nextMark(text, next);
  }
  yield* stack.closeAll();
}

function nextMark(text: string, from: number): number {
  MARK.lastIndex = from;
  return MARK.exec(text)?.index ?? text.length;
}

function isLineStart(text: string, at: number): boolean {
  return at === 0 || text[at - 1] === '\n' || text[at - 1] === '\r';
}

function* listInnerJson(text: string, { start, end }: Span): Generator<Dict> {
  if (!/^\s*[{[]/.test(text.slice(start, Math.min(end, start + 100)))) return;
  for (const { members, within } of listJsonDicts(text.slice(start, end))) {
    const moved = [...members].map(
      ([key, span]) => [key, { start: span.start + start, end: span.end + start }] as const,
    );
    yield { members: new Map(moved), within };
  }
}
