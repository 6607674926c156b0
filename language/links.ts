import type { Chunk, SourceText } from '../core/text/source-text.ts';
import type { Span } from '../core/text/span.ts';

/** An address in a text. */
export interface TextLink {
  readonly span: Span;
  /** The address without the escapes that the text has in it. */
  readonly target: string;
}

/** The first links of a text. */
export interface LinkList {
  readonly links: readonly TextLink[];
  /** True where the text has more. */
  readonly isCut: boolean;
}

/** How a language writes an address. */
export interface LinkSyntax {
  /** Matches the scheme at the end of what stands before `://`: it is the first group, and no word goes before it. */
  readonly scheme: RegExp;
  /** Matches what stands after the scheme, from where it starts, with escapes as they are written. */
  readonly address: RegExp;
  unescape(source: string): string;
}

const MARK = '://';
/** What a variable begins with. */
const VARIABLE = '{{';
/** A scheme with an escape before it. */
const LONGEST_SCHEME = '\\nhttps'.length;
/** A longer address is none that anybody opens. */
const LONGEST_ADDRESS = 2_048;

/**
 * Finds `http` and `https` addresses, the first `most` of them. An address ends where its text does, and before
 * punctuation that belongs to the sentence around it. Where a chunk of the text has none is found out once for all
 * versions that share it.
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
  // A variable in an address is filled in when it is sent: what stands before it leads elsewhere.
  if (address.length > LONGEST_ADDRESS || rest.startsWith(VARIABLE, address.length)) return undefined;
  const length = address.length - sentenceLength(address);
  if (length === 0) return undefined;
  const target = scheme + MARK + syntax.unescape(address.slice(0, length));
  return { span: { start: mark - scheme.length, end: from + length }, target };
}

/** How many characters at an address's end belong to the sentence: punctuation, and brackets opened before it. */
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

/** Where `://` stands in chunks, from the start of the chunk. */
const KEPT = new WeakMap<Chunk, readonly number[]>();

function* findMarks(text: SourceText): Generator<number> {
  for (let index = 0; index < text.chunks.length; index++) {
    const chunk = text.chunks[index];
    const [start, end] = [text.chunkStart(index), text.chunkStart(index + 1)];
    if (chunk) for (const at of keptMarks(chunk)) yield start + at;
    // One that the end of the chunk tears apart.
    const from = Math.max(0, end - MARK.length + 1);
    const seam = text.slice(from, end + MARK.length - 1).indexOf(MARK);
    if (seam >= 0) yield from + seam;
  }
}

function keptMarks(chunk: Chunk): readonly number[] {
  const kept = KEPT.get(chunk);
  if (kept) return kept;
  const marks: number[] = [];
  for (let at = chunk.text.indexOf(MARK); at >= 0; at = chunk.text.indexOf(MARK, at + MARK.length))
    marks.push(at);
  KEPT.set(chunk, marks);
  return marks;
}
