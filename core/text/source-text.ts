import { lastAtMost } from './number-list.ts';
import type { TextEdit } from './edit.ts';
import { isHighSurrogate, isLowSurrogate, utf8Length } from './utf8.ts';

/** A position in an editor: line and UTF-16 character, both from 0. */
export interface LinePosition {
  readonly line: number;
  readonly character: number;
}

/** Converts between offsets and lines. LF, CRLF and CR end lines. */
export interface LineIndex {
  readonly lineCount: number;
  /** The offset at which a line starts; the text's length for a line past the end. */
  lineStart(line: number): number;
  /** The line that holds an offset; offsets outside the text are clamped to it. */
  lineAt(offset: number): number;
  toPosition(offset: number): LinePosition;
  /**
   * The offset of a position. A character past the end of its line
   * is clamped to the end of the line, before its line break.
   */
  toOffset(position: LinePosition): number;
}

/** What code that reads characters needs; strings and `SourceText` both provide it. */
export type Characters = Pick<string, 'length' | 'slice' | 'charCodeAt'>;

/** An immutable piece of a text. Edits elsewhere in the text reuse the same object. */
export interface Chunk {
  readonly text: string;
  /** The offsets after each line break in the chunk; the last one may equal the chunk's length. */
  readonly lineStarts: readonly number[];
}

/** The usual length of a chunk. An edit copies one chunk, and each chunk costs a few numbers. */
const CHUNK_LENGTH = 16_384;
const LF = 10;
const CR = 13;

/**
 * The immutable text of a document, cut into chunks, with a line index. An edit returns a new text that shares all
 * untouched chunks, so its cost does not grow with the text, except for the chunk list. If its lines are shorter than a
 * chunk, a chunk ends after a line break; it never ends between CR and LF. LF, CRLF and CR end lines.
 */
export class SourceText implements LineIndex {
  readonly chunks: readonly Chunk[];
  /** The start of each chunk and the number of line breaks before it, with one more entry for the end. */
  readonly #starts: readonly number[];
  readonly #linesBefore: readonly number[];
  readonly #chunkLength: number;
  /** The chunk that was read last: most reads are sequential. */
  #last = 0;

  private constructor(chunks: readonly Chunk[], chunkLength: number) {
    const starts = [0];
    const linesBefore = [0];
    let [start, lines] = [0, 0];
    for (const chunk of chunks) {
      starts.push((start += chunk.text.length));
      linesBefore.push((lines += chunk.lineStarts.length));
    }
    this.chunks = chunks;
    this.#chunkLength = chunkLength;
    this.#starts = starts;
    this.#linesBefore = linesBefore;
  }

  /** Makes a text from a string. Tests pass a short chunk length, so that short texts have several chunks. */
  static of(text: string, chunkLength = CHUNK_LENGTH): SourceText {
    return new SourceText(cutUp(text, chunkLength), chunkLength);
  }

  get length(): number {
    return this.#starts[this.chunks.length] ?? 0;
  }

  get lineCount(): number {
    return (this.#linesBefore[this.chunks.length] ?? 0) + 1;
  }

  /** The start of the chunk at an index; the text's length past the last one. */
  chunkStart(index: number): number {
    return this.#starts[index] ?? this.length;
  }

  /** The index of the chunk that contains an offset; the last one for the end of the text. */
  chunkAt(offset: number): number {
    const last = this.#last;
    if (offset >= this.chunkStart(last) && offset < this.chunkStart(last + 1)) return last;
    return (this.#last = lastAtMost(this.#starts, offset, Math.max(1, this.chunks.length)));
  }

  /** The code unit at an offset; NaN outside the text. */
  charCodeAt(offset: number): number {
    const index = this.chunkAt(offset);
    return this.chunks[index]?.text.charCodeAt(offset - this.chunkStart(index)) ?? Number.NaN;
  }

  /** The text of `[start, end)`; both are clamped to the text. */
  slice(start: number, end = this.length): string {
    const from = Math.max(0, start);
    const to = Math.min(end, this.length);
    if (from >= to) return '';
    let index = this.chunkAt(from);
    let slice = '';
    for (; index < this.chunks.length && this.chunkStart(index) < to; index++) {
      const at = this.chunkStart(index);
      slice += this.chunks[index]?.text.slice(Math.max(0, from - at), to - at) ?? '';
    }
    return slice;
  }

  /** The length of `[start, end)` in UTF-8 bytes. The counts of whole chunks are cached. */
  utf8Length(start: number, end: number): number {
    let bytes = 0;
    for (let index = this.chunkAt(start); index < this.chunks.length; index++) {
      const at = this.chunkStart(index);
      const chunk = this.chunks[index];
      if (!chunk || at >= end) break;
      const isWhole = at >= start && at + chunk.text.length <= end;
      bytes += isWhole ? bytesOf(chunk) : utf8Length(chunk.text.slice(Math.max(0, start - at), end - at));
      // A surrogate pair that crosses two chunks was counted as two lone surrogates, six bytes instead of four.
      const next = at + chunk.text.length;
      if (next < end && isHighSurrogate(this.charCodeAt(next - 1)) && isLowSurrogate(this.charCodeAt(next)))
        bytes -= 2;
    }
    return bytes;
  }

  toString(): string {
    return this.slice(0);
  }

  lineStart(line: number): number {
    if (line <= 0) return 0;
    if (line >= this.lineCount) return this.length;
    const index = this.#chunkOfLine(line);
    const inChunk = line - 1 - (this.#linesBefore[index] ?? 0);
    return this.chunkStart(index) + (this.chunks[index]?.lineStarts[inChunk] ?? 0);
  }

  /** The index of the chunk with the line break before a line other than the first. */
  #chunkOfLine(line: number): number {
    const last = this.#last;
    if ((this.#linesBefore[last] ?? line) < line && (this.#linesBefore[last + 1] ?? 0) >= line) return last;
    return (this.#last = lastAtMost(this.#linesBefore, line - 1, this.chunks.length));
  }

  lineAt(offset: number): number {
    if (this.chunks.length === 0) return 0;
    const inside = Math.max(0, Math.min(offset, this.length));
    const index = this.chunkAt(inside);
    const starts = this.chunks[index]?.lineStarts ?? [];
    const inChunk = inside - this.chunkStart(index);
    const first = starts[0];
    const passed =
      first === undefined || inChunk < first ? 0 : lastAtMost(starts, inChunk, starts.length) + 1;
    return (this.#linesBefore[index] ?? 0) + passed;
  }

  toPosition(offset: number): LinePosition {
    const inside = Math.max(0, Math.min(offset, this.length));
    const line = this.lineAt(inside);
    return { line, character: inside - this.lineStart(line) };
  }

  toOffset({ line, character }: LinePosition): number {
    if (line < 0) return 0;
    return Math.min(this.lineStart(line) + Math.max(0, character), this.lineEnd(line));
  }

  /** The end of a line, before its line break; the text's length for a line past the end. */
  lineEnd(line: number): number {
    const start = this.lineStart(line);
    let end = this.lineStart(line + 1);
    if (line + 1 < this.lineCount) {
      end--;
      if (end > start && this.charCodeAt(end - 1) === CR && this.charCodeAt(end) === LF) end--;
    }
    return end;
  }

  /** The text after an edit. */
  edit({ span, newText }: TextEdit): SourceText {
    const length = this.#chunkLength;
    if (this.chunks.length === 0) return SourceText.of(newText, length);
    let from = this.chunkAt(span.start);
    let to = this.chunkAt(span.end) + 1;
    let text =
      this.slice(this.chunkStart(from), span.start) + newText + this.slice(span.end, this.chunkStart(to));
    // A CR before the edit may have become the first half of a CRLF.
    while (from > 0 && (text === '' || text.charCodeAt(0) === LF) && this.#endsIn(from - 1, CR)) {
      text = (this.chunks[--from]?.text ?? '') + text;
    }
    while (to < this.chunks.length && needsNext(text, this.chunks[to], length)) {
      text += this.chunks[to++]?.text ?? '';
    }
    const chunks = [...this.chunks.slice(0, from), ...cutUp(text, length), ...this.chunks.slice(to)];
    return new SourceText(chunks, length);
  }

  #endsIn(index: number, code: number): boolean {
    const { text } = this.chunks[index] ?? { text: '' };
    return text.charCodeAt(text.length - 1) === code;
  }
}

const BYTES = new WeakMap<Chunk, number>();

function bytesOf(chunk: Chunk): number {
  const bytes = BYTES.get(chunk) ?? utf8Length(chunk.text);
  BYTES.set(chunk, bytes);
  return bytes;
}

/** True if a text cannot be a chunk of its own: it is much too short, or it would split a line or a CRLF. */
function needsNext(text: string, next: Chunk | undefined, chunkLength: number): boolean {
  const last = text.charCodeAt(text.length - 1);
  if (last === CR && next?.text.charCodeAt(0) === LF) return true;
  return text.length < chunkLength / 4 || (text.length < chunkLength && last !== LF && last !== CR);
}

function cutUp(text: string, chunkLength: number): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = 0; at < text.length;) {
    const rest = text.length - at;
    const end = rest <= chunkLength * 2 ? text.length : findCut(text, at, chunkLength);
    const part = text.slice(at, end);
    chunks.push({ text: part, lineStarts: findLineStarts(part) });
    at = end;
  }
  return chunks;
}

/** The offset after the last line break within a chunk's length, or else at its end; never between CR and LF. */
function findCut(text: string, from: number, chunkLength: number): number {
  const part = text.slice(from, from + chunkLength);
  const afterLf = part.lastIndexOf('\n') + 1;
  const lineEnd = afterLf + part.slice(afterLf).lastIndexOf('\r') + 1;
  const cut = from + (lineEnd > 0 ? lineEnd : chunkLength);
  return text.charCodeAt(cut - 1) === CR && text.charCodeAt(cut) === LF ? cut + 1 : cut;
}

function findLineStarts(text: string): number[] {
  const starts: number[] = [];
  if (!text.includes('\r')) {
    // Most texts have no CR, and `indexOf` finds LF many times faster than a loop.
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    return starts;
  }
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === LF || (code === CR && text.charCodeAt(at + 1) !== LF)) starts.push(at + 1);
  }
  return starts;
}
