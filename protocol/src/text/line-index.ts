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
  toOffset(position: LinePosition): number;
}

const LF = 10;
const CR = 13;

/** Builds the index in one pass over the text. */
export function indexLines(text: string): LineIndex {
  const starts = [0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === CR && text.charCodeAt(at + 1) === LF) continue;
    if (code === LF || code === CR) starts.push(at + 1);
  }
  return new StartsIndex(starts, text.length);
}

class StartsIndex implements LineIndex {
  readonly #starts: readonly number[];
  readonly #length: number;

  constructor(starts: readonly number[], length: number) {
    this.#starts = starts;
    this.#length = length;
  }

  get lineCount(): number {
    return this.#starts.length;
  }

  lineStart(line: number): number {
    return line < 0 ? 0 : (this.#starts[line] ?? this.#length);
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
    const inside = Math.max(0, Math.min(offset, this.#length));
    const line = this.lineAt(inside);
    return { line, character: inside - this.lineStart(line) };
  }

  toOffset(position: LinePosition): number {
    const start = this.lineStart(position.line);
    const end = position.line < 0 ? 0 : this.lineStart(position.line + 1);
    return Math.min(start + Math.max(0, position.character), end, this.#length);
  }
}
