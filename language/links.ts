import type { Chunk, SourceText } from '../core/text/source-text.ts';
import type { Span } from '../core/text/span.ts';

/** An address in a text. */
export interface TextLink {
  readonly span: Span;
  /** The address with escapes decoded. */
  readonly target: string;
}

/** The first links of a text. */
export interface LinkList {
  readonly links: readonly TextLink[];
  /** True where the text has more. */
  readonly isCut: boolean;
}

/** The address syntax of a language. */
export interface LinkSyntax {
  /**
   * Matches the scheme at the end of the text before `://`. The scheme is the first group; no word character
   * precedes it.
   */
  readonly scheme: RegExp;
  /** Matches the text after the scheme, from its start, with escapes as written. */
  readonly address: RegExp;
  unescape(source: string): string;
}

const MARK = '://';
/** The start of a variable. */
const VARIABLE = '{{';
/** Length of the longest scheme including a preceding escape. */
const LONGEST_SCHEME = '\\nhttps'.length;
/** Maximum length of an address; longer ones are ignored. */
const LONGEST_ADDRESS = 2_048;

/**
 * Finds the first `most` `http` and `https` addresses. An address ends with its text, or before punctuation
 * that belongs to the surrounding sentence. The positions of `://` are cached per chunk, so versions of a
 * document share them.
 */
export function listLinks(text: SourceText, syntax: LinkSyntax, most: number): LinkList {
  const links: TextLink[] = [];
  let end = 0;
  for (const mark of findMarks(text)) {
    if (mark < end) continue;
    const link = readLink(text, syntax, mark);
    if (!link) continue;
    if (links.length === most) return { links, isCut: true };
    links.push(link);
    end = link.span.end;
  }
  return { links, isCut: false };
}

function readLink(text: SourceText, syntax: LinkSyntax, mark: number): TextLink | undefined {
  const scheme = syntax.scheme.exec(text.slice(mark - LONGEST_SCHEME, mark))?.[1];
  if (scheme === undefined) return undefined;
  const from = mark + MARK.length;
  const rest = text.slice(from, from + LONGEST_ADDRESS + VARIABLE.length);
  const address = syntax.address.exec(rest)?.[0] ?? '';
  // A variable is replaced when the request is sent, so the address before it would lead elsewhere.
  if (address.length > LONGEST_ADDRESS || rest.startsWith(VARIABLE, address.length)) return undefined;
  const length = address.length - sentenceLength(address);
  if (length === 0) return undefined;
  const target = scheme + MARK + syntax.unescape(address.slice(0, length));
  return { span: { start: mark - scheme.length, end: from + length }, target };
}

/**
 * The number of characters at the end of an address that belong to the sentence: punctuation, and closing
 * brackets whose opening bracket precedes the address.
 */
function sentenceLength(address: string): number {
  let unopened = 0;
  for (const character of address) {
    if (/[(（]/.test(character)) unopened--;
    else if (/[)）]/.test(character)) unopened++;
  }
  let end = address.length;
  for (; end > 0; end--) {
    const last = address.charAt(end - 1);
    if (/[.,;:!?'*。，、；：！？]/.test(last)) continue;
    if (!/[)）]/.test(last) || unopened <= 0) break;
    unopened--;
  }
  return address.length - end;
}

/** Cached positions of `://` in chunks, counted from the start of the chunk. */
const CACHE = new WeakMap<Chunk, readonly number[]>();

function* findMarks(text: SourceText): Generator<number> {
  for (let index = 0; index < text.chunks.length; index++) {
    const chunk = text.chunks[index];
    const [start, end] = [text.chunkStart(index), text.chunkStart(index + 1)];
    if (chunk) for (const at of cachedMarks(chunk)) yield start + at;
    // Finds a mark that crosses the end of the chunk.
    const from = Math.max(0, end - MARK.length + 1);
    const seam = text.slice(from, end + MARK.length - 1).indexOf(MARK);
    if (seam >= 0) yield from + seam;
  }
}

function cachedMarks(chunk: Chunk): readonly number[] {
  const cached = CACHE.get(chunk);
  if (cached) return cached;
  const marks: number[] = [];
  for (let at = chunk.text.indexOf(MARK); at >= 0; at = chunk.text.indexOf(MARK, at + MARK.length))
    marks.push(at);
  CACHE.set(chunk, marks);
  return marks;
}
