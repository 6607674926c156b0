import type { Span } from '../../../../core/text/span.ts';

/** The text of a snippet and the range to select in it: its first tab stop, else its end. */
export interface WrittenSnippet {
  readonly text: string;
  readonly select: Span;
}

/**
 * Expands a snippet in LSP syntax (Language Server Protocol 3.17, "Snippet Syntax"): a tab stop with a default becomes
 * the default, a choice its first value, other tab stops become empty. Anything else is plain text.
 */
export function writeSnippet(snippet: string): WrittenSnippet {
  const stops = new Map<number, Span>();
  const { text } = readPart(snippet, 0, 0, stops, '');
  const numbers = [...stops.keys()].filter(number => number > 0);
  const first = stops.get(numbers.length > 0 ? Math.min(...numbers) : 0);
  return { text, select: first ?? { start: text.length, end: text.length } };
}

interface ReadPart {
  readonly text: string;
  /** The position in the snippet at which reading continues. */
  readonly next: number;
}

const STOP = /\$(?:(\d+)|\{(\d+)(?:\}|(:)|\|((?:\\.|[^|\\])*)\|\}))/y;

/** Reads up to the character that ends the part, or to the end. `length` is the length of the text before it. */
function readPart(
  snippet: string,
  from: number,
  length: number,
  stops: Map<number, Span>,
  end: '' | '}',
): ReadPart {
  let text = '';
  let at = from;
  while (at < snippet.length) {
    const character = snippet.charAt(at);
    if (character === end) return { text, next: at + 1 };
    STOP.lastIndex = at;
    const found = STOP.exec(snippet);
    if (!found) {
      const isEscape = character === '\\' && /[\\$}|,]/.test(snippet.charAt(at + 1));
      text += isEscape ? snippet.charAt(at + 1) : character;
      at += isEscape ? 2 : 1;
      continue;
    }
    const [whole, bare, braced, colon, choices = ''] = found;
    const start = length + text.length;
    const inner: ReadPart =
      colon === undefined
        ? { text: firstChoice(choices), next: at + whole.length }
        : readPart(snippet, at + whole.length, start, stops, '}');
    text += inner.text;
    at = inner.next;
    const number = Number(bare ?? braced);
    if (!stops.has(number)) stops.set(number, { start, end: start + inner.text.length });
  }
  return { text, next: at };
}

function firstChoice(choices: string): string {
  const first = /^(?:\\.|[^,\\])*/.exec(choices)?.[0] ?? '';
  return first.replace(/\\([\\$}|,])/g, '$1');
}
