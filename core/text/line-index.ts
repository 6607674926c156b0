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
}
