import type { TextEdit } from './edit.ts';

/** A place as editors count it: lines and UTF-16 characters from 0. */
export interface LinePosition {
  readonly line: number;
  readonly character: number;
}

/** Finds lines by offset and offsets by line. LF, CRLF and CR end lines. */
export interface LineIndex {
  readonly lineCount: number;
  /** The offset at which a line starts; the text's length for a line past the end. */
  lineStart(line: number): number;
  /** The line that holds an offset; offsets outside the text are clamped to it. */
  lineAt(offset: number): number;
  toPosition(offset: number): LinePosition;
  /** The offset of a position; a character past the end of its line is the line's end, before what ends it. */
  toOffset(position: LinePosition): number;
  /** The index of the text after an edit; only the lines that the edit touches are looked at. */
  edit(newText: string, edit: TextEdit): LineIndex;
}

const LF = 10;
const CR = 13;

/** Builds the index in one pass over the text. */
export function indexLines(text: string): LineIndex {
  const starts = [0];
  pushLineStarts(text, 0, text.length, starts);
  return new StartsIndex(text, starts);
}

/** Adds the offsets after the line ends in `text[from, to)`. */
function pushLineStarts(text: string, from: number, to: number, starts: number[]): void {
  const part = text.slice(from, to);
  if (!part.includes('\r')) {
    // Most texts have no CR: the engine finds a LF many times faster than a loop does.
    for (let at = part.indexOf('\n'); at >= 0; at = part.indexOf('\n', at + 1)) starts.push(from + at + 1);
    return;
  }
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === LF || (code === CR && text.charCodeAt(at + 1) !== LF)) starts.push(at + 1);
  }
}

class StartsIndex implements LineIndex {
  readonly #text: string;
  readonly #starts: readonly number[];

  constructor(text: string, starts: readonly number[]) {
    this.#text = text;
    this.#starts = starts;
  }

  get lineCount(): number {
    return this.#starts.length;
  }

  lineStart(line: number): number {
    return line < 0 ? 0 : (this.#starts[line] ?? this.#text.length);
  }

  lineAt(offset: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low + 1 < high) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low;
  }

  toPosition(offset: number): LinePosition {
    const inside = Math.max(0, Math.min(offset, this.#text.length));
    const line = this.lineAt(inside);
    return { line, character: inside - this.lineStart(line) };
  }

  toOffset({ line, character }: LinePosition): number {
    if (line < 0) return 0;
    const start = this.lineStart(line);
    let end = this.lineStart(line + 1);
    if (line + 1 < this.lineCount) {
      end--;
      if (end > start && this.#text.charCodeAt(end) === LF && this.#text.charCodeAt(end - 1) === CR) end--;
    }
    return Math.min(start + Math.max(0, character), end);
  }

  edit(newText: string, { span, newText: inserted }: TextEdit): LineIndex {
    // A CR before the edit may have become one half of a CRLF, or ceased to be one.
    const firstLine = this.lineAt(Math.max(0, span.start - 1));
    const moveBy = inserted.length - (span.end - span.start);
    const starts = this.#starts.slice(0, firstLine + 1);
    const nextLine = this.lineAt(span.end) + 1;
    const rescanTo = nextLine < this.lineCount ? this.lineStart(nextLine) + moveBy : newText.length;
    pushLineStarts(newText, this.lineStart(firstLine), rescanTo, starts);
    if (nextLine < this.lineCount && starts.at(-1) === rescanTo) starts.pop();
    for (let line = nextLine; line < this.lineCount; line++) starts.push(this.lineStart(line) + moveBy);
    return new StartsIndex(newText, starts);
  }
}
